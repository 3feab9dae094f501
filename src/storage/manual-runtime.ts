import type { Runtime, Timer } from '../runtime/runtime.ts';

/** A Runtime for tests: its clock moves only when told, and chance repeats itself. */
export class ManualRuntime implements Runtime {
  #now = 1_700_000_000_000;
  #drawn = 0;
  readonly #timers = new Set<{ readonly due: number; readonly callback: () => void }>();

  /** How many timers are waiting. */
  get timers(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  after(milliseconds: number, callback: () => void): Timer {
    const timer = { due: this.#now + milliseconds, callback };
    this.#timers.add(timer);
    return { cancel: () => this.#timers.delete(timer) };
  }

  /** Lets time pass, calling back what comes due on the way, in its order. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (;;) {
      const next = [...this.#timers].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)[0];
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.due);
      next.callback();
    }
    this.#now = end;
  }

  soon(callback: () => void): void {
    setImmediate(callback);
  }

  uuid(): string {
    return `00000000-0000-4000-8000-${String(++this.#drawn).padStart(12, '0')}`;
  }

  random(): number {
    return (++this.#drawn % 16) / 16;
  }

  bytes(count: number): Buffer {
    return Buffer.alloc(count, ++this.#drawn);
  }
}
