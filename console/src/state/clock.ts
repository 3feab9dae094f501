import { signal } from '@preact/signals';

/** The time, as often as ages need it. */
export const clock = signal(Date.now());
setInterval(() => {
  clock.value = Date.now();
}, 5_000);

const UNITS: readonly [string, number][] = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
];

/** How long ago something was, in the two largest units as long as they matter. */
export function ageOf(stamp: string, now = clock.value): string {
  const began = Date.parse(stamp);
  if (Number.isNaN(began)) return '';
  return spanText((now - began) / 1000);
}

export function spanText(given: number): string {
  const seconds = Math.max(0, Math.floor(given));
  const at = UNITS.findIndex(([, size]) => seconds >= size);
  const [unit, size] = UNITS[at] ?? ['s', 1];
  const count = Math.floor(seconds / size);
  const [nextUnit, nextSize] = UNITS[at + 1] ?? ['', 1];
  const rest = nextUnit === '' || count >= 10 ? 0 : Math.floor((seconds % size) / nextSize);
  return rest > 0 ? `${count}${unit}${rest}${nextUnit}` : `${count}${unit}`;
}
