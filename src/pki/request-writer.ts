import { type KeyObject, sign } from 'node:crypto';
import { bitString, explicit, integer, sequence } from './der.ts';
import { publicKeyInfo } from './keys.ts';
import { distinguishedName, type Subject } from './names.ts';
import { signatureAlgorithm } from './signature.ts';

/** A certificate request (PKCS #10) in PEM, for a subject and nothing else, signed with the key that it is about. */
export function writeCertificateRequest(key: KeyObject, subject: Subject): string {
  const { identifier, digest } = signatureAlgorithm(key);
  const body = sequence(integer(Buffer.of(0)), distinguishedName(subject), publicKeyInfo(key), explicit(0));
  const der = sequence(body, identifier, bitString(sign(digest, body, key)));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE REQUEST-----\n${lines.join('\n')}\n-----END CERTIFICATE REQUEST-----\n`;
}
