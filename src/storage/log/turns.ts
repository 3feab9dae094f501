import { type Deadline, within } from '../../runtime/deadline.ts';
import { PassingMap } from '../../runtime/passing-map.ts';
import type { Runtime } from '../../runtime/runtime.ts';

/** Whoever takes longer than this is not waited for any more. */
const LONGEST_TURN_MS = 1000;

/**
 * Who may read, change and write back a key, one after the other in the order in which they came. It keeps writers of
 * one key from doing everything over because another was faster, and none of them from ever getting through.
 *
 * A turn is a courtesy and no lock: a write still compares revisions. So a turn that takes long, because a webhook is
 * asked, say, is over for those who wait, and whoever writes to a key within its own turn is only late.
 */
export class Turns {
  readonly #runtime: Runtime;
  /** The end of the last turn that somebody wants of a key. */
  readonly #ends = new PassingMap<string, Promise<void>>();

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** Does the work when it is its turn, and gives what it gives. Rejects with 504 when the deadline is over before. */
  async take<T>(key: string, work: () => Promise<T>, deadline?: Deadline): Promise<T> {
    const before = this.#ends.get(key);
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#ends.set(key, ended);
    const over = (): void => {
      end();
      if (this.#ends.get(key) === ended) this.#ends.delete(key);
    };
    try {
      if (before) await within(deadline, before);
    } catch (error) {
      // Whoever comes next waits for those before this one all the same.
      before?.then(over);
      throw error;
    }
    const timer = this.#runtime.after(LONGEST_TURN_MS, end);
    try {
      return await work();
    } finally {
      timer.cancel();
      over();
    }
  }
}
