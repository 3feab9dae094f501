import type { Runtime } from '../runtime.ts';

const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 30_000;

/** Thrown by a handler that has done what it can for now: it is called again later, without a word in the log. */
export class NotYet extends Error {
  override readonly name = 'NotYet';
}

export interface WorkQueueOptions {
  readonly runtime: Runtime;
  handle(key: string): Promise<void>;
  onError(key: string, error: unknown): void;
}

/**
 * Keys waiting to be looked at, each once however often it was added, one at a time. A key whose handling failed comes
 * back, each time a little later.
 */
export class WorkQueue {
  private readonly options: WorkQueueOptions;
  private readonly waiting = new Set<string>();
  private readonly failures = new Map<string, number>();
  private working: Promise<void> | undefined;
  private closed = false;

  constructor(options: WorkQueueOptions) {
    this.options = options;
  }

  add(key: string): void {
    if (this.closed) return;
    this.waiting.add(key);
    this.working ??= this.work().finally(() => {
      this.working = undefined;
    });
  }

  /** Waits for what is being handled; nothing new is begun. */
  async close(): Promise<void> {
    this.closed = true;
    this.waiting.clear();
    await this.working;
  }

  private async work(): Promise<void> {
    // Whoever adds the first key goes on first: handlers see the state after the change they are told of.
    await Promise.resolve();
    for (const key of this.waiting) {
      this.waiting.delete(key);
      await this.handleOne(key);
    }
  }

  private async handleOne(key: string): Promise<void> {
    try {
      await this.options.handle(key);
      this.failures.delete(key);
    } catch (error) {
      if (this.closed) return;
      if (!(error instanceof NotYet)) this.options.onError(key, error);
      const failures = this.failures.get(key) ?? 0;
      this.failures.set(key, failures + 1);
      const delay = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures, 16), LONGEST_RETRY_MS);
      this.options.runtime.after(delay, () => this.add(key));
    }
  }
}
