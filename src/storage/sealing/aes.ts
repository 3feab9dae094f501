import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type NamedKey, type Provider, Unsealable } from './provider.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const BLOCK_BYTES = 16;

/** The lengths of AES keys. */
export const AES_KEY_BYTES: readonly number[] = [16, 24, 32];

/**
 * AES in Galois/counter mode: a fresh nonce, what is sealed, the tag. Who has no key can neither read nor change it. Nonces
 * are drawn by chance, so a key should be replaced after some hundred million writes.
 */
export function aesGcm({ name, secret }: NamedKey): Provider {
  const algorithm = `aes-${secret.length * 8}-gcm` as 'aes-256-gcm';
  return {
    mark: `aesgcm:v1:${name}:`,
    seal(plain, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(algorithm, secret, nonce).setAAD(Buffer.from(context));
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed, context) {
      if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new Unsealable('it is too short');
      const tag = sealed.subarray(sealed.length - TAG_BYTES);
      const text = sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES);
      const decipher = createDecipheriv(algorithm, secret, sealed.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      return opened(() => {
        decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
        return Buffer.concat([decipher.update(text), decipher.final()]);
      });
    },
  };
}

/**
 * AES in cipher block chaining mode, for data that others have written so: who has no key cannot read it, but can change
 * it unnoticed.
 */
export function aesCbc({ name, secret }: NamedKey): Provider {
  const algorithm = `aes-${secret.length * 8}-cbc`;
  return {
    mark: `aescbc:v1:${name}:`,
    seal(plain) {
      const start = randomBytes(BLOCK_BYTES);
      const cipher = createCipheriv(algorithm, secret, start);
      return Buffer.concat([start, cipher.update(plain), cipher.final()]);
    },
    open(sealed) {
      if (sealed.length < 2 * BLOCK_BYTES) throw new Unsealable('it is too short');
      const decipher = createDecipheriv(algorithm, secret, sealed.subarray(0, BLOCK_BYTES));
      return opened(() => Buffer.concat([decipher.update(sealed.subarray(BLOCK_BYTES)), decipher.final()]));
    },
  };
}

function opened(open: () => Buffer): Buffer {
  try {
    return open();
  } catch (cause) {
    throw new Unsealable('the key does not fit, or it was changed', { cause });
  }
}
