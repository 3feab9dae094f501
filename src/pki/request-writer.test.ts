import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { expect, it } from 'vitest';
import { isSignedByItsKey, readCertificateRequest } from './certificate-request.ts';
import { newPrivateKey, publicKeyInfo } from './keys.ts';
import { writeCertificateRequest } from './request-writer.ts';

const KEYS: readonly (readonly [sort: string, key: KeyObject])[] = [
  ['elliptic', newPrivateKey()],
  ['RSA', generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey],
  ['Ed25519', generateKeyPairSync('ed25519').privateKey],
];

it.each(KEYS)('a request for a key that is %s reads back as it was written, signed by the key', (_sort, key) => {
  const subject = { commonName: 'system:node:n1', organizations: ['system:nodes'] };
  const pem = writeCertificateRequest(key, subject);
  expect(isSignedByItsKey(pem)).toBe(true);
  const read = readCertificateRequest(pem);
  expect(read).toMatchObject({ ...subject, alternativeNames: { dns: [], ip: [], email: [], uri: [] } });
  expect(read.publicKey).toEqual(publicKeyInfo(key));
});
