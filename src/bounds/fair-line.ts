export interface FairLineOptions {
  /** So much may wait in all, */
  readonly most: number;
  /** and so much of one sender. */
  readonly mostOfOne: number;
}

/** What waits for its turn. Senders take turns, however much each of them has sent; what is of one stays in its order. */
export class FairLine<T> {
  readonly #options: FairLineOptions;
  /** In the order in which they have their turns; none is empty. */
  readonly #lines = new Map<string, T[]>();
  #size = 0;

  constructor(options: FairLineOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#size;
  }

  /** False when there is no room for it. */
  add(sender: string, item: T): boolean {
    const { most, mostOfOne } = this.#options;
    const line = this.#lines.get(sender);
    if (this.#size >= most || (line?.length ?? 0) >= mostOfOne) return false;
    if (line) line.push(item);
    else this.#lines.set(sender, [item]);
    this.#size++;
    return true;
  }

  /** Takes what is next. */
  take(): T | undefined {
    for (const [sender, line] of this.#lines) {
      const item = line.shift();
      this.#lines.delete(sender);
      if (line.length > 0) this.#lines.set(sender, line);
      this.#size--;
      return item;
    }
    return undefined;
  }
}
