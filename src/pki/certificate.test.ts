import { spawnSync } from 'node:child_process';
import { createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemRuntime } from '../runtime/runtime.ts';
import {
  type CertificateTemplate,
  type Issuer,
  issueCertificate,
  issuerFrom,
  selfSign,
  validFor,
} from './certificate.ts';
import { sequence, TAG } from './der.ts';
import { readConstructed, readElements } from './der-reader.ts';
import { certificatePem, newPrivateKey, readCertificates, readPrivateKey } from './keys.ts';
import { authorityTemplate, clientTemplate, servingTemplate } from './profiles.ts';

const HOUR = 3_600_000;
const hour = validFor(systemRuntime, HOUR);

/** A self-signed authority whose issuer is read back from its certificate, as after a restart. */
function newAuthority(key: KeyObject = newPrivateKey(), validity = validFor(systemRuntime, 2 * HOUR)) {
  const certificate = new X509Certificate(selfSign(systemRuntime, key, authorityTemplate(key, 'test-ca', validity)));
  return { certificate, issuer: issuerFrom(certificate, key) };
}

const issue = (issuer: Issuer, template: CertificateTemplate) =>
  new X509Certificate(issueCertificate(systemRuntime, issuer, template));

describe('an issued certificate', () => {
  const authority = newAuthority();

  test('is signed by its issuer and says so', () => {
    const leaf = issue(authority.issuer, servingTemplate(newPrivateKey(), 'server', ['localhost'], hour));
    expect(leaf.verify(authority.certificate.publicKey)).toBe(true);
    expect(leaf.checkIssued(authority.certificate)).toBe(true);
    expect(leaf.verify(leaf.publicKey)).toBe(false);
  });

  test('names the user and every group, whatever characters they hold', () => {
    // Readers print control characters and the separators of their own notation escaped.
    const word = fc.stringMatching(/^[a-zA-Z0-9:äß漢_.@ -]{1,70}$/).filter((text) => text.trim() === text);
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 4 }), (commonName, organizations) => {
        const leaf = issue(authority.issuer, clientTemplate(newPrivateKey(), { commonName, organizations }, hour));
        const { subject } = leaf.toLegacyObject();
        expect(subject).toEqual({
          CN: commonName,
          ...(organizations.length === 0 ? {} : { O: organizations.length === 1 ? organizations[0] : organizations }),
        });
      }),
      { numRuns: 30 },
    );
  });

  test('answers for its hosts and for no other', () => {
    const address = fc.oneof(fc.ipV4(), fc.ipV6());
    fc.assert(
      fc.property(fc.domain(), address, fc.domain(), address, (name, ip, otherName, otherIp) => {
        fc.pre(name !== otherName);
        const leaf = issue(authority.issuer, servingTemplate(newPrivateKey(), 'server', [name, ip], hour));
        expect(leaf.checkHost(name)).toBeDefined();
        expect(leaf.checkIP(ip)).toBeDefined();
        expect(leaf.checkHost(otherName)).toBeUndefined();
        if (new URL(host(ip)).host !== new URL(host(otherIp)).host) expect(leaf.checkIP(otherIp)).toBeUndefined();
      }),
      { numRuns: 50 },
    );
  });

  test('takes its serial number and its times from the runtime', () => {
    const runtime = {
      ...systemRuntime,
      now: () => Date.UTC(2048, 1, 29, 12),
      bytes: (n: number) => Buffer.alloc(n, 7),
    };
    const key = newPrivateKey();
    const template = clientTemplate(key, { commonName: 'u' }, validFor(runtime, 731 * 24 * HOUR));
    const leaf = new X509Certificate(selfSign(runtime, key, template));
    expect(leaf.serialNumber).toBe(`47${'07'.repeat(15)}`);
    expect(Date.parse(leaf.validFrom)).toBe(Date.UTC(2048, 1, 29, 11, 55));
    expect(Date.parse(leaf.validTo)).toBe(Date.UTC(2050, 2, 1, 12));
  });

  test('never outlives its issuer', () => {
    const leaf = issue(
      authority.issuer,
      clientTemplate(newPrivateKey(), { commonName: 'u' }, validFor(systemRuntime, 9 * HOUR)),
    );
    expect(leaf.validTo).toBe(authority.certificate.validTo);
  });

  test.each(['1.2.3', '1.2.3.256', '1.2.3.4.5', '::1::', 'a:b', ':::'])('is refused for the address %s', (address) => {
    const template = servingTemplate(newPrivateKey(), 'server', [address], hour);
    expect(() => issue(authority.issuer, template)).toThrow(new Error(`"${address}" is not an IP address`));
  });

  test('is refused for a host name outside ASCII and for a key that cannot sign', () => {
    const template = servingTemplate(newPrivateKey(), 'server', ['bücher.example'], hour);
    expect(() => issue(authority.issuer, template)).toThrow('"bücher.example" holds characters outside ASCII');
    const { privateKey } = generateKeyPairSync('x25519');
    expect(() => newAuthority(privateKey)).toThrow('cannot be signed with a key of type x25519');
  });
});

const opensslMissing = spawnSync('openssl', ['version']).status !== 0;
if (opensslMissing) console.warn('openssl is not installed: its checks of certificates are skipped');

describe.skipIf(opensslMissing)('openssl', () => {
  let directory = '';
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'pki-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  function openssl(...args: string[]): string {
    const { status, stdout, stderr } = spawnSync('openssl', args, { cwd: directory, encoding: 'utf8' });
    if (status !== 0) throw new Error(`openssl ${args.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  }

  function save(name: string, certificate: X509Certificate): string {
    writeFileSync(join(directory, name), certificatePem(certificate.raw));
    return name;
  }

  const verify = (ca: string, purpose: string, leaf: string) =>
    openssl('verify', '-x509_strict', '-check_ss_sig', '-purpose', purpose, '-CAfile', ca, leaf);

  test.each([
    ['P-256', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey],
    ['P-384', generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey],
    ['P-521', generateKeyPairSync('ec', { namedCurve: 'P-521' }).privateKey],
    ['RSA', generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey],
    ['Ed25519', generateKeyPairSync('ed25519').privateKey],
  ])('accepts what an authority with a %s key signs, strictly', (_, key) => {
    const { certificate, issuer } = newAuthority(key);
    const ca = save('ca.crt', certificate);
    const server = save('server.crt', issue(issuer, servingTemplate(newPrivateKey(), 'server', ['localhost'], hour)));
    const client = save('client.crt', issue(issuer, clientTemplate(newPrivateKey(), { commonName: 'u' }, hour)));
    expect(verify(ca, 'sslserver', server)).toContain('OK');
    expect(verify(ca, 'sslclient', client)).toContain('OK');
    expect(() => verify(ca, 'sslclient', server)).toThrow(/unsupported certificate purpose|unsuitable/);
    expect(() => verify(ca, 'sslserver', client)).toThrow(/unsupported certificate purpose|unsuitable/);
  });

  test('reads every extension of a serving certificate', () => {
    const hosts = ['localhost', 'api.default.svc', '127.0.0.1', '::1', '2001:db8::10.1.2.3'];
    const { issuer, certificate } = newAuthority();
    const text = openssl(
      'x509',
      '-noout',
      '-text',
      '-in',
      save('s.crt', issue(issuer, servingTemplate(newPrivateKey(), 'server', hosts, hour))),
    );
    const authorityText = openssl('x509', '-noout', '-text', '-in', save('ca.crt', certificate));
    const identifier = /Subject Key Identifier: *\n *([0-9A-F:]{59})/.exec(authorityText)?.[1];
    expect(flat(authorityText)).toContain('Basic Constraints: critical CA:TRUE');
    expect(flat(authorityText)).toContain('Key Usage: critical Digital Signature, Certificate Sign, CRL Sign');
    expect(text).toContain('Version: 3 (0x2)');
    expect(flat(text)).toContain('Basic Constraints: critical CA:FALSE');
    expect(flat(text)).toContain(
      'Key Usage: critical Digital Signature X509v3 Extended Key Usage: TLS Web Server Authentication',
    );
    expect(identifier).toBeDefined();
    expect(flat(text)).toMatch(new RegExp(`Authority Key Identifier: (keyid:)?${identifier}`));
    expect(flat(text)).toContain(
      'Alternative Name: DNS:localhost, DNS:api.default.svc, IP Address:127.0.0.1, ' +
        'IP Address:0:0:0:0:0:0:0:1, IP Address:2001:DB8:0:0:0:0:A01:203',
    );
  });

  test('finds a key and a subject from a foreign request unchanged in the certificate for it', () => {
    openssl(
      'req',
      '-new',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-384',
      '-nodes',
      '-keyout',
      'r.key',
      '-out',
      'r.csr',
      '-outform',
      'DER',
      '-multivalue-rdn',
      '-subj',
      '/O=system:nodes+O=second/CN=system:node:a',
    );
    const [body] = readConstructed(readFileSync(join(directory, 'r.csr')), TAG.sequence);
    const [, subject, publicKey] = readElements(body?.content ?? Buffer.alloc(0));
    if (subject === undefined || publicKey === undefined) throw new Error('the request has no subject or key');
    const { certificate, issuer } = newAuthority();
    const leaf = issue(issuer, {
      ...hour,
      subject: subject.whole,
      publicKey: publicKey.whole,
      usages: ['key encipherment', 'digital signature', 'client auth', 'server auth', 's/mime', 'email protection'],
      alternativeNames: { email: ['a@example.com'], uri: ['spiffe://example/a'], dns: ['a'], ip: ['10.1.2.3'] },
    });
    expect(verify(save('ca.crt', certificate), 'sslserver', save('leaf.crt', leaf))).toContain('OK');
    expect(leaf.publicKey.equals(createPublicKey({ key: publicKey.whole, format: 'der', type: 'spki' }))).toBe(true);
    expect(openssl('x509', '-noout', '-subject', '-in', 'leaf.crt')).toBe(
      openssl('req', '-noout', '-subject', '-in', 'r.csr', '-inform', 'DER'),
    );
    const text = flat(openssl('x509', '-noout', '-text', '-in', 'leaf.crt'));
    expect(text).toContain('Key Usage: critical Digital Signature, Key Encipherment');
    expect(text).toContain('TLS Web Client Authentication, TLS Web Server Authentication, E-mail Protection X509v3');
    expect(text).toContain('email:a@example.com, DNS:a, URI:spiffe://example/a, IP Address:10.1.2.3');
  });

  test('signs under an authority that openssl made, with or without a key identifier', () => {
    for (const identifier of ['hash', 'none']) {
      openssl(
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-keyout',
        'o.key',
        '-out',
        'o.crt',
        '-subj',
        '/C=DE/CN=outside',
        '-addext',
        `subjectKeyIdentifier=${identifier}`,
        '-days',
        '1',
      );
      const [certificate] = readCertificates(openssl('x509', '-in', 'o.crt'));
      if (certificate === undefined) throw new Error('no certificate');
      const key = newPrivateKey();
      const issuer = issuerFrom(certificate, readPrivateKey(openssl('pkey', '-in', 'o.key')));
      const leaf = save('leaf.crt', issue(issuer, clientTemplate(key, { commonName: 'u' }, hour)));
      expect(openssl('verify', '-CAfile', 'o.crt', leaf)).toContain('OK');
      expect(openssl('x509', '-noout', '-text', '-in', leaf).includes('Authority Key Identifier')).toBe(
        identifier === 'hash',
      );
    }
  });

  test('holds alternative names critical when the subject is empty', () => {
    const leaf = issue(newAuthority().issuer, {
      ...servingTemplate(newPrivateKey(), '', ['a'], hour),
      subject: sequence(),
    });
    const text = openssl('x509', '-noout', '-text', '-in', save('leaf.crt', leaf));
    expect(flat(text)).toContain('Subject Alternative Name: critical DNS:a');
  });
});

const flat = (text: string): string => text.replace(/\s+/g, ' ');
const host = (ip: string): string => (ip.includes(':') ? `http://[${ip}]` : `http://${ip}`);
