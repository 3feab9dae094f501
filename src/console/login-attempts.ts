import type { Runtime } from '../runtime/runtime.ts';

/** Refusals within so long are told of together. */
const QUIET_MS = 10_000;

/** How many attempts were refused since refusals were last told of. */
export type TellRefusals = (count: number) => void;

/** Tells of refused attempts to log in, however many there are, now and then: anyone can make some. */
export class LoginAttempts {
  readonly #runtime: Runtime;
  readonly #tell: TellRefusals;
  #untold = 0;
  #isQuiet = false;

  constructor(runtime: Runtime, tell: TellRefusals) {
    this.#runtime = runtime;
    this.#tell = tell;
  }

  refused(): void {
    this.#untold++;
    if (!this.#isQuiet) this.#tellNow();
  }

  #tellNow(): void {
    this.#tell(this.#untold);
    this.#untold = 0;
    this.#isQuiet = true;
    this.#runtime.after(QUIET_MS, () => {
      this.#isQuiet = false;
      if (this.#untold > 0) this.#tellNow();
    });
  }
}
