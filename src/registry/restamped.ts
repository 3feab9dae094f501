import { atRevision } from '../objects/seal.ts';
import type { Stampable } from '../storage/backend.ts';
import { type Encoder, parseObject } from './encoding.ts';
import { plainFieldAt } from './stored-metadata.ts';

/** Stored bytes with another revision in them. */
export function restamped(bytes: Buffer, revision: number): Buffer {
  return Buffer.from(JSON.stringify(atRevision(parseObject(bytes), revision)));
}

const REVISION = '"resourceVersion":"';
const QUOTE = 34;

/** As `restamped`, of bytes with a revision in them. Where that stands where it usually does, nothing is parsed. */
export function restampedVersion(
  { bytes }: { readonly bytes: Buffer },
  revision: number,
  room: (length: number) => Buffer,
): Buffer {
  const at = plainFieldAt(bytes, REVISION);
  if (at < 0) return restamped(bytes, revision);
  const start = at + REVISION.length;
  let end = start;
  while (end < bytes.length && bytes[end] !== QUOTE) end++;
  const digits = String(revision);
  const length = bytes.length - (end - start) + digits.length;
  const stamped = room(length);
  // One copy is cheaper than two, and most revisions are as long as the one before.
  if (length === bytes.length) stamped.set(bytes);
  else {
    bytes.copy(stamped, 0, 0, start);
    bytes.copy(stamped, start + digits.length, end);
  }
  for (let i = 0; i < digits.length; i++) stamped[start + i] = digits.charCodeAt(i);
  return stamped;
}

/** Stored bytes as they can be stored once more, under whatever revision they get. */
export const recut = (encoder: Encoder, bytes: Buffer): Stampable => encoder.encode(parseObject(bytes), false);
