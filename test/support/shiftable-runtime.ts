import { type Runtime, systemRuntime, type Timer } from '../../src/runtime/runtime.ts';

interface Pending {
  readonly due: number;
  fire(): void;
}

/** The real time, which a test can put forward: what comes due on the way is called at once, in its order. */
export class ShiftableRuntime implements Runtime {
  #ahead = 0;
  readonly #pending = new Set<Pending>();

  now(): number {
    return systemRuntime.now() + this.#ahead;
  }

  monotonic(): number {
    return systemRuntime.monotonic() + this.#ahead;
  }

  after(milliseconds: number, callback: () => void): Timer {
    const cancel = (): void => {
      real.cancel();
      this.#pending.delete(pending);
    };
    const fire = (): void => {
      cancel();
      callback();
    };
    const pending = { due: this.monotonic() + milliseconds, fire };
    const real = systemRuntime.after(milliseconds, fire);
    this.#pending.add(pending);
    return { cancel };
  }

  advance(milliseconds: number): void {
    const end = this.monotonic() + milliseconds;
    for (;;) {
      const [next] = [...this.#pending].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due);
      if (!next) break;
      this.#ahead += Math.max(0, next.due - this.monotonic());
      next.fire();
    }
    this.#ahead += Math.max(0, end - this.monotonic());
  }

  soon = systemRuntime.soon;
  uuid = systemRuntime.uuid;
  random = systemRuntime.random;
  bytes = systemRuntime.bytes;
}
