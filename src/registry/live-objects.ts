import { AppliedMemo } from '../apply/remembered-document.ts';
import { BoundedCache } from '../bounded-cache.ts';
import type { Version } from '../storage/version.ts';
import { parseObject } from './encoding.ts';
import type { ApiObject } from './resource-type.ts';

/** A stored object, for those who change it. */
export interface LiveObject {
  readonly version: Version;
  readonly object: ApiObject;
  /** What is known of documents that were applied to it; handed on from version to version. */
  readonly applied: AppliedMemo;
}

const CAPACITY = 32 << 20;
/** What the smallest object takes. */
const LEAST_BYTES = 2048;
/** How much more room values take than their bytes, with the texts of their parts. */
const OBJECT_FACTOR = 5;
const MERGE_FACTOR = 2;
const DOCUMENT_FACTOR = 4;

let guard: (object: ApiObject) => void = () => {};

/** Has every object that is kept looked at, so that tests can see to it that nobody changes one. */
export function guardStoredObjects(by: (object: ApiObject) => void): void {
  guard = by;
}

/** Objects that were changed lately: whoever changes one is likely to change it again, and need not read it anew. */
export class LiveObjects {
  readonly #kept = new BoundedCache<Version, LiveObject>({ name: 'live-objects', capacity: CAPACITY, sizeOf });

  of(version: Version): LiveObject {
    const known = this.#kept.get(version);
    if (known) return known;
    const live = { version, object: parseObject(version.bytes), applied: new AppliedMemo() };
    this.keep(live);
    return live;
  }

  /** One version of an object gives way to another. */
  replace(before: LiveObject, live: LiveObject): void {
    this.#kept.delete(before.version);
    this.keep(live);
  }

  /** Also for what is kept already, when more hangs on it than before. */
  keep(live: LiveObject): void {
    guard(live.object);
    this.#kept.set(live.version, live);
  }
}

/** The bytes, the object, its text in pieces, and for everyone who applies something the document and what it became. */
function sizeOf({ bytes }: Version, { applied }: LiveObject): number {
  const { bytes: documents, count } = applied.size;
  return LEAST_BYTES + (OBJECT_FACTOR + MERGE_FACTOR * count) * bytes.length + DOCUMENT_FACTOR * documents;
}
