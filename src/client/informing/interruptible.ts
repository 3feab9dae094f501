import type { Runtime } from '../../runtime/runtime.ts';
import type { ByteStream } from './informed-plane.ts';

/** Nobody waits for this any more. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** What one sequence of steps waits for, one thing at a time, which another may interrupt. */
export class Interruptible {
  readonly #runtime: Runtime;
  #isInterrupted = false;
  /** Ends what is waited for. */
  #stop: (() => void) | undefined;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** Everything that is waited for until `begin` is called throws `Interrupted`; a pause just ends. */
  interrupt(): void {
    this.#isInterrupted = true;
    this.#stop?.();
  }

  begin(): void {
    this.#isInterrupted = false;
  }

  check(): void {
    if (this.#isInterrupted) throw new Interrupted();
  }

  /** What the work gives. Gives up on it after `milliseconds`; `discard` is handed what it gives later. */
  within<T>(milliseconds: number, work: Promise<T>, discard?: (late: T) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      let isOver = false;
      const once = (act: () => void): boolean => {
        if (isOver) return false;
        isOver = true;
        timer.cancel();
        this.#stop = undefined;
        act();
        return true;
      };
      const giveUp = (): void => {
        once(() => reject(new NoAnswer(`no answer came within ${Math.round(milliseconds / 1000)} s`)));
      };
      const timer = this.#runtime.after(milliseconds, giveUp);
      this.#stop = () => once(() => reject(new Interrupted()));
      work.then(
        (value) => {
          if (!once(() => resolve(value))) discard?.(value);
        },
        (error: unknown) => once(() => reject(error)),
      );
      if (this.#isInterrupted) this.#stop();
    });
  }

  pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        timer.cancel();
        this.#stop = undefined;
        resolve();
      };
      const timer = this.#runtime.after(milliseconds, end);
      this.#stop = end;
      if (this.#isInterrupted) end();
    });
  }

  /** Does something with a stream, which an interruption destroys. */
  async during(stream: ByteStream, work: () => Promise<void>): Promise<void> {
    this.#stop = () => void stream.destroy();
    try {
      this.check();
      await work();
      this.check();
    } catch (error) {
      // However the stream ended, it was because of the interruption.
      this.check();
      throw error;
    } finally {
      this.#stop = undefined;
      stream.destroy();
    }
  }
}
