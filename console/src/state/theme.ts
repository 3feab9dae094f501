import { effect, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'console.theme';
const isTheme = (text: string | null): text is Theme => text === 'light' || text === 'dark' || text === 'system';

function remembered(): Theme {
  const text = localStorage.getItem(KEY);
  return isTheme(text) ? text : 'system';
}

export const theme = signal<Theme>(remembered());

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  localStorage.setItem(KEY, theme.value);
});

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'dark', dark: 'light', light: 'system' };

export function nextTheme(): void {
  theme.value = NEXT[theme.value];
}
