import { NoAnswerInTime } from '../../outbound/failures.ts';
import type { Runtime, Timer } from '../../runtime/runtime.ts';

/** Ends a request when its time is over, or when whoever made it says so. */
export class Cancellation {
  readonly #controller = new AbortController();
  readonly #runtime: Runtime;
  readonly #timer: Timer;
  readonly #endsAt: number;
  readonly #given: AbortSignal | undefined;

  constructor(runtime: Runtime, timeoutMs: number, given: AbortSignal | undefined) {
    this.#runtime = runtime;
    this.#given = given;
    this.#endsAt = runtime.monotonic() + timeoutMs;
    this.#timer = runtime.after(timeoutMs, () => this.#controller.abort(new NoAnswerInTime('no answer in time')));
    if (given?.aborted) this.#onGiven();
    given?.addEventListener('abort', this.#onGiven, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get leftMs(): number {
    return this.#endsAt - this.#runtime.monotonic();
  }

  /** Resolves after a time; rejects when the request is cancelled meanwhile. */
  async pause(milliseconds: number): Promise<void> {
    let timer: Timer | undefined;
    const over = new Promise<void>((resolve) => {
      timer = this.#runtime.after(milliseconds, resolve);
    });
    await this.limit(over).finally(() => timer?.cancel());
  }

  /** As the promise, which is not waited for any more when the request is cancelled. */
  async limit<T>(promise: Promise<T>): Promise<T> {
    let onAbort = (): void => {};
    const cancelled = new Promise<never>((_resolve, reject) => {
      onAbort = () => reject(this.signal.reason);
      if (this.signal.aborted) onAbort();
      else this.signal.addEventListener('abort', onAbort, { once: true });
    });
    try {
      return await Promise.race([promise, cancelled]);
    } finally {
      this.signal.removeEventListener('abort', onAbort);
    }
  }

  /** What follows may take as long as it likes. */
  liftDeadline(): void {
    this.#timer.cancel();
  }

  /** Nothing is left to cancel. */
  release(): void {
    this.#timer.cancel();
    this.#given?.removeEventListener('abort', this.#onGiven);
  }

  readonly #onGiven = (): void => this.#controller.abort(this.#given?.reason);
}
