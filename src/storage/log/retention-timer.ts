import type { Runtime, Timer } from '../../runtime/runtime.ts';

const LONGEST_MS = 3_600_000;

/** Looks at the oldest history when it can have expired. Nothing to forget, no timer. */
export class RetentionTimer {
  readonly #runtime: Runtime;
  readonly #retentionMs: number;
  readonly #onDue: (cutoff: number) => void;
  #timer: Timer | undefined;
  #closed = false;

  /** `onDue` is handed the time up to which versions have expired, and schedules the next look. */
  constructor(runtime: Runtime, retentionMs: number, onDue: (cutoff: number) => void) {
    this.#runtime = runtime;
    this.#retentionMs = retentionMs;
    this.#onDue = onDue;
  }

  /** `oldest`: when the oldest history was made, if there is any. */
  schedule(oldest: number | undefined): void {
    if (oldest === undefined || this.#timer !== undefined || this.#closed) return;
    const pace = Math.min(Math.max(this.#retentionMs / 10, 1_000), 30_000);
    const expires = oldest + this.#retentionMs - this.#runtime.now();
    // The clock may have jumped: never sleep longer than a version can be due, nor than timers can wait.
    const delay = Math.min(Math.max(expires, pace), this.#retentionMs + pace, LONGEST_MS);
    this.#timer = this.#runtime.after(delay, () => {
      this.#timer = undefined;
      this.#onDue(this.#runtime.now() - this.#retentionMs);
    });
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
  }
}
