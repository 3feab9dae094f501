import type { Runtime } from '../../runtime/runtime.ts';

/** Lets through `burst` at once, and `perSecond` on the long run. */
export class TokenBucket {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #runtime: Runtime;
  #tokens: number;
  #filledAt: number;

  constructor(perSecond: number, burst: number, runtime: Runtime) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#runtime = runtime;
    this.#tokens = burst;
    this.#filledAt = runtime.monotonic();
  }

  /** Takes a token, if there is one. */
  take(): boolean {
    const now = this.#runtime.monotonic();
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#filledAt) / 1000) * this.#perSecond);
    this.#filledAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}
