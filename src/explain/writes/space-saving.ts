/** What is counted of one key. The count may be too high by `error`, and is never too low. */
export interface Counter<Detail> {
  readonly key: string;
  count: number;
  readonly error: number;
  readonly detail: Detail;
  /** Its place has been taken over by another key. */
  isGone: boolean;
}

/**
 * The keys that come most often, of however many: a fixed number of counters, of which one of the smallest is taken over by
 * a key that has none. Every key that came more often than one in `most` times is among them.
 */
export class SpaceSaving<Detail> {
  readonly #most: number;
  readonly #byKey = new Map<string, Counter<Detail>>();
  readonly #places: Counter<Detail>[] = [];
  /** No counter is smaller. */
  #least = 1;
  /** Where a counter was last taken over: each round begins where the one before ended, so that a place costs one look. */
  #cursor = 0;
  #total = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get total(): number {
    return this.#total;
  }

  get size(): number {
    return this.#places.length;
  }

  /** The counter of a key, if it has one. */
  find(key: string): Counter<Detail> | undefined {
    return this.#byKey.get(key);
  }

  /** A key has come once more. Its counter must not be gone. */
  again(counter: Counter<Detail>): Counter<Detail> {
    this.#total++;
    counter.count++;
    return counter;
  }

  /** A key has come that has no counter. */
  begin(key: string, detail: Detail): Counter<Detail> {
    this.#total++;
    const place = this.#places.length < this.#most ? this.#places.length : this.#smallest();
    const former = this.#places[place];
    const error = former?.count ?? 0;
    if (former) {
      former.isGone = true;
      this.#byKey.delete(former.key);
    }
    const counter = { key, count: error + 1, error, detail, isGone: false };
    this.#places[place] = counter;
    this.#byKey.set(key, counter);
    return counter;
  }

  /** The most frequent first. */
  top(): readonly Counter<Detail>[] {
    return this.#places.toSorted((a, b) => b.count - a.count);
  }

  /** The place of one of the smallest counters. */
  #smallest(): number {
    for (let looks = 0; ; looks++) {
      if (looks === this.#most)
        this.#least = this.#places.reduce((least, { count }) => Math.min(least, count), Number.POSITIVE_INFINITY);
      this.#cursor = (this.#cursor + 1) % this.#most;
      if ((this.#places[this.#cursor]?.count ?? 0) <= this.#least) return this.#cursor;
    }
  }
}
