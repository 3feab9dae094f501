import type { Runtime } from '../../runtime/runtime.ts';

const FIRST_MS = 100;
const LONGEST_MS = 30_000;
/** A connection that works for less than this is as good as one that fails. */
const SHORT_MS = 1_000;
/** A plane may ask for patience, not for silence. */
const MOST_ASKED_MS = 600_000;

/**
 * How long to wait before the next attempt: twice as long each time, and never the same for two clients.
 *
 * A connection that worked for a while counts as waiting, so that one which is cut every ten seconds is opened again at
 * once, and one which is cut at once is not opened ever faster.
 */
export class Backoff {
  readonly #runtime: Runtime;
  #failures = 0;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** `workedMs`: for how long the last attempt did what it was for. `askedMs`: what the plane asked for. */
  next(workedMs: number, askedMs = 0): number {
    const due = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(this.#failures, 16));
    if (workedMs >= LONGEST_MS) this.#failures = 0;
    else if (workedMs >= Math.max(due, SHORT_MS)) this.#failures = Math.max(0, this.#failures - 1);
    else this.#failures++;
    const chance = this.#runtime.random();
    const left = Math.max(0, due - workedMs) * (0.5 + chance / 2);
    return Math.max(left, Math.min(askedMs, MOST_ASKED_MS) * (1 + chance / 10));
  }
}
