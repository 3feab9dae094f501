import { atRevision } from '../objects/seal.ts';
import type { Stampable } from '../storage/backend.ts';
import { type Encoder, parseObject } from './encoding.ts';

/** Stored bytes with another revision in them. */
export function restamped(bytes: Buffer, revision: number): Buffer {
  return Buffer.from(JSON.stringify(atRevision(parseObject(bytes), revision)));
}

/** Stored bytes as they can be stored once more, under whatever revision they get. */
export const recut = (encoder: Encoder, bytes: Buffer): Stampable => encoder.encode(parseObject(bytes), false);
