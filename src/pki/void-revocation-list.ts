import { bitString, oid, sequence, time } from './der.ts';
import { distinguishedName } from './names.ts';

const ED25519 = sequence(oid('1.3.101.112'));

/**
 * A list of revoked certificates (PEM) that revokes nothing, of an issuer that there is not, unsigned. With it OpenSSL
 * looks for the list of every authority, and so accepts no certificate.
 */
export function voidRevocationList(): string {
  const issuer = distinguishedName({ commonName: 'none', organizations: [] });
  const list = sequence(sequence(ED25519, issuer, time(0)), ED25519, bitString(Buffer.alloc(64)));
  return `-----BEGIN X509 CRL-----\n${list.toString('base64')}\n-----END X509 CRL-----\n`;
}
