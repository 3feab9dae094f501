import { signal } from '@preact/signals';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isBad: boolean;
}

const STAYS_MS = 6_000;
const MOST = 4;
const shown = signal<readonly Toast[]>([]);
let count = 0;

/** Says what was done, or could not be, for some seconds. */
export function tell(text: string, isBad = false): void {
  const toast = { id: ++count, text, isBad };
  shown.value = [...shown.value, toast].slice(-MOST);
  setTimeout(() => {
    shown.value = shown.value.filter(({ id }) => id !== toast.id);
  }, STAYS_MS);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.value.map(({ id, text, isBad }) => (
        <p key={id} class={isBad ? 'bad' : ''}>
          {text}
        </p>
      ))}
    </div>
  );
}
