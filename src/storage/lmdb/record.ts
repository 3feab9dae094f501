import type { StoredVersion } from '../backend.ts';

/** A version as one value of the table; its revision is the key there. */
export type VersionRecord = Omit<StoredVersion, 'revision' | 'facets'>;

const DELETED = 1;

/** One byte of flags, six of time, two of key length; then the key, then the bytes. */
const HEADER = 9;

export function encodeRecord({ key, bytes, deleted, time }: VersionRecord): Buffer {
  const keyLength = Buffer.byteLength(key);
  const record = Buffer.allocUnsafe(HEADER + keyLength + bytes.length);
  record[0] = deleted ? DELETED : 0;
  record.writeUIntBE(time, 1, 6);
  record.writeUInt16BE(keyLength, 7);
  record.write(key, HEADER);
  bytes.copy(record, HEADER + keyLength);
  return record;
}

/** Reads the first `size` bytes of a buffer that is only lent; `slabs` hold what stays. */
export function decodeRecord(record: Buffer, size: number, slabs: Slabs): VersionRecord {
  const value = HEADER + record.readUInt16BE(7);
  return {
    key: record.toString('utf8', HEADER, value),
    bytes: slabs.copy(record, value, size),
    deleted: record[0] === DELETED,
    time: record.readUIntBE(1, 6),
  };
}

const SLAB_SIZE = 64 * 1024;

/**
 * Room for many small buffers, so that each does not cost an allocation of its own. A slab is freed when the last
 * buffer in it is, hence it must not be large.
 */
export class Slabs {
  #slab = Buffer.alloc(0);
  #used = 0;

  copy(source: Buffer, start: number, end: number): Buffer {
    const length = end - start;
    const target = length > SLAB_SIZE / 8 ? Buffer.allocUnsafeSlow(length) : this.#take(length);
    source.copy(target, 0, start, end);
    return target;
  }

  #take(length: number): Buffer {
    if (this.#used + length > this.#slab.length) {
      this.#slab = Buffer.allocUnsafeSlow(SLAB_SIZE);
      this.#used = 0;
    }
    const piece = this.#slab.subarray(this.#used, this.#used + length);
    this.#used += length;
    return piece;
  }
}
