import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { requestPem } from '../../test/support/certificates.ts';
import { havePeer } from '../../test/support/peers.ts';
import { isSignedByItsKey, readCertificateRequest } from './certificate-request.ts';
import { element, implicit, octetString, oid, sequence, set, TAG, utf8String } from './der.ts';
import { certificatePem, newPrivateKey } from './keys.ts';
import { distinguishedName } from './names.ts';

const key = newPrivateKey();
const haveOpenssl = havePeer('openssl', 'version');

/** One level of a name for each pair. */
const nameOf = (...pairs: readonly (readonly [string, Buffer])[]): Buffer =>
  sequence(...pairs.map(([type, value]) => set(sequence(oid(type), value))));

const [COMMON_NAME, ORGANIZATION, EMAIL] = ['2.5.4.3', '2.5.4.10', '1.2.840.113549.1.9.1'];
const read = (parts: Parameters<typeof requestPem>[0]) => readCertificateRequest(requestPem({ key, ...parts }));

describe('what a request asks for', () => {
  it('is who its subject names, and the other names', () => {
    const names = { dns: ['a.example', '*.b'], ip: ['10.0.0.1', '2001:db8::7'], email: ['a@b'], uri: ['spiffe://x/y'] };
    const request = read({ subject: { commonName: 'system:node:n', organizations: ['system:nodes', 'é'] }, names });
    expect(request).toMatchObject({ commonName: 'system:node:n', organizations: ['system:nodes', 'é'] });
    expect(request.alternativeNames).toEqual({ ...names, ip: ['10.0.0.1', '2001:db8:0:0:0:0:0:7'] });
    const expected = distinguishedName({ commonName: 'system:node:n', organizations: ['system:nodes', 'é'] });
    expect(request.subject).toEqual(expected);
  });

  it('names one user: of several common names the last, which is the only one that is kept', () => {
    const subject = nameOf([COMMON_NAME, utf8String('first')], [COMMON_NAME, utf8String('last')]);
    const request = read({ subject });
    expect(request.commonName).toBe('last');
    expect(request.subject).toEqual(distinguishedName({ commonName: 'last' }));
  });

  it('is read whatever strings it is written in, and written anew', () => {
    const [printable, teletex, wide] = [TAG.printableString, TAG.teletexString, TAG.bmpString].map(
      (tag) => (text: string) => element(tag, Buffer.from(text, 'latin1')),
    );
    const organizations = [printable?.('p'), teletex?.('t\xe9'), wide?.('\0w')].flatMap((value) => value ?? []);
    const request = read({ subject: nameOf(...organizations.map((value) => [ORGANIZATION, value] as const)) });
    expect(request.organizations).toEqual(['p', 't\xe9', 'w']);
    expect(request.subject).toEqual(nameOf(...['p', 't\xe9', 'w'].map((o) => [ORGANIZATION, utf8String(o)] as const)));
  });

  it('leaves out what no rule looks at', () => {
    const subject = nameOf([EMAIL, element(TAG.ia5String, Buffer.from('a@b'))], [COMMON_NAME, utf8String('x')]);
    expect(read({ subject }).subject).toEqual(distinguishedName({ commonName: 'x' }));
    const otherName = element(0xa0, oid('1.2.3'), element(0xa0, utf8String('x')));
    const request = read({ extensions: { '2.5.29.17': sequence(otherName, implicit(2, Buffer.from('kept'))) } });
    expect(request.alternativeNames).toEqual({ dns: ['kept'], ip: [], email: [], uri: [] });
  });

  it.each([
    [
      'a string type that is not known',
      { subject: nameOf([ORGANIZATION, element(0x1c, Buffer.from('x'))]) },
      'not known',
    ],
    [
      'text that is not UTF-8',
      { subject: nameOf([ORGANIZATION, element(TAG.utf8String, Buffer.of(0xff))]) },
      'encoded',
    ],
    ['half an address', { extensions: { '2.5.29.17': sequence(implicit(7, Buffer.alloc(5))) } }, '4 or 16 bytes'],
    ['a host beyond ASCII', { extensions: { '2.5.29.17': sequence(implicit(2, Buffer.from('é'))) } }, 'outside ASCII'],
    ['broken names', { extensions: { '2.5.29.17': octetString(Buffer.of(1)) } }, 'not valid DER'],
    ['very many names', { names: { dns: Array.from({ length: 1000 }, (_, at) => `h${at}`) } }, 'at most 1000 names'],
  ])('is refused with %s', (_what, parts, why) => {
    expect(() => read(parts)).toThrow(why);
  });
});

describe('a request', () => {
  it.each([
    ['ed25519', generateKeyPairSync('ed25519').privateKey],
    ['rsa', generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey],
    ['P-256', key],
    ['P-384', generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey],
    ['P-521', generateKeyPairSync('ec', { namedCurve: 'P-521' }).privateKey],
  ])('is signed with its own key, of type %s, or it is not', (_type, own) => {
    const pem = requestPem({ key: own });
    expect(isSignedByItsKey(pem)).toBe(true);
    const der = Buffer.from(pem.split('\n').slice(1, -2).join(''), 'base64');
    // The last letter of the name.
    der[der.indexOf('someone') + 6] = 0x66;
    expect(isSignedByItsKey(certificatePem(der).replaceAll('CERTIFICATE', 'CERTIFICATE REQUEST'))).toBe(false);
  });

  it.each([
    ['nothing', '', 'PEM block type must be CERTIFICATE REQUEST'],
    ['a certificate', certificatePem(sequence()), 'PEM block type must be CERTIFICATE REQUEST'],
    ['an empty one', certificatePem(sequence()).replaceAll('CERTIFICATE', 'CERTIFICATE REQUEST'), 'parts are missing'],
    ['a very long text', 'x'.repeat(2 ** 17 + 1), 'at most 131072 bytes'],
  ])('is not %s', (_what, pem, why) => {
    expect(() => readCertificateRequest(pem)).toThrow(why);
    expect(() => isSignedByItsKey(pem)).toThrow(why);
  });
});

it.skipIf(!haveOpenssl)('of openssl says here what it says there', () => {
  const extensions = 'subjectAltName=DNS:x.example,IP:10.1.2.3,IP:fe80::1,email:a@b.example,URI:https://c/d';
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-keyout', '/dev/null', '-nodes'];
  const subject = ['-subj', '/C=CH/O=one/O=two/OU=u/CN=who/serialNumber=7'];
  const command = ['req', '-new', ...newKey, ...subject, '-addext', extensions];
  const pem = execFileSync('openssl', command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  expect(isSignedByItsKey(pem)).toBe(true);
  expect(readCertificateRequest(pem)).toMatchObject({
    commonName: 'who',
    organizations: ['one', 'two'],
    alternativeNames: {
      dns: ['x.example'],
      ip: ['10.1.2.3', 'fe80:0:0:0:0:0:0:1'],
      email: ['a@b.example'],
      uri: ['https://c/d'],
    },
  });
});
