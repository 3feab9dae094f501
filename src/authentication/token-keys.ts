import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { publicKeyInfo } from '../pki/keys.ts';
import { type AlgorithmName, algorithmOf } from './jwt.ts';

/** A key that tokens are signed or verified with. */
export interface TokenKey {
  /** Derived from the public half: the same wherever the key is known. */
  readonly id: string;
  readonly algorithm: AlgorithmName;
  readonly key: KeyObject;
}

/** Throws one line that starts with `source` for keys that tokens cannot be signed with. */
export function tokenKey(key: KeyObject, source: string): TokenKey {
  const algorithm = algorithmOf(key);
  if (!algorithm) {
    throw new Error(
      `${source}: tokens can be signed with RSA keys from 2048 bits on and keys on P-256, P-384 or P-521`,
    );
  }
  return { id: createHash('sha256').update(publicKeyInfo(key)).digest('base64url'), algorithm, key };
}

/** The half that everyone may know. */
export const publicHalf = ({ key, ...rest }: TokenKey): TokenKey => ({
  ...rest,
  key: key.type === 'private' ? createPublicKey(key) : key,
});

/** Each key once, in order. */
export const distinctKeys = (keys: readonly TokenKey[]): TokenKey[] => [
  ...new Map(keys.map((key) => [key.id, key])).values(),
];

/** A public key as others are told (RFC 7517); what else it holds depends on its type. */
export interface PublishedKey {
  readonly use: 'sig';
  readonly kid: string;
  readonly alg: string;
}

export const jwkOf = ({ id, algorithm, key }: TokenKey): PublishedKey => ({
  use: 'sig',
  kid: id,
  alg: algorithm,
  ...key.export({ format: 'jwk' }),
});
