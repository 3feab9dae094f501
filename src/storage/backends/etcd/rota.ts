type Path = readonly [caller: string, place: string];

/** One after the other, by name: each name comes as often as the others, however many of its own wait. */
class Lines<T> {
  readonly #lines = new Map<string, T>();

  get size(): number {
    return this.#lines.size;
  }

  of(name: string, make: () => T): T {
    const known = this.#lines.get(name);
    if (known !== undefined) return known;
    const made = make();
    this.#lines.set(name, made);
    return made;
  }

  get(name: string): T | undefined {
    return this.#lines.get(name);
  }

  delete(name: string): void {
    this.#lines.delete(name);
  }

  /** The line whose turn it is, which is the last one afterwards. */
  turn(): [name: string, line: T] | undefined {
    for (const [name, line] of this.#lines) {
      this.#lines.delete(name);
      this.#lines.set(name, line);
      return [name, line];
    }
    return undefined;
  }
}

/** Those who wait, by caller and, for each caller, by place: callers take turns, and so do the places of one caller. */
export class Rota<T> {
  readonly #callers = new Lines<Lines<Set<T>>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add([caller, place]: Path, waiting: T): void {
    const places = this.#callers.of(caller, () => new Lines());
    places.of(place, () => new Set()).add(waiting);
    this.#size++;
  }

  /** False when it does not wait any more. */
  delete([caller, place]: Path, waiting: T): boolean {
    const places = this.#callers.get(caller);
    const line = places?.get(place);
    if (places === undefined || !line?.delete(waiting)) return false;
    this.#size--;
    if (line.size === 0) places.delete(place);
    if (places.size === 0) this.#callers.delete(caller);
    return true;
  }

  /** Whoever is next does not wait any more. */
  next(): T | undefined {
    const [caller, places] = this.#callers.turn() ?? [];
    const [place, line] = places?.turn() ?? [];
    const [waiting] = line ?? [];
    if (waiting === undefined || caller === undefined || place === undefined) return undefined;
    this.delete([caller, place], waiting);
    return waiting;
  }
}
