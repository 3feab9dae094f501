import type { Labels } from '../../observe/metrics/distributions.ts';

/** Some numbers that only grow, and what they are counted of. */
export interface Counted {
  readonly labels: Labels;
  readonly counts: Float64Array;
}

/** By a text made of their labels. */
export type CountedByKey = Map<string, Counted>;

interface Seen {
  readonly counts: Float64Array;
  /** The look at which it had last grown. */
  readonly grewAt: number;
}

/** So many are told apart by one of these: those that grew last. */
const MOST_KEPT = 384;
const ENTRY_BYTES = 160;

/**
 * By how much numbers have grown since the last look. What is looked at the first time has grown from nothing, unless
 * there have been more than can be kept: then it is measured from the next look on.
 */
export class Increments {
  /** Those that grew longest ago come first. */
  readonly #seen = new Map<string, Seen>();
  #look = 0;
  #hasOverflowed = false;

  get size(): number {
    return this.#seen.size;
  }

  get bytes(): number {
    let bytes = 0;
    for (const [key, { counts }] of this.#seen) bytes += ENTRY_BYTES + 2 * key.length + counts.byteLength;
    return bytes;
  }

  /** What has grown, by how much. */
  of(counted: CountedByKey): Counted[] {
    this.#look++;
    const grown: Counted[] = [];
    for (const [key, { labels, counts }] of counted) {
      const before = this.#seen.get(key);
      if (before && isSame(before.counts, counts)) continue;
      if (!before && !this.#hasRoom()) continue;
      const isMeasured = before !== undefined || !this.#hasOverflowed;
      this.#seen.delete(key);
      this.#seen.set(key, { counts, grewAt: this.#look });
      if (isMeasured) grown.push({ labels, counts: counts.map((count, at) => count - (before?.counts[at] ?? 0)) });
    }
    return grown;
  }

  /** Room for one more. Whatever grew at this look or the one before stays: nobody would learn anything otherwise. */
  #hasRoom(): boolean {
    if (this.#seen.size < MOST_KEPT) return true;
    this.#hasOverflowed = true;
    const [oldest] = this.#seen;
    if (!oldest || oldest[1].grewAt >= this.#look - 1) return false;
    return this.#seen.delete(oldest[0]);
  }
}

function isSame(one: Float64Array, other: Float64Array): boolean {
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}
