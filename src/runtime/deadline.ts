import { type ApiError, timeout } from '../api/errors.ts';
import type { Runtime } from './runtime.ts';

/**
 * Until when a request is worked on. When it is over the client is answered, whatever is still being done; so nothing may
 * be begun on behalf of the request from then on. Whoever waits waits `within` it, and whoever is about to change
 * something for good says so with `beginChange`, which fails when it is over.
 */
export class Deadline {
  #at: number;
  readonly #runtime: Runtime;
  #isOver = false;
  #isChanging = false;
  /** Nearly always the only one: whoever answers the client. */
  #first: (() => void) | undefined;
  #others: Set<() => void> | undefined;

  constructor(at: number, runtime: Runtime) {
    this.#at = at;
    this.#runtime = runtime;
  }

  /** Monotonic milliseconds. */
  get at(): number {
    return this.#at;
  }

  /** Milliseconds, not above zero once it is over. */
  get left(): number {
    return this.#isOver ? 0 : this.#at - this.#runtime.monotonic();
  }

  /** Puts it off. False when it is over: then it stays so. */
  extend(at: number): boolean {
    if (this.left <= 0) return false;
    this.#at = Math.max(this.#at, at);
    return true;
  }

  /** The 504 for the client: says so when something may have been changed already. */
  get error(): ApiError {
    const message = 'request did not complete within the allotted timeout';
    return timeout(this.#isChanging ? `${message}: it is not known whether the change was made` : message);
  }

  /** Throws the 504 when it is over. */
  check(): void {
    if (this.left <= 0) throw this.error;
  }

  /** Called right before something is changed. Throws when it is over: then nothing was, and nothing must be. */
  beginChange(): void {
    this.check();
    this.#isChanging = true;
  }

  /** What the work gives, unless the deadline is over before: then the 504, and nobody waits for the work any more. */
  within<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => reject(this.error);
      this.onceOver(giveUp);
      const forget = (): void => {
        if (this.#first === giveUp) this.#first = undefined;
        else this.#others?.delete(giveUp);
      };
      work.then(
        (result) => {
          forget();
          resolve(result);
        },
        (error: unknown) => {
          forget();
          reject(error);
        },
      );
    });
  }

  /** Calls back when it is over, at once if it is. */
  onceOver(callback: () => void): void {
    if (this.#isOver) callback();
    else if (this.#first === undefined) this.#first = callback;
    else {
      this.#others ??= new Set();
      this.#others.add(callback);
    }
  }

  /** It is over now. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#first?.();
    for (const callback of this.#others ?? []) callback();
    this.#others = undefined;
  }
}

/** What the work gives, within the deadline if there is one. Undefined: there is nothing to wait for. */
export const within = <T>(deadline: Deadline | undefined, work: Promise<T> | undefined): Promise<T> | undefined =>
  deadline && work ? deadline.within(work) : work;
