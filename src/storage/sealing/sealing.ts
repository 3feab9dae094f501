import { PLAIN, type Provider } from './provider.ts';
import type { SealRules } from './sealed-text.ts';

/** Which providers some collections have: the first writes, and all read. */
export interface SealedCollections {
  includes(collection: string): boolean;
  readonly providers: readonly [Provider, ...Provider[]];
}

/**
 * By which rules each collection is stored. Of several that include a collection the first counts. What none includes is
 * stored in the clear. May be given other rules, which hold from the next read and write on.
 */
export class Sealing {
  readonly #prefix: string;
  #collections: readonly SealedCollections[];
  #known = new Map<string, SealRules | undefined>();

  constructor(prefix: string, collections: readonly SealedCollections[]) {
    this.#prefix = prefix;
    this.#collections = collections;
  }

  replace(collections: readonly SealedCollections[]): void {
    this.#collections = collections;
    this.#known = new Map();
  }

  /** `key`: as the store has it, the collection first. */
  readonly rulesOf = (key: string): SealRules | undefined => {
    const collection = key.slice(1, key.indexOf('/', 1));
    if (!this.#known.has(collection)) this.#known.set(collection, this.#rulesFor(collection));
    return this.#known.get(collection);
  };

  #rulesFor(collection: string): SealRules | undefined {
    const found = this.#collections.find((one) => one.includes(collection));
    if (!found) return undefined;
    const { providers } = found;
    const isPlain = providers.every((provider) => provider === PLAIN);
    return isPlain ? undefined : { prefix: this.#prefix, writer: providers[0], readers: providers };
  }
}
