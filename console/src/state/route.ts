import { computed, signal } from '@preact/signals';

/** What is shown. It stands behind the `#` of the address, which is sent to no server. */
export interface Route {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

const read = (): Route => {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?', 2);
  return { path: path.split('/').filter(Boolean).map(decode), query: new URLSearchParams(query) };
};

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const route = signal(read());

/** Counts moves from one view to another, not changes within one. */
export const viewName = computed(() => route.value.path.join('/'));

addEventListener('hashchange', () => {
  route.value = read();
});

export type Query = Readonly<Record<string, string | undefined>>;

/** The address of a view, for links. */
export function linkTo(path: readonly string[], query: Query = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const search = new URLSearchParams(given).toString();
  return `#/${path.map(encodeURIComponent).join('/')}${search === '' ? '' : `?${search}`}`;
}

export function go(path: readonly string[], query: Query = {}): void {
  location.hash = linkTo(path, query);
}

/** Changes what the address says of the same view, without a step in the history. */
export function refine(changes: Query): void {
  const { path, query } = route.value;
  const merged = { ...Object.fromEntries(query), ...changes };
  history.replaceState(null, '', linkTo(path, merged));
  route.value = read();
}
