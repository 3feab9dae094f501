import { BoundedCache } from '../bounded-cache.ts';
import type { Version } from '../storage/version.ts';
import { parseObject } from './encoding.ts';
import type { ApiObject } from './resource-type.ts';
import { StoredObject } from './stored-object.ts';

const CAPACITY = 32 << 20;
/** What the smallest object takes. */
const LEAST_BYTES = 2048;
/** How much more room values take than their bytes. */
const OBJECT_FACTOR = 5;
const MERGE_FACTOR = 2;
const DOCUMENT_FACTOR = 4;

let guard: (object: ApiObject) => void = () => {};

/** Has every object that is kept looked at, so that tests can see to it that nobody changes one. */
export function guardStoredObjects(by: (object: ApiObject) => void): void {
  guard = by;
}

/** Objects that were changed lately: whoever changes one is likely to change it again, and need not read it anew. */
export class RecentObjects {
  readonly #kept = new BoundedCache<Version, StoredObject>({ name: 'recent-objects', capacity: CAPACITY, sizeOf });

  of(version: Version): StoredObject {
    const known = this.#kept.get(version);
    if (known) return known;
    const stored = new StoredObject(parseObject(version.bytes));
    this.keep(version, stored);
    return stored;
  }

  /** One version of an object gives way to another. */
  replace(before: Version, version: Version, stored: StoredObject): void {
    this.#kept.delete(before);
    this.keep(version, stored);
  }

  /** Also for what is kept already, when more hangs on it than before. */
  keep(version: Version, stored: StoredObject): void {
    guard(stored.object);
    this.#kept.set(version, stored);
  }
}

/** The bytes, the object, its text in pieces, and for everyone who applies something the document and what it became. */
function sizeOf({ bytes }: Version, { applications }: StoredObject): number {
  return (
    LEAST_BYTES +
    (OBJECT_FACTOR + MERGE_FACTOR * applications.count) * bytes.length +
    DOCUMENT_FACTOR * applications.bytes
  );
}
