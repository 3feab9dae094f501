import type { Column, Row } from './rows.ts';

export interface Sorting {
  /** Name of a column; '' for namespace and name. */
  readonly column: string;
  readonly descending: boolean;
}

export type Compare = (a: Row, b: Row) => number;

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** No two rows are equal: each has a place of its own. */
const byPlace: Compare = (a, b) => byText(a.namespace, b.namespace) || byText(a.name, b.name);

/** How rows follow each other. */
export function comparing({ column, descending }: Sorting, columns: readonly Column[]): Compare {
  const main = comparingBy(column, columns);
  const sign = descending ? -1 : 1;
  return (a, b) => sign * main(a, b) || byPlace(a, b);
}

function comparingBy(name: string, columns: readonly Column[]): Compare {
  if (name === '' || name === 'Namespace') return byPlace;
  // The youngest has the latest time of creation.
  if (name === 'Age') return (a, b) => byText(b.created, a.created);
  const at = columns.findIndex((column) => column.name === name);
  const type = columns[at]?.type;
  if (type === 'integer' || type === 'number') return (a, b) => Number(a.cells[at] ?? 0) - Number(b.cells[at] ?? 0);
  return (a, b) => byText(a.cells[at] ?? '', b.cells[at] ?? '');
}

/** Where a row is, or would be, among sorted ones. */
export function placeOf(rows: readonly Row[], row: Row, compare: Compare): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const candidate = rows[middle];
    if (candidate !== undefined && compare(candidate, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
