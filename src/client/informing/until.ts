import type { Runtime, Timer } from '../../runtime/runtime.ts';

export interface UntilOptions {
  /** Milliseconds from now. */
  readonly deadline?: number;
  readonly signal?: AbortSignal;
}

/** What somebody waited for did not become true in time. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
}

interface Waiting {
  check(): void;
  giveUp(error: unknown): void;
}

/** Conditions that somebody waits for. */
export class Conditions {
  readonly #runtime: Runtime;
  readonly #waiting = new Set<Waiting>();
  #isClosed = false;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** What the condition gives once that is neither false nor undefined. It is asked now, and with every `check`. */
  until<R>(condition: () => R | undefined, { deadline, signal }: UntilOptions): Promise<NonNullable<R>> {
    return new Promise((resolve, reject) => {
      let timer: Timer | undefined;
      const end = (act: () => void): void => {
        this.#waiting.delete(waiting);
        timer?.cancel();
        signal?.removeEventListener('abort', onAbort);
        act();
      };
      const waiting: Waiting = {
        check: () => {
          try {
            const found = condition();
            if (isFound(found)) end(() => resolve(found));
          } catch (error) {
            waiting.giveUp(error);
          }
        },
        giveUp: (error) => end(() => reject(error)),
      };
      const onAbort = (): void => waiting.giveUp(signal?.reason);
      this.#waiting.add(waiting);
      waiting.check();
      if (!this.#waiting.has(waiting)) return;
      if (this.#isClosed) waiting.giveUp(closed());
      else if (signal?.aborted) onAbort();
      else {
        signal?.addEventListener('abort', onAbort, { once: true });
        if (deadline === undefined) return;
        const late = new DeadlineExceeded(`it did not become true within ${deadline} ms`);
        timer = this.#runtime.after(deadline, () => waiting.giveUp(late));
      }
    });
  }

  check(): void {
    for (const waiting of [...this.#waiting]) waiting.check();
  }

  close(): void {
    this.#isClosed = true;
    for (const waiting of [...this.#waiting]) waiting.giveUp(closed());
  }
}

const closed = (): Error => new Error('the informer is closed');

const isFound = <R>(value: R): value is NonNullable<R> => value !== undefined && value !== null && value !== false;
