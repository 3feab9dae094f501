import { crc32 } from 'node:zlib';
import type { StoredVersion } from '../../backend.ts';
import type { Slabs } from '../../slabs.ts';
import type { Look } from './look.ts';
import { FileDamaged } from './page-file.ts';

const DELETED = 1;
const CHECKED = 2;

/**
 * One byte of flags; if checked, four of checksum; six of time, two of key length; then the key, then the bytes. The
 * checksum is of all that follows it, and of the flags and the revision, which it begins with.
 */
const CHECKSUM = 4;
const HEADER = 9;

export function encodeRecord({ revision, key, bytes, deleted, time }: StoredVersion): Buffer {
  const keyLength = Buffer.byteLength(key);
  const start = HEADER + CHECKSUM + keyLength;
  // Not of the pool that Node hands out pieces of: what lives long there would keep it, and this does not live long.
  const record = Buffer.allocUnsafeSlow(start + bytes.length);
  record[0] = deleted ? DELETED | CHECKED : CHECKED;
  record.writeUIntBE(time, 1 + CHECKSUM, 6);
  record.writeUInt16BE(keyLength, 7 + CHECKSUM);
  record.write(key, HEADER + CHECKSUM);
  bytes.copy(record, start);
  record.writeUInt32BE(checksum(record, revision), 1);
  return record;
}

const checksum = (record: Buffer, revision: number): number =>
  crc32(record.subarray(1 + CHECKSUM), (revision * 4 + (record[0] ?? 0)) % 2 ** 32);

/** How the bytes of a record, which are only lent, become a version's own. */
export type Keep = (record: Buffer, start: number) => Buffer;

/** For whoever is done with them before anything else is read. */
export const lentOut: Keep = (record, start) => record.subarray(start);

/** Memory of its own for the bytes of a version. */
export const copied: Keep = (record, start) => {
  const bytes = Buffer.allocUnsafeSlow(record.length - start);
  record.copy(bytes, 0, start);
  return bytes;
};

/** What a record says before its key: where that begins and ends, after which the bytes begin. */
export interface RecordHead {
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly deleted: boolean;
  readonly time: number;
}

/**
 * Reads the head of a record and checks all of it. `mayBeUnchecked`: it may be of a time when records had no checksum.
 * Throws `FileDamaged`.
 */
export function checkRecord(revision: number, record: Buffer, mayBeUnchecked: boolean): RecordHead {
  const flags = record[0] ?? 0xff;
  const isChecked = (flags & CHECKED) !== 0;
  const shift = isChecked ? CHECKSUM : 0;
  if (record.length < HEADER + shift || flags > (DELETED | CHECKED)) throw damaged(revision);
  const keyStart = HEADER + shift;
  const keyEnd = keyStart + record.readUInt16BE(7 + shift);
  const isRight = isChecked
    ? record.readUInt32BE(1) === checksum(record, revision)
    : mayBeUnchecked && record[HEADER] === SLASH;
  if (!isRight || keyEnd > record.length) throw damaged(revision);
  return { keyStart, keyEnd, deleted: (flags & DELETED) !== 0, time: record.readUIntBE(1 + shift, 6) };
}

/** Reads a record, as `checkRecord` does. */
export function decodeRecord(revision: number, record: Buffer, mayBeUnchecked: boolean, keep: Keep): StoredVersion {
  const { keyStart, keyEnd, deleted, time } = checkRecord(revision, record, mayBeUnchecked);
  return { revision, key: record.toString('utf8', keyStart, keyEnd), bytes: keep(record, keyEnd), deleted, time };
}

/** Every key begins with one. */
const SLASH = 0x2f;

const damaged = (revision: number) => new FileDamaged(`the record of revision ${revision} is not what was written`);

/** A version without the bytes of its record, in which texts are looked for. */
export function leftRecord(revision: number, record: Buffer, mayBeUnchecked: boolean, look: Look): StoredVersion {
  const { keyStart, keyEnd, deleted, time } = checkRecord(revision, record, mayBeUnchecked);
  const key = record.toString('utf8', keyStart, keyEnd);
  const left = record.length - keyEnd;
  return { revision, key, bytes: NO_BYTES, deleted, time, left, found: look(record, keyEnd) };
}

export const NO_BYTES = Buffer.alloc(0);

/** Keeps the bytes of records in slabs. */
export const keptIn =
  (slabs: Slabs): Keep =>
  (record, start) => {
    const bytes = slabs.take(record.length - start);
    record.copy(bytes, 0, start);
    return bytes;
  };
