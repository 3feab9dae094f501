import { BoundedCache, textBytes } from '../bounds/bounded-cache.ts';

const CAPACITY = 1 << 20;

/**
 * Which sets of resources that quotas name have been looked through for kinds to follow. Quotas change with every write that
 * is charged, what they name does not. What names mean changes with the catalogue, so what is known goes with it. To forget
 * one costs no more than looking through it again.
 */
export class QuotaNames {
  readonly #known = new BoundedCache<string, true>({
    name: 'quota-names',
    capacity: CAPACITY,
    sizeOf: textBytes,
    keepIdleMs: 10 * 60_000,
  });
  #revision: number | undefined;

  /** Whether they are yet to be looked through, at this revision of the catalogue; they are known from then on. */
  areNew(revision: number, names: readonly string[]): boolean {
    if (revision !== this.#revision) this.#known.clear();
    this.#revision = revision;
    const key = names.join();
    if (this.#known.get(key)) return false;
    this.#known.set(key, true);
    return true;
  }

  /** How many sets are known, and how much memory they take, roughly. */
  get size(): { readonly sets: number; readonly bytes: number } {
    return { sets: this.#known.entries, bytes: this.#known.bytes };
  }
}
