import { AppliedMemo } from '../apply/remembered-document.ts';
import type { Version } from '../storage/log/version.ts';
import type { Objects } from './objects.ts';
import type { Extra } from './parsed-objects.ts';
import type { ApiObject } from './resource-type.ts';

/** What the texts of an object's parts take beside their letters. */
const LEAST_BYTES = 1024;
/** How much more room values take than their bytes. */
const MERGE_FACTOR = 2;
const DOCUMENT_FACTOR = 4;

/** A stored object, for those who change it. Whoever changes one is likely to change it again. */
export class LiveObject implements Extra {
  readonly version: Version;
  readonly object: ApiObject;
  /** What is known of documents that were applied to it; handed on from version to version. */
  readonly applied: AppliedMemo;

  constructor(version: Version, object: ApiObject, applied = new AppliedMemo()) {
    this.version = version;
    this.object = object;
    this.applied = applied;
  }

  /** For everyone who applies something, the document and what it became. */
  get bytes(): number {
    const { bytes, count } = this.applied.size;
    return LEAST_BYTES + MERGE_FACTOR * count * this.version.bytes.length + DOCUMENT_FACTOR * bytes;
  }
}

/** Objects for those who change them. What they find out is kept beside the object. */
export class LiveObjects {
  readonly #objects: Objects;

  constructor(objects: Objects) {
    this.#objects = objects;
  }

  of(version: Version): LiveObject {
    const { object, extra } = this.#objects.entry(version);
    if (extra instanceof LiveObject) return extra;
    const live = new LiveObject(version, object);
    this.keep(live);
    return live;
  }

  /** As `of`; a large object is parsed with rests. */
  ofLater(version: Version): LiveObject | Promise<LiveObject> {
    return this.#objects.prepareEntry(version)?.then(() => this.of(version)) ?? this.of(version);
  }

  /** The object has become this, in another version. */
  replace(before: LiveObject, version: Version, object: ApiObject): void {
    const live = new LiveObject(version, object, before.applied);
    this.#objects.replace(before.version, version, object, live);
  }

  /** Also for what is kept already, when more hangs on it than before. */
  keep(live: LiveObject): void {
    this.#objects.keep(live.version, live.object, live);
  }
}
