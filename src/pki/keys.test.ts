import { createPublicKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { systemRuntime } from '../runtime/runtime.ts';
import { selfSign, validFor } from './certificate.ts';
import {
  certificatePem,
  newPrivateKey,
  privateKeyPem,
  publicKeyPem,
  readCertificates,
  readPrivateKey,
  readPublicKey,
} from './keys.ts';
import { authorityTemplate } from './profiles.ts';

function newCertificate(): Buffer {
  const key = newPrivateKey();
  return selfSign(systemRuntime, key, authorityTemplate(key, 'test-ca', validFor(systemRuntime, 60_000)));
}

describe('reading PEM', () => {
  const pem = certificatePem(newCertificate());
  const key = privateKeyPem(newPrivateKey());

  test('a bundle gives its certificates in order, past other blocks and remarks', () => {
    const second = certificatePem(newCertificate());
    const read = readCertificates(`# remark\n${pem}${key}\r\n${second}`);
    expect(read.map(({ raw }) => certificatePem(raw))).toEqual([pem, second]);
  });

  test.each([
    ['', 'ca.crt: holds no PEM certificate'],
    [key, 'ca.crt: holds no PEM certificate'],
    [pem + pem.slice(0, 200), 'ca.crt: certificate 2 is cut short'],
    [pem.slice(0, 200) + pem, 'ca.crt: certificate 1 is cut short'],
    [pem.replace('MII', 'AAA').replace('MIIB', 'AAAA'), 'ca.crt: certificate 1 is not a valid certificate'],
  ])('a broken bundle is refused in one line (%#)', (text, message) => {
    expect(() => readCertificates(text, 'ca.crt')).toThrow(new Error(message));
  });

  test('keys come back as they were written', () => {
    const original = newPrivateKey();
    expect(readPrivateKey(privateKeyPem(original)).equals(original)).toBe(true);
    expect(readPublicKey(publicKeyPem(original)).equals(createPublicKey(original))).toBe(true);
  });

  test('what is no key is refused in one line', () => {
    expect(() => readPrivateKey(pem, 'a.key')).toThrow(/^a\.key: holds no usable private key.*$/);
    expect(() => readPublicKey('', 'a.pub')).toThrow(new Error('a.pub: holds no usable public key'));
  });
});
