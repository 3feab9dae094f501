import { randomBytes } from 'node:crypto';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import { type NamedKey, type Provider, Unsealable } from './provider.ts';

const NONCE_BYTES = 24;
export const SECRETBOX_KEY_BYTES = 32;

/** XSalsa20 with Poly1305: nonces are long enough to be drawn by chance for ever. */
export const secretbox = ({ name, secret }: NamedKey): Provider => ({
  mark: `secretbox:v1:${name}:`,
  seal(plain) {
    const nonce = randomBytes(NONCE_BYTES);
    return Buffer.concat([nonce, xsalsa20poly1305(secret, nonce).encrypt(plain)]);
  },
  open(sealed) {
    if (sealed.length <= NONCE_BYTES) throw new Unsealable('it is too short');
    try {
      const box = xsalsa20poly1305(secret, sealed.subarray(0, NONCE_BYTES));
      return Buffer.from(box.decrypt(sealed.subarray(NONCE_BYTES)));
    } catch (cause) {
      throw new Unsealable('the key does not fit, or it was changed', { cause });
    }
  },
});
