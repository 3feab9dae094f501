import type { Column, Row } from './rows.ts';

/** Rows that widths are made of: more would change little. */
const SAMPLE = 200;
const LEAST = 6;
const MOST = 44;
/** For the mark of a state, and the way to the next column. */
const PADDING = 5;

/** A width for every column, in characters, wide enough for most of what stands in it. */
export function widthsOf(columns: readonly Column[], rows: ReadonlyMap<string, Row>): readonly number[] {
  const widths = columns.map(({ name }) => name.length + 3);
  let looked = 0;
  for (const { cells } of rows.values()) {
    for (let i = 0; i < widths.length; i++) widths[i] = Math.max(widths[i] ?? 0, (cells[i]?.length ?? 0) + PADDING);
    if (++looked === SAMPLE) break;
  }
  return widths.map((width) => Math.min(MOST, Math.max(LEAST, width)));
}

/** What is left over goes to the first column, which has the names. */
export const gridTemplate = (widths: readonly number[]): string =>
  widths.map((width, i) => (i === 0 ? `minmax(${width}ch, 1fr)` : `${width}ch`)).join(' ');
