import type { KeyObject } from 'node:crypto';
import { nothing, oid, sequence } from './der.ts';

/** How a key signs: the AlgorithmIdentifier in DER, and the digest to ask `node:crypto` for. */
export interface SignatureAlgorithm {
  readonly identifier: Buffer;
  /** null where the algorithm digests by itself. */
  readonly digest: string | null;
}

const ECDSA: Readonly<Record<string, readonly [id: string, digest: string]>> = {
  prime256v1: ['1.2.840.10045.4.3.2', 'sha256'],
  secp384r1: ['1.2.840.10045.4.3.3', 'sha384'],
  secp521r1: ['1.2.840.10045.4.3.4', 'sha512'],
};

/** The signature algorithm for a private key. Throws for keys that cannot sign certificates. */
export function signatureAlgorithm(key: KeyObject): SignatureAlgorithm {
  if (key.asymmetricKeyType === 'rsa') {
    return { identifier: sequence(oid('1.2.840.113549.1.1.11'), nothing()), digest: 'sha256' };
  }
  if (key.asymmetricKeyType === 'ed25519') return { identifier: sequence(oid('1.3.101.112')), digest: null };
  const curve = key.asymmetricKeyDetails?.namedCurve ?? '';
  const [id, digest] = ECDSA[curve] ?? [];
  if (id === undefined || digest === undefined) {
    throw new Error(`certificates cannot be signed with a key of type ${curve || key.asymmetricKeyType}`);
  }
  return { identifier: sequence(oid(id)), digest };
}
