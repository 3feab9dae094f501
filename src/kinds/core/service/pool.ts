import type { Runtime } from '../../../runtime/runtime.ts';

/** Values in a row, counted from 0. */
export interface Row<V> {
  readonly size: number;
  at(place: number): V;
  /** Undefined for a value that is not in the row. */
  placeOf(value: V): number | undefined;
}

export interface PoolOptions<V> {
  readonly row: Row<V>;
  readonly runtime: Runtime;
  /** So many of the first values are left to those who ask for them by name, as long as there are others. */
  readonly setAside: number;
  /** So many of the first values are never given to those who do not ask for them. */
  readonly spared?: number;
}

/** Values of which each has one owner at most, who may hold it several times over. */
export class Pool<V> {
  readonly #options: PoolOptions<V>;
  /** For each place that is held, an entry for each hold. */
  readonly #owners = new Map<number, string[]>();

  constructor(options: PoolOptions<V>) {
    this.#options = options;
  }

  has(value: V): boolean {
    return this.#options.row.placeOf(value) !== undefined;
  }

  /** Whether anyone but `owner` holds the value. */
  isTaken(value: V, owner: string): boolean {
    const owners = this.#owners.get(this.#options.row.placeOf(value) ?? -1);
    return owners?.some((other) => other !== owner) ?? false;
  }

  /** Does nothing for a value that is not in the row, as one from a former range may be. */
  hold(value: V, owner: string): void {
    const place = this.#options.row.placeOf(value);
    if (place === undefined) return;
    const owners = this.#owners.get(place);
    if (owners) owners.push(owner);
    else this.#owners.set(place, [owner]);
  }

  /** Takes back one hold. */
  letGo(value: V, owner: string): void {
    const place = this.#options.row.placeOf(value) ?? -1;
    const owners = this.#owners.get(place);
    const at = owners?.indexOf(owner) ?? -1;
    if (!owners || at < 0) return;
    owners.splice(at, 1);
    if (owners.length === 0) this.#owners.delete(place);
  }

  /** A value that nobody holds, by chance; undefined when there is none. */
  choose(): V | undefined {
    const { row, setAside, spared = 0 } = this.#options;
    const usual = Math.max(setAside, spared);
    const place = this.#freePlace(usual, row.size) ?? this.#freePlace(spared, usual);
    return place === undefined ? undefined : row.at(place);
  }

  /** How many values are held, and how many are not. */
  get use(): { readonly held: number; readonly free: number } {
    const held = this.#owners.size;
    return { held, free: Math.max(0, this.#options.row.size - held) };
  }

  /** All values that are held, in their order. */
  held(): V[] {
    const places = [...this.#owners.keys()].sort((a, b) => a - b);
    return places.map((place) => this.#options.row.at(place));
  }

  #freePlace(from: number, to: number): number | undefined {
    const count = to - from;
    if (count <= 0 || this.#owners.size >= this.#options.row.size) return undefined;
    const start = Math.floor(this.#options.runtime.random() * count);
    for (let step = 0; step < count; step++) {
      const place = from + ((start + step) % count);
      if (!this.#owners.has(place)) return place;
    }
    return undefined;
  }
}
