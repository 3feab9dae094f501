import type { Runtime } from '../../runtime/runtime.ts';

const MOST_LINES = 20;
const PERIOD_MS = 10_000;

/** How many lines of one sort are logged in a while: of very many a few say as much, and cost less of what is short then. */
export class LineBudget {
  readonly #runtime: Runtime;
  #periodBegan = Number.NEGATIVE_INFINITY;
  #lines = 0;
  #untold = 0;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** What to add to a line that may be written now: how many were not, where there were any. Undefined: it may not. */
  take(): { readonly untold?: number } | undefined {
    const now = this.#runtime.monotonic();
    if (now - this.#periodBegan >= PERIOD_MS) {
      this.#periodBegan = now;
      this.#lines = 0;
    }
    if (++this.#lines > MOST_LINES) {
      this.#untold++;
      return undefined;
    }
    const untold = this.#untold > 0 ? { untold: this.#untold } : {};
    this.#untold = 0;
    return untold;
  }
}
