import { atRevision } from '../objects/seal.ts';
import type { Stampable } from '../storage/backend.ts';
import { type Encoder, parseObject } from './encoding.ts';

/** Stored bytes with another revision in them. */
export function restamped(bytes: Buffer, revision: number): Buffer {
  return Buffer.from(JSON.stringify(atRevision(parseObject(bytes), revision)));
}

/**
 * As `restamped`, of a version whose bytes have its revision in them. Where nothing else in the object looks like the field
 * that holds it, which is usual, nothing is parsed.
 */
export function restampedVersion(
  { bytes, revision: before }: { readonly bytes: Buffer; readonly revision: number },
  revision: number,
  room: (length: number) => Buffer,
): Buffer {
  const field = `"resourceVersion":"${before}"`;
  const at = bytes.indexOf(field, 0, 'latin1');
  if (at < 0 || bytes.includes(field, at + 1, 'latin1')) return restamped(bytes, revision);
  const now = `"resourceVersion":"${revision}"`;
  const stamped = room(bytes.length - field.length + now.length);
  bytes.copy(stamped, 0, 0, at);
  stamped.write(now, at, 'latin1');
  bytes.copy(stamped, at + now.length, at + field.length);
  return stamped;
}

/** Stored bytes as they can be stored once more, under whatever revision they get. */
export const recut = (encoder: Encoder, bytes: Buffer): Stampable => encoder.encode(parseObject(bytes), false);
