import type { Line } from './table.ts';

const LEAST_WIDTH = 6;
const PADDING = 3;

/** Lines with cells below each other. The last cell of a line has nothing after it. */
export function alignedLines(lines: readonly Line[], widths = columnWidths(lines)): string[] {
  return lines.map((cells) =>
    cells
      .map((cell, at) =>
        at === cells.length - 1 ? cell : cell + ' '.repeat(Math.max(0, (widths[at] ?? 0) - width(cell))),
      )
      .join(''),
  );
}

/** How wide columns have to be for some lines, and for `least`, what they were for others. */
export function columnWidths(lines: readonly Line[], least: readonly number[] = []): number[] {
  const widths = [...least];
  for (const cells of lines) {
    for (const [at, cell] of cells.slice(0, -1).entries()) {
      widths[at] = Math.max(widths[at] ?? LEAST_WIDTH, width(cell) + PADDING);
    }
  }
  return widths;
}

/** In characters, as other tools count it. */
const width = (cell: string): number => (/^[\x20-\x7e]*$/.test(cell) ? cell.length : [...cell].length);

export const columnsText = (lines: readonly Line[]): string =>
  alignedLines(lines)
    .map((line) => `${line}\n`)
    .join('');
