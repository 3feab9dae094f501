import type { Steps } from './pacing.ts';

/** So many entries are looked at between two rests. */
export const MANY_ENTRIES = 500;

/**
 * Work on a large object that is left for later, to be done in steps before anyone looks at its result. Whatever walks
 * through objects can so be a plain function, which is all that ordinary objects need: only once it has looked at very many
 * entries it leaves the next list or map for later, from where it is walked through with rests. What is left may leave
 * more.
 */
export class Later {
  readonly #left: Steps<void>[] = [];
  #entries = 0;

  /** Whether so many entries more may be looked at now, which they are; otherwise they should be left for later. */
  fits(entries: number): boolean {
    if (this.#entries + entries > MANY_ENTRIES) return false;
    this.#entries += entries;
    return true;
  }

  leave(work: Steps<void>): void {
    this.#left.push(work);
  }

  /** Whether anything has been left so far. */
  get isFull(): boolean {
    return this.#left.length > 0;
  }

  /** Counts one entry more of what was left, and tells whether there should be a rest before it. */
  isRestDue(): boolean {
    if (++this.#entries <= MANY_ENTRIES) return false;
    this.#entries = 0;
    return true;
  }

  /** Does all that was left. */
  *all(): Steps<void> {
    for (const work of this.#left) yield* work;
  }
}
