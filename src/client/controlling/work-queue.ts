import type { Runtime, Timer } from '../../runtime/runtime.ts';

const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 30_000;
/** Timers cannot be set for later than this: it is looked again then. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Thrown by a handler that has done what it can for now: it is called again later, without a word in the log. */
export class NotYet extends Error {
  override readonly name = 'NotYet';
}

/** Counts what a queue does. */
export interface QueueMeter {
  /** `depth`: how many keys wait. */
  added(depth: number): void;
  /** A key is handled that waited so long. What this gives is handed to `ended`. */
  began(depth: number, waitedMs: number): unknown;
  ended(begun: unknown): void;
  retried(): void;
}

const UNCOUNTED: QueueMeter = { added() {}, began() {}, ended() {}, retried() {} };

/** What a queue does with its keys, and how many at once. */
export interface WorkQueueOptions {
  readonly runtime: Runtime;
  readonly meter?: QueueMeter;
  /** So many keys are handled at the same time, one unless given; a key never twice at once. */
  readonly workers?: number;
  handle(key: string): Promise<void>;
  onError(key: string, error: unknown): void;
}

/**
 * Keys waiting to be looked at, each once however often it was added. What is added while it is being handled is handled
 * again afterwards. A key whose handling failed comes back, each time a little later.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #meter: QueueMeter;
  /** By key, since when. */
  readonly #waiting = new Map<string, number>();
  /** Keys that were added while they are being handled. */
  readonly #again = new Set<string>();
  readonly #handled = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #later = new Map<string, { readonly at: number; readonly timer: Timer }>();
  readonly #workers = new Set<Promise<void>>();
  #working = 0;
  #closed = false;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
    this.#meter = options.meter ?? UNCOUNTED;
  }

  add(key: string): void {
    if (this.#closed) return;
    if (this.#handled.has(key)) {
      this.#again.add(key);
      return;
    }
    const { runtime, workers = 1 } = this.#options;
    if (!this.#waiting.has(key)) {
      this.#waiting.set(key, runtime.monotonic());
      this.#meter.added(this.#waiting.size);
    }
    if (this.#working < Math.min(workers, this.#waiting.size + this.#handled.size)) this.#begin();
  }

  /** Adds the key when so much time has passed, unless that is to happen earlier anyway. */
  addAfter(key: string, milliseconds: number): void {
    if (this.#closed) return;
    const { runtime } = this.#options;
    const at = runtime.monotonic() + milliseconds;
    const planned = this.#later.get(key);
    if (planned && planned.at <= at) return;
    planned?.timer.cancel();
    const timer = runtime.after(Math.min(milliseconds, LONGEST_TIMER_MS), () => {
      this.#later.delete(key);
      this.add(key);
    });
    this.#later.set(key, { at, timer });
  }

  /** Waits for what is being handled; nothing new is begun. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#waiting.clear();
    this.#again.clear();
    for (const { timer } of this.#later.values()) timer.cancel();
    this.#later.clear();
    await Promise.all(this.#workers);
  }

  #begin(): void {
    this.#working++;
    const worker = this.#work().finally(() => this.#workers.delete(worker));
    this.#workers.add(worker);
  }

  async #work(): Promise<void> {
    // Whoever adds the first key goes on first: handlers see the state after the change they are told of.
    await Promise.resolve();
    const { runtime } = this.#options;
    for (const [key, since] of this.#waiting) {
      this.#waiting.delete(key);
      this.#handled.add(key);
      const began = this.#meter.began(this.#waiting.size, runtime.monotonic() - since);
      await this.#handleOne(key);
      this.#meter.ended(began);
      this.#handled.delete(key);
      if (this.#again.delete(key)) this.add(key);
    }
    // In the same breath as the last look: what is added from now on begins anew.
    this.#working--;
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
      this.#meter.retried();
      this.addAfter(key, Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures, 16), LONGEST_RETRY_MS));
    }
  }
}
