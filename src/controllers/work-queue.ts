import type { WorkQueueMeter } from '../observe/metrics/work-queue-metrics.ts';
import type { Runtime } from '../runtime/runtime.ts';

const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 30_000;

/** Thrown by a handler that has done what it can for now: it is called again later, without a word in the log. */
export class NotYet extends Error {
  override readonly name = 'NotYet';
}

export interface WorkQueueOptions {
  readonly runtime: Runtime;
  readonly meter: WorkQueueMeter;
  handle(key: string): Promise<void>;
  onError(key: string, error: unknown): void;
}

/**
 * Keys waiting to be looked at, each once however often it was added, one at a time. A key whose handling failed comes
 * back, each time a little later.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  /** By key, since when. */
  readonly #waiting = new Map<string, number>();
  readonly #failures = new Map<string, number>();
  #working: Promise<void> | undefined;
  #closed = false;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  add(key: string): void {
    if (this.#closed) return;
    const { runtime, meter } = this.#options;
    if (!this.#waiting.has(key)) {
      this.#waiting.set(key, runtime.monotonic());
      meter.added(this.#waiting.size);
    }
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
    });
  }

  /** Waits for what is being handled; nothing new is begun. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#waiting.clear();
    await this.#working;
  }

  async #work(): Promise<void> {
    // Whoever adds the first key goes on first: handlers see the state after the change they are told of.
    await Promise.resolve();
    const { runtime, meter } = this.#options;
    for (const [key, since] of this.#waiting) {
      this.#waiting.delete(key);
      meter.began(this.#waiting.size, runtime.monotonic() - since);
      await this.#handleOne(key);
      meter.ended();
    }
  }

  async #handleOne(key: string): Promise<void> {
    try {
      await this.#options.handle(key);
      this.#failures.delete(key);
    } catch (error) {
      if (this.#closed) return;
      if (!(error instanceof NotYet)) this.#options.onError(key, error);
      const failures = this.#failures.get(key) ?? 0;
      this.#failures.set(key, failures + 1);
      this.#options.meter.retried();
      const delay = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures, 16), LONGEST_RETRY_MS);
      this.#options.runtime.after(delay, () => this.add(key));
    }
  }
}
