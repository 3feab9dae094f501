import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { changed, problemsOf, problemsOfChange } from '../../../test/problems-of.ts';
import { requestPem } from '../../../test/support/certificates.ts';
import { selfSign, validFor } from '../../pki/certificate.ts';
import { bitString, explicit, integer, sequence } from '../../pki/der.ts';
import { certificatePem, newPrivateKey, publicKeyInfo } from '../../pki/keys.ts';
import { distinguishedName } from '../../pki/names.ts';
import { signatureAlgorithm } from '../../pki/signature.ts';
import { systemRuntime } from '../../runtime/runtime.ts';
import { CertificateSigningRequest } from './certificate-signing-request.ts';
import {
  validateApprovalUpdate,
  validateCertificateSigningRequest,
  validateSigningUpdate,
} from './certificate-signing-request-validation.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const subject = distinguishedName({ commonName: 'someone' });

/** A request for `about`, signed with `by`, which should be the same key. */
function request(about: KeyObject, by: KeyObject = about): string {
  const info = sequence(integer(Buffer.from([0])), subject, publicKeyInfo(about), explicit(0));
  const { identifier, digest } = signatureAlgorithm(by);
  const der = sequence(info, identifier, bitString(sign(digest, info, by)));
  return base64(`-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`);
}

const key = newPrivateKey();
const good = {
  spec: { request: request(key), signerName: 'x.y/z.a', usages: ['client auth'], expirationSeconds: 600 },
};

describe('a certificate request', () => {
  const problems = (spec: unknown) =>
    problemsOf(CertificateSigningRequest, { validate: validateCertificateSigningRequest }, changed(good, { spec }));

  it.each([
    ['ec', key],
    ['rsa', generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey],
    ['ed25519', generateKeyPairSync('ed25519').privateKey],
  ])('may be about a key of type %s', (_type, own) => {
    expect(problems({ request: request(own) })).toEqual([]);
  });

  it.each([
    [{ request: null }, ['Invalid spec.request']],
    [{ request: base64('nonsense') }, ['Invalid spec.request']],
    [
      { request: base64('-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----') },
      ['Invalid spec.request'],
    ],
    [{ request: request(key, newPrivateKey()) }, ['Invalid spec.request']],
    [{ request: base64(requestPem({ names: { dns: Array(1000).fill('x') } })) }, ['Invalid spec.request']],
    [{ usages: [] }, ['Required spec.usages']],
    [{ usages: ['world domination'] }, ['NotSupported spec.usages[0]']],
    [{ usages: ['client auth', 'client auth'] }, ['Duplicate spec.usages[1]']],
    [{ signerName: '' }, ['Required spec.signerName']],
    [{ signerName: 'platform.io/legacy-unknown' }, ['Invalid spec.signerName']],
    [{ signerName: 'nopath' }, ['Invalid spec.signerName']],
    [{ signerName: 'nodomain/x' }, ['Invalid spec.signerName']],
    [{ signerName: 'a.B/x' }, ['Invalid spec.signerName']],
    [{ signerName: 'a.b/X' }, ['Invalid spec.signerName']],
    [{ signerName: `${'a.'.repeat(127)}a/x` }, ['TooLong spec.signerName']],
    [{ expirationSeconds: 599 }, ['Invalid spec.expirationSeconds']],
  ])('with %#: %j', (spec, causes) => {
    expect(problems(spec)).toEqual(causes);
  });
});

const condition = (type: string, status = 'True') => ({ type, status, reason: 'R' });
const withStatus = (conditions: unknown[], certificate = ''): unknown =>
  changed(good, { status: { conditions, certificate: base64(certificate) } });

describe('the decision about a request', () => {
  const decide = (before: unknown[], after: unknown[]) =>
    problemsOfChange(CertificateSigningRequest, validateApprovalUpdate, withStatus(before), withStatus(after));

  it.each([
    [[], [condition('Approved')], []],
    [[], [condition('Custom', 'Unknown')], []],
    [[], [condition('')], ['Required status.conditions[0].type']],
    [[], [condition('Denied', '')], ['Required status.conditions[0].status']],
    [[], [condition('Denied', 'False')], ['NotSupported status.conditions[0].status']],
    [[], [condition('Approved'), condition('Approved')], ['Duplicate status.conditions[1].type']],
    [[], [condition('Denied'), condition('Approved')], ['Invalid status.conditions[1].type']],
    [[condition('Approved')], [], ['Forbidden status.conditions']],
    [[condition('Failed')], [], ['Forbidden status.conditions']],
  ])('from %j to %j: %j', (before, after, causes) => {
    expect(decide(before, after)).toEqual(causes);
  });
});

describe('the answer to a request', () => {
  const certificate = certificatePem(
    selfSign(systemRuntime, key, {
      subject,
      publicKey: publicKeyInfo(key),
      usages: ['client auth'],
      ...validFor(systemRuntime, 60_000),
    }),
  );
  const answer = (before: unknown, after: unknown) =>
    problemsOfChange(CertificateSigningRequest, validateSigningUpdate, before, after);
  const approved = [condition('Approved')];

  it('is a certificate, given once', () => {
    expect(answer(withStatus(approved), withStatus(approved, certificate))).toEqual([]);
    expect(answer(withStatus(approved), withStatus(approved, `${certificate}${certificate}`))).toEqual([]);
    expect(answer(withStatus(approved), withStatus(approved, `Words: any\n${certificate}- and more -`))).toEqual([]);
    expect(answer(withStatus(approved, certificate), withStatus(approved, `${certificate}\n`))).toEqual([
      'Forbidden status.certificate',
    ]);
  });

  it.each([
    'nonsense',
    '-----BEGIN X-----\nAAAA\n-----END X-----',
    '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
    certificate.replace('-----\n', '-----\nProc-Type: 4\n\n'),
    `${certificate}${certificate.replace('-----\n', '-----\nNote: x\n\n')}`,
  ])('is not %j', (text) => {
    expect(answer(withStatus(approved), withStatus(approved, text))).toEqual(['Invalid status.certificate']);
  });

  it('leaves decisions as they are', () => {
    expect(answer(withStatus([]), withStatus(approved))).toEqual(['Forbidden status.conditions']);
    expect(answer(withStatus(approved), withStatus([{ ...condition('Approved'), reason: 'Other' }]))).toEqual([
      'Forbidden status.conditions',
    ]);
    expect(answer(withStatus(approved), withStatus([...approved, condition('Failed')]))).toEqual([]);
  });
});
