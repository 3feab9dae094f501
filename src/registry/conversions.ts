import { internalBecause } from '../api/errors.ts';
import type { Kind } from './kind.ts';
import type { ApiObject, ResourceType } from './resource-type.ts';

/** More than this is no conversion that ends. */
const MOST_CONVERSIONS = 64;

/** Thrown by code that cannot wait, where something has to be converted first. */
class ConversionNeeded extends Error {
  override readonly name = 'ConversionNeeded';
  readonly conversions: Conversions;
  readonly key: string;
  readonly converted: Promise<ApiObject>;

  constructor(conversions: Conversions, key: string, converted: Promise<ApiObject>) {
    super('an object has to be converted first');
    this.conversions = conversions;
    this.key = key;
    this.converted = converted;
  }
}

/**
 * Objects of one kind in other versions, for one write. Code that compares and merges objects cannot wait for a webhook:
 * it asks for what it needs (`in`), and is begun anew (`run`) each time that something of it had to be converted.
 */
export class Conversions {
  readonly #kind: Kind;
  readonly #known = new Map<string, ApiObject>();

  constructor(kind: Kind) {
    this.#kind = kind;
  }

  /** Of kinds that need none. */
  static of(kind: Kind | undefined): Conversions | undefined {
    return kind?.converts ? new Conversions(kind) : undefined;
  }

  /** An object of `from` as one of `to`. Must be called within `run`. */
  in(object: ApiObject, from: ResourceType, to: ResourceType): ApiObject {
    if (from === to) return object;
    const key = `${from.version} ${to.version} ${JSON.stringify(object)}`;
    const known = this.#known.get(key);
    if (known) return known;
    const converted = this.#kind.convert(object, from, to);
    if (converted instanceof Promise) throw new ConversionNeeded(this, key, converted);
    this.#known.set(key, converted);
    return converted;
  }

  /** Does the work, again from the start whenever it needed something that had to be converted. It must bear that. */
  async run<T>(work: () => T | Promise<T>): Promise<T> {
    for (let tries = 0; tries <= MOST_CONVERSIONS; tries++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof ConversionNeeded) || error.conversions !== this) throw error;
        this.#known.set(error.key, await error.converted);
      }
    }
    throw internalBecause(`more than ${MOST_CONVERSIONS} conversions were needed for one write`);
  }
}
