import { BoundedCache } from '../bounds/bounded-cache.ts';
import { ownBytes } from '../bounds/own-memory.ts';
import { lentBytes } from '../storage/log/archived-version.ts';
import type { Version } from '../storage/log/version.ts';
import { parseObject } from './encoding.ts';
import type { ObjectType } from './resource-type.ts';
import { fromHub } from './versions.ts';

/** Bytes of the stored version of a kind; `version` is absent when they were never stored, as after a dry run. */
export interface StoredBytes {
  readonly bytes: Buffer;
  readonly version?: Version;
}

export const storedIn = (version: Version): StoredBytes => ({ bytes: version.bytes, version });

interface Rendering {
  /** The declaration that it was made by. One that has changed is another value. */
  readonly of: object;
  readonly encoding: string;
  readonly bytes: Buffer;
}

/** What a rendering takes beside its bytes. */
const RENDERING_BYTES = 300;

/** Stored versions in other encodings and in other versions of their kind, kept for a while. One for each server. */
export class Renderings {
  /** By the serial of their version, so that they do not keep it. There are few of each, so a list is searched. */
  readonly #kept = new BoundedCache<number, readonly Rendering[]>({
    name: 'renderings',
    capacity: 32 << 20,
    sizeOf: (_, all) => all.reduce((sum, { bytes }) => sum + bytes.length + RENDERING_BYTES, 0),
  });

  /** What `make` gives for stored bytes; made anew when they were never stored. */
  of({ bytes, version }: StoredBytes, declaration: object, encoding: string, make: (bytes: Buffer) => Buffer): Buffer {
    if (!version) return make(bytes);
    const known = this.#kept.get(version.serial) ?? [];
    for (const one of known) if (one.of === declaration && one.encoding === encoding) return one.bytes;
    const made = ownBytes(make(bytes));
    this.#kept.set(version.serial, [...known, { of: declaration, encoding, bytes: made }]);
    return made;
  }

  /** Stored bytes as this version of their kind shows them. */
  bytesIn(type: ObjectType, stored: StoredBytes): Buffer {
    return type.conversion ? this.of(stored, type, 'json', (bytes) => converted(type, bytes)) : stored.bytes;
  }

  /** As `bytesIn`, for versions. */
  versionIn(type: ObjectType, version: Version): Buffer {
    return type.conversion ? this.bytesIn(type, storedIn(version)) : version.bytes;
  }

  /** As `versionIn`, for whoever is done with the bytes before anything else is read. */
  lentIn(type: ObjectType, version: Version): Buffer {
    return type.conversion ? this.bytesIn(type, storedIn(version)) : lentBytes(version);
  }
}

const converted = (type: ObjectType, bytes: Buffer): Buffer =>
  Buffer.from(JSON.stringify(fromHub(type, parseObject(bytes))));
