import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Unsealable } from '../provider.ts';

/** Of what data keys are made. */
export const SEED_BYTES = 32;

const INFO_BYTES = 32;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const NO_SALT = Buffer.alloc(0);

/**
 * AES-256-GCM with a key and a nonce that are made for this one record, from the seed and from what is drawn for it: no
 * number of records wears a seed out. What was drawn stands before the sealed bytes, the tag behind them.
 */
export function sealWith(seed: Buffer, plain: Buffer, context: string): Buffer {
  const info = randomBytes(INFO_BYTES);
  const { key, nonce } = derived(seed, info);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([info, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

export function openWith(seed: Buffer, sealed: Buffer, context: string): Buffer {
  if (sealed.length < INFO_BYTES + TAG_BYTES) throw new Unsealable('it is too short');
  const { key, nonce } = derived(seed, sealed.subarray(0, INFO_BYTES));
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  try {
    decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(INFO_BYTES, sealed.length - TAG_BYTES)), decipher.final()]);
  } catch (cause) {
    throw new Unsealable('the key does not fit, or it was changed', { cause });
  }
}

function derived(seed: Buffer, info: Buffer): { readonly key: Buffer; readonly nonce: Buffer } {
  const bytes = Buffer.from(hkdfSync('sha256', seed, NO_SALT, info, KEY_BYTES + NONCE_BYTES));
  return { key: bytes.subarray(0, KEY_BYTES), nonce: bytes.subarray(KEY_BYTES) };
}

const LENGTH_BYTES = 2;

/** An encrypted data key, and what was sealed with it. */
export interface Envelope {
  readonly header: Buffer;
  readonly sealed: Buffer;
}

export function wrap({ header, sealed }: Envelope): Buffer {
  const length = Buffer.allocUnsafe(LENGTH_BYTES);
  length.writeUInt16BE(header.length);
  return Buffer.concat([length, header, sealed]);
}

/** Throws `Unsealable`. */
export function unwrap(bytes: Buffer): Envelope {
  const end = LENGTH_BYTES + (bytes.length < LENGTH_BYTES ? 0 : bytes.readUInt16BE(0));
  if (bytes.length < LENGTH_BYTES || end > bytes.length) throw new Unsealable('it is too short');
  return { header: bytes.subarray(LENGTH_BYTES, end), sealed: bytes.subarray(end) };
}
