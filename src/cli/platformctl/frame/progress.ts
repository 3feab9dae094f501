import type { Io } from './io.ts';
import { write } from './io.ts';

/** Redrawn no more often: terminals over a network are slow, and eyes too. */
const REDRAW_MS = 100;
const BAR_WIDTH = 24;
const ERASE_LINE = '\r\x1b[K';

export interface ProgressParts {
  readonly io: Io;
  /** For the pace of drawing. */
  readonly now: () => number;
  /** What is being done, such as `applying`. */
  readonly what: string;
  /** How many steps there are; undefined where nobody knows. */
  readonly total?: number;
}

/**
 * One line on standard error that says how far long work is. It is drawn on a terminal alone, leaves nothing behind, and
 * makes room for lines that are printed meanwhile.
 */
export class Progress {
  readonly #io: Io;
  readonly #now: () => number;
  readonly #what: string;
  readonly #total: number | undefined;
  readonly #isShown: boolean;
  #done = 0;
  #note = '';
  #drawnAt = Number.NEGATIVE_INFINITY;
  #isDrawn = false;

  constructor({ io, now, what, total }: ProgressParts) {
    this.#io = io;
    this.#now = now;
    this.#what = what;
    this.#total = total;
    this.#isShown = io.stderr.isTTY === true && io.env.TERM !== 'dumb';
  }

  /** A step is done; `note` says what is at hand now. */
  async step(note = ''): Promise<void> {
    this.#done++;
    await this.note(note);
  }

  /** Says what is at hand, without a step. */
  async note(note: string): Promise<void> {
    this.#note = note;
    if (!this.#isShown || this.#now() - this.#drawnAt < REDRAW_MS) return;
    this.#drawnAt = this.#now();
    this.#isDrawn = true;
    await write(this.#io.stderr, `${ERASE_LINE}${this.#line()}`);
  }

  /** Takes the line away, before something else is printed and at the end. */
  async clear(): Promise<void> {
    if (!this.#isDrawn) return;
    this.#isDrawn = false;
    this.#drawnAt = Number.NEGATIVE_INFINITY;
    await write(this.#io.stderr, ERASE_LINE);
  }

  #line(): string {
    const columns = this.#io.stdout.columns ?? 80;
    const count = this.#total === undefined ? `${this.#done}` : `${this.#done}/${this.#total}`;
    const line = `${this.#what} ${this.#bar()}${count} ${this.#note}`.trimEnd();
    return line.length < columns ? line : `${line.slice(0, Math.max(0, columns - 2))}…`;
  }

  #bar(): string {
    if (this.#total === undefined || this.#total === 0) return '';
    const full = Math.round((Math.min(this.#done, this.#total) / this.#total) * BAR_WIDTH);
    return `[${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)}] `;
  }
}
