import { useLayoutEffect } from 'preact/hooks';

export type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** Handlers of the views that are shown, the last one first. */
const layers: Keys[] = [];
let prefix = '';
let prefixTimer = 0;
const PREFIX_MS = 1_200;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Keys that are typed are text, and those in front of a view are for the dialog there. */
const isForOthers = (name: string, target: EventTarget | null): boolean =>
  document.querySelector('dialog[open]') !== null || (name !== 'Escape' && isTyping(target));

const nameOf = (event: KeyboardEvent): string => `${event.ctrlKey || event.metaKey ? 'Ctrl-' : ''}${event.key}`;

addEventListener('keydown', (event) => {
  const typed = event.composedPath()[0] ?? null;
  const name = nameOf(event);
  if (event.altKey || event.isComposing || (!name.startsWith('Ctrl-') && isForOthers(name, typed))) return;
  if (prefix === '' && name === 'g') {
    prefix = 'g ';
    prefixTimer = setTimeout(() => {
      prefix = '';
    }, PREFIX_MS);
    return;
  }
  clearTimeout(prefixTimer);
  const wanted = prefix + name;
  prefix = '';
  const layer = layers.findLast((keys) => Object.hasOwn(keys, wanted));
  const handler = layer?.[wanted];
  if (!handler) return;
  event.preventDefault();
  handler(event);
});

/** Handles keys while a view is shown: `j`, `Ctrl-k`, `g p`. */
export function useKeys(keys: Keys): void {
  useLayoutEffect(() => {
    layers.push(keys);
    return () => {
      layers.splice(layers.indexOf(keys), 1);
    };
  });
}
