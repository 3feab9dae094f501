import { type Runtime, systemRuntime, type Timer } from '../../src/runtime/runtime.ts';

/** For the collector time goes by faster, and it is known whether it waits for it. */
export class FastRuntime implements Runtime {
  readonly now = systemRuntime.now;
  readonly monotonic = systemRuntime.monotonic;
  readonly soon = systemRuntime.soon;
  readonly uuid = systemRuntime.uuid;
  readonly random = systemRuntime.random;
  readonly bytes = systemRuntime.bytes;
  waiting = 0;

  after(milliseconds: number, callback: () => void): Timer {
    let isOver = false;
    const end = (): void => {
      if (!isOver) this.waiting--;
      isOver = true;
    };
    this.waiting++;
    const timer = systemRuntime.after(Math.min(milliseconds / 50, 20), () => {
      end();
      callback();
    });
    return {
      cancel() {
        end();
        timer.cancel();
      },
    };
  }
}
