import type { Version } from '../storage/version.ts';
import { parseObject } from './encoding.ts';
import type { ApiObject } from './resource-type.ts';
import { StoredObject } from './stored-object.ts';

/** So much of what is stored is kept as objects too, in bytes. */
const MOST_BYTES = 4 * 1024 * 1024;

let guard: (object: ApiObject) => void = () => {};

/** Has every object that is kept looked at, so that tests can see to it that nobody changes one. */
export function guardStoredObjects(by: (object: ApiObject) => void): void {
  guard = by;
}

/** Objects that were changed lately: whoever changes one is likely to change it again, and need not read it anew. */
export class RecentObjects {
  /** In the order in which they came. */
  readonly #kept = new Map<Version, StoredObject>();
  #bytes = 0;

  of(version: Version): StoredObject {
    const known = this.#kept.get(version);
    if (known) return known;
    const stored = new StoredObject(parseObject(version.bytes));
    this.#keep(version, stored);
    return stored;
  }

  /** One version of an object gives way to another. */
  replace(before: Version, version: Version, stored: StoredObject): void {
    this.#drop(before);
    this.#keep(version, stored);
  }

  #keep(version: Version, stored: StoredObject): void {
    guard(stored.object);
    this.#kept.set(version, stored);
    this.#bytes += version.bytes.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= MOST_BYTES) break;
      this.#drop(oldest);
    }
  }

  #drop(version: Version): void {
    if (this.#kept.delete(version)) this.#bytes -= version.bytes.length;
  }
}
