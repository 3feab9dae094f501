import { BoundedCache } from '../bounds/bounded-cache.ts';
import { atRevision } from '../objects/seal.ts';
import type { Steps } from '../runtime/pacing.ts';
import { lentBytes } from '../storage/log/archived-version.ts';
import type { Version } from '../storage/log/version.ts';
import { parseObject, parseObjectInSteps } from './encoding.ts';
import { Facets } from './facets.ts';
import type { ApiObject } from './resource-type.ts';

/** Something that is worth keeping beside an object for as long as the object is kept. */
export interface Extra {
  /** What it takes in memory, roughly. Whoever lets it grow keeps it anew. */
  readonly bytes: number;
}

/** What is kept of one version. */
export interface Entry {
  readonly object: ApiObject;
  readonly extra: Extra | undefined;
}

const CAPACITY = 64 << 20;
/** What the smallest object takes, and how much more room others take than their bytes, with the bytes. */
const LEAST_BYTES = 1024;
const PARSED_FACTOR = 5;

/**
 * The one cache of parsed objects, by version. They are values that many hold: nobody may change one. `isFrozen` makes
 * an attempt an exception, for tests.
 */
export class ParsedObjects {
  readonly #kept = new BoundedCache<Version, Entry>({
    name: 'parsed-objects',
    capacity: CAPACITY,
    sizeOf: ({ size }, { extra }) => LEAST_BYTES + PARSED_FACTOR * size + (extra?.bytes ?? 0),
  });
  readonly #isFrozen: boolean;

  constructor(isFrozen: boolean) {
    this.#isFrozen = isFrozen;
  }

  find(version: Version): Entry | undefined {
    return this.#kept.get(version);
  }

  /**
   * The object of a version that is being written here, for those who are told of it. Keeping all that is written would
   * cost more than to parse what is read again.
   */
  written({ facets, revision }: Version): Entry | undefined {
    if (!(facets instanceof Facets) || !facets.written) return undefined;
    return { object: this.#guarded(atRevision(facets.written, revision)), extra: undefined };
  }

  parse(version: Version): ApiObject {
    return this.#guarded(parseObject(lentBytes(version)));
  }

  /** As `parse`, in steps, for a large object. */
  *parseInSteps(version: Version): Steps<ApiObject> {
    return this.#guarded(yield* parseObjectInSteps(version.bytes));
  }

  /** As `parse`, and keeps it. */
  read(version: Version): Entry {
    return this.keep(version, this.parse(version), undefined);
  }

  /** Also for what is kept already, when more hangs on it than before. */
  keep(version: Version, object: ApiObject, extra: Extra | undefined): Entry {
    const entry = { object: this.#guarded(object), extra };
    this.#kept.set(version, entry);
    return entry;
  }

  drop(version: Version): void {
    this.#kept.delete(version);
  }

  #guarded(object: ApiObject): ApiObject {
    if (this.#isFrozen) freeze(object);
    return object;
  }
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const inside of Object.values(value)) freeze(inside);
}
