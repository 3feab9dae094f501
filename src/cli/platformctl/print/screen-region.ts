import type { Runtime, Timer } from '../../../runtime/runtime.ts';
import { type Io, write } from '../frame/io.ts';

/** Drawn no more often. */
const REDRAW_MS = 80;
const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';
const ERASE_BELOW = '\x1b[J';
const ERASE_LINE = '\x1b[K';
const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;

/** A line; colours are put in after it was cut to fit. */
export type ScreenLine = string | { readonly text: string; readonly paint: (shown: string) => string };

/**
 * Lines at the bottom of a terminal that are drawn over themselves. They never take more than the screen: lines that do not
 * fit are counted in the last one, long ones are cut. The cursor is hidden meanwhile, and back at the end.
 */
export class ScreenRegion {
  readonly #io: Io;
  readonly #runtime: Runtime;
  readonly #lines: () => readonly ScreenLine[];
  /** Lines on the screen, all but the last above the cursor. */
  #drawn = 0;
  #timer: Timer | undefined;
  #isOpen = false;
  readonly #onResize = (): void => {
    // Lines have broken elsewhere, and nobody knows where: what is on the screen is left behind it.
    this.#drawn = 0;
    void write(this.#io.stdout, '\x1b[2J\x1b[H').then(() => this.#draw());
  };

  constructor(io: Io, runtime: Runtime, lines: () => readonly ScreenLine[]) {
    this.#io = io;
    this.#runtime = runtime;
    this.#lines = lines;
  }

  async open(): Promise<void> {
    this.#isOpen = true;
    this.#io.stdout.on('resize', this.#onResize);
    await write(this.#io.stdout, HIDE_CURSOR);
    await this.#draw();
  }

  /** The lines are others now. */
  changed(): void {
    this.#timer ??= this.#runtime.after(REDRAW_MS, () => {
      this.#timer = undefined;
      void this.#draw();
    });
  }

  async close(): Promise<void> {
    this.#timer?.cancel();
    if (!this.#isOpen) return;
    await this.#draw();
    this.#isOpen = false;
    this.#io.stdout.removeListener('resize', this.#onResize);
    await write(this.#io.stdout, SHOW_CURSOR);
  }

  async #draw(): Promise<void> {
    if (!this.#isOpen) return;
    const { columns = DEFAULT_COLUMNS, rows = DEFAULT_ROWS } = this.#io.stdout;
    const shown = fitting(this.#lines(), Math.max(2, rows - 1)).map((line) => cut(line, columns));
    const up = this.#drawn === 0 ? '' : `\x1b[${this.#drawn}A`;
    this.#drawn = shown.length;
    await write(this.#io.stdout, `\r${up}${shown.map((line) => `${line}${ERASE_LINE}\n`).join('')}${ERASE_BELOW}`);
  }
}

function fitting(lines: readonly ScreenLine[], rows: number): readonly ScreenLine[] {
  if (lines.length <= rows) return lines;
  return [...lines.slice(0, rows - 1), `… and ${lines.length - rows + 1} more`];
}

function cut(line: ScreenLine, columns: number): string {
  const { text, paint } = typeof line === 'string' ? { text: line, paint: (shown: string) => shown } : line;
  const characters = [...text];
  return paint(characters.length < columns ? text : `${characters.slice(0, columns - 1).join('')}…`);
}
