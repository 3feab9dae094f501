import type { Runtime, Timer } from '../../runtime/runtime.ts';

interface Waiter {
  readonly revision: number;
  readonly timer: Timer | undefined;
  resolve(reached: boolean): void;
}

/** Those who wait for the log to reach a revision. */
export class Waiters {
  readonly #runtime: Runtime;
  #waiting: Waiter[] = [];

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** True when the revision is reached, false when `timeoutMs` pass before or the log closes. */
  wait(revision: number, timeoutMs?: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = timeoutMs === undefined ? undefined : this.#runtime.after(timeoutMs, () => this.#giveUp(waiter));
      const waiter: Waiter = { revision, timer, resolve };
      this.#waiting.push(waiter);
    });
  }

  reached(revision: number): void {
    if (this.#waiting.length > 0) this.#release((waiter) => waiter.revision <= revision, true);
  }

  close(): void {
    this.#release(() => true, false);
  }

  #giveUp(waiter: Waiter): void {
    this.#release((other) => other === waiter, false);
  }

  #release(which: (waiter: Waiter) => boolean, reached: boolean): void {
    const released = this.#waiting.filter(which);
    if (released.length === 0) return;
    this.#waiting = this.#waiting.filter((waiter) => !which(waiter));
    for (const waiter of released) {
      waiter.timer?.cancel();
      waiter.resolve(reached);
    }
  }
}
