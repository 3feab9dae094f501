/**
 * A map for what is there only for a while, such as requests under way: something is put in and taken out all the time.
 *
 * A `Map` of the engine moves to a new table now and then, and the old table leads to the new one and still holds what was
 * in it. The old table is garbage, but once it has lived for some milliseconds only a full collection finds that out. Until
 * then the quick collections take it for alive, and with it whatever was in the map when it moved, and all tables after it:
 * much of what passes through grows old instead of being dropped young. A busy server over etcd collected everything twice as
 * often for it. Here the engine's map holds nothing but numbers; what is in the map lies in a list, from which it goes when
 * it is taken out.
 */
export class PassingMap<Key extends string | number, Value extends object> {
  readonly #places = new Map<Key, number>();
  readonly #values: (Value | undefined)[] = [];
  /** Places in the list that hold nothing. */
  readonly #free: number[] = [];

  get size(): number {
    return this.#places.size;
  }

  get(key: Key): Value | undefined {
    const place = this.#places.get(key);
    return place === undefined ? undefined : this.#values[place];
  }

  has(key: Key): boolean {
    return this.#places.has(key);
  }

  set(key: Key, value: Value): void {
    let place = this.#places.get(key);
    if (place === undefined) {
      place = this.#free.pop() ?? this.#values.length;
      this.#places.set(key, place);
    }
    this.#values[place] = value;
  }

  /** Whether it was there. */
  delete(key: Key): boolean {
    const place = this.#places.get(key);
    if (place === undefined) return false;
    this.#places.delete(key);
    this.#values[place] = undefined;
    this.#free.push(place);
    return true;
  }

  clear(): void {
    this.#places.clear();
    this.#values.length = 0;
    this.#free.length = 0;
  }

  /** In the order in which the keys came. What is taken out or put in meanwhile counts. */
  keys(): Iterable<Key> {
    return this.#places.keys();
  }

  /** As `keys`. */
  *values(): Iterable<Value> {
    for (const place of this.#places.values()) {
      const value = this.#values[place];
      if (value !== undefined) yield value;
    }
  }
}
