import { createCipheriv, createDecipheriv, createHash, scryptSync } from 'node:crypto';
import type { Runtime } from '../runtime/runtime.ts';
import type { PemFiles } from './pem-files.ts';

/** What servers that stand for one plane must have in common: the authority, and the key that signs tokens. */
export interface SharedAuthority {
  readonly caKey: string;
  readonly caCertificate: string;
  readonly tokenKey: string;
  readonly tokenPublicKey: string;
}

/** Tells two authorities apart, and tells nothing else. */
export const fingerprintOf = ({ caCertificate, tokenPublicKey }: SharedAuthority): string =>
  createHash('sha256').update(caCertificate).update(tokenPublicKey).digest('hex');

/** Puts the authority where there is none yet. Throws one line naming the file that is of another. */
export function adoptAuthority(files: PemFiles, authority: SharedAuthority): void {
  // Keys before what is derived from them, as `ensurePki` expects it.
  const wanted = {
    'ca.key': authority.caKey,
    'ca.crt': authority.caCertificate,
    'sa.key': authority.tokenKey,
    'sa.pub': authority.tokenPublicKey,
  };
  const other = Object.entries(wanted).find(([name, pem]) => (files.read(name) ?? pem) !== pem);
  if (other) {
    throw new Error(
      `${files.locate(other[0])}: is not that of the servers that share this etcd; remove the files beside it to get theirs`,
    );
  }
  for (const [name, pem] of Object.entries(wanted)) if (files.read(name) === undefined) files.write(name, pem);
}

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Salt, initialisation vector, tag and what is encrypted, as base64. */
export function seal(authority: SharedAuthority, secret: Buffer, runtime: Runtime): string {
  const salt = runtime.bytes(SALT_BYTES);
  const iv = runtime.bytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, scryptSync(secret, salt, KEY_BYTES), iv, { authTagLength: TAG_BYTES });
  const sealed = Buffer.concat([cipher.update(JSON.stringify(authority), 'utf8'), cipher.final()]);
  return Buffer.concat([salt, iv, cipher.getAuthTag(), sealed]).toString('base64');
}

/** Undefined when it was sealed with another secret, or has been tampered with. */
export function unseal(text: string, secret: Buffer): SharedAuthority | undefined {
  const bytes = Buffer.from(text, 'base64');
  const ivAt = SALT_BYTES;
  const tagAt = ivAt + IV_BYTES;
  const dataAt = tagAt + TAG_BYTES;
  const key = scryptSync(secret, bytes.subarray(0, ivAt), KEY_BYTES);
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(ivAt, tagAt), { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(tagAt, dataAt));
    const opened = Buffer.concat([decipher.update(bytes.subarray(dataAt)), decipher.final()]);
    const authority: SharedAuthority = JSON.parse(opened.toString('utf8'));
    return authority;
  } catch {
    return undefined;
  }
}
