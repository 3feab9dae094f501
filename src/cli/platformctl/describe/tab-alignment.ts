const PADDING = 2;

/**
 * Lines up the columns of a text. A cell ends with a tab; what follows the last tab of a line belongs to no column. A
 * column is as wide as the widest cell of neighbouring lines that have it, and a line without it begins another one.
 */
export function alignTabs(text: string): string {
  const lines = text.split(/[\n\f]/).map((line) => line.split(/[\t\v]/));
  const widths = lines.map((cells) => new Array<number>(cells.length - 1).fill(0));
  const columns = widths.reduce((most, { length }) => Math.max(most, length), 0);
  for (let column = 0; column < columns; column++) widenColumn(lines, widths, column);
  return lines
    .map((cells, at) => cells.map((cell, column) => padded(cell, widths[at]?.[column] ?? 0)).join(''))
    .join('\n');
}

/** Gives each run of neighbouring lines that have the column the width of its widest cell. */
function widenColumn(lines: readonly string[][], widths: readonly number[][], column: number): void {
  let start = 0;
  while (start < lines.length) {
    let end = start;
    let widest = 0;
    for (; (widths[end]?.length ?? 0) > column; end++) widest = Math.max(widest, lengthOf(lines[end]?.[column] ?? ''));
    for (let at = start; at < end; at++) {
      const row = widths[at];
      if (row) row[column] = widest + PADDING;
    }
    start = end + 1;
  }
}

const padded = (cell: string, width: number): string => cell + ' '.repeat(Math.max(0, width - lengthOf(cell)));

const isPlain = (text: string): boolean => !/[\ud800-\udbff]/.test(text);

/** In characters, as terminals show them. */
const lengthOf = (cell: string): number => (isPlain(cell) ? cell.length : [...cell].length);
