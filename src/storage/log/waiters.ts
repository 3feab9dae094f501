import type { Runtime, Timer } from '../../runtime/runtime.ts';

interface Waiter {
  readonly revision: number;
  /** Until when, by the monotonic clock. */
  readonly due: number;
  resolve(reached: boolean): void;
}

const NEVER = Number.POSITIVE_INFINITY;

/** Those who wait for the log to reach a revision. One timer serves all: nearly all of them are released in time. */
export class Waiters {
  readonly #runtime: Runtime;
  #waiting: Waiter[] = [];
  #timer: Timer | undefined;
  /** When the timer fires. */
  #next = NEVER;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** True when the revision is reached, false when `timeoutMs` pass before or the log closes. */
  wait(revision: number, timeoutMs?: number): Promise<boolean> {
    const due = timeoutMs === undefined ? NEVER : this.#runtime.monotonic() + timeoutMs;
    return new Promise((resolve) => {
      this.#waiting.push({ revision, due, resolve });
      this.#schedule(due);
    });
  }

  reached(revision: number): void {
    if (this.#waiting.length > 0) this.#release((waiter) => waiter.revision <= revision, true);
  }

  close(): void {
    this.#timer?.cancel();
    this.#release(() => true, false);
  }

  #schedule(due: number): void {
    if (due >= this.#next) return;
    this.#timer?.cancel();
    this.#next = due;
    this.#timer = this.#runtime.after(due - this.#runtime.monotonic(), () => this.#giveUpLate());
  }

  #giveUpLate(): void {
    this.#next = NEVER;
    const now = this.#runtime.monotonic();
    this.#release(({ due }) => due <= now, false);
    this.#schedule(this.#waiting.reduce((first, { due }) => Math.min(first, due), NEVER));
  }

  #release(which: (waiter: Waiter) => boolean, reached: boolean): void {
    const released: Waiter[] = [];
    const left: Waiter[] = [];
    for (const waiter of this.#waiting) (which(waiter) ? released : left).push(waiter);
    this.#waiting = left;
    for (const { resolve } of released) resolve(reached);
  }
}
