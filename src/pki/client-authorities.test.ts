import { spawnSync } from 'node:child_process';
import { type KeyObject, sign, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workOf } from '../../test/support/work.ts';
import { systemRuntime as runtime } from '../runtime/runtime.ts';
import { type CertificateTemplate, type Issuer, issueCertificate, issuerFrom, selfSign } from './certificate.ts';
import { ClientAuthorities } from './client-authorities.ts';
import { bitString, contextTag, sequence, TAG } from './der.ts';
import { readConstructed, readElements } from './der-reader.ts';
import { newPrivateKey } from './keys.ts';
import { authorityTemplate, clientTemplate } from './profiles.ts';
import { signatureAlgorithm } from './signature.ts';

const HOUR = 3_600_000;
const now = Math.floor(runtime.now() / 1000) * 1000;
const validity = { notBefore: now - HOUR, notAfter: now + HOUR };

interface Authority {
  readonly certificate: X509Certificate;
  readonly issuer: Issuer;
  readonly key: KeyObject;
}

function authority(name: string, parent?: Authority, changes: Partial<CertificateTemplate> = {}): Authority {
  const key = newPrivateKey();
  const template = { ...authorityTemplate(key, name, validity), ...changes };
  const der = parent ? issueCertificate(runtime, parent.issuer, template) : selfSign(runtime, key, template);
  const certificate = new X509Certificate(der);
  return { certificate, issuer: issuerFrom(certificate, key), key };
}

function client(parent: Pick<Authority, 'issuer'>, changes: Partial<CertificateTemplate> = {}): X509Certificate {
  const template = { ...clientTemplate(newPrivateKey(), { commonName: 'alice' }, validity), ...changes };
  return new X509Certificate(issueCertificate(runtime, parent.issuer, template));
}

/** The same certificate without what the first version had not, signed anew. */
function firstVersionOf(der: Buffer, key: KeyObject): Buffer {
  const [toBeSigned, algorithm] = readConstructed(der, TAG.sequence);
  const later = [contextTag(0, true), contextTag(3, true)];
  const fields = readElements(toBeSigned?.content ?? der).filter(({ tag }) => !later.includes(tag));
  const early = sequence(...fields.map(({ whole }) => whole));
  return sequence(early, algorithm?.whole ?? der, bitString(sign(signatureAlgorithm(key).digest, early, key)));
}

const trusting = (...authorities: readonly X509Certificate[]): ClientAuthorities =>
  new ClientAuthorities({ pem: authorities.map(String).join(''), source: 'test.crt' });

const root = authority('root');
const other = authority('other');
const middle = authority('middle', root);
const low = authority('low', middle);
const trusted = trusting(other.certificate, root.certificate);

describe('a client certificate', () => {
  it('is accepted from any authority of the bundle, and from none but those', () => {
    expect(trusted.verify([client(root)], now)).toBeDefined();
    expect(trusted.verify([client(other)], now)).toBeDefined();
    expect(trusted.verify([client(authority('root'))], now)).toBeUndefined();
    expect(trusting(other.certificate).verify([client(root)], now)).toBeUndefined();
    expect(trusted.verify([], now)).toBeUndefined();
  });

  it('is accepted from a root of X.509 version 1, which cannot say that it is one, but not by way of such a one', () => {
    const key = newPrivateKey();
    const whole = selfSign(runtime, key, authorityTemplate(key, 'ancient', validity));
    const ancient = new X509Certificate(firstVersionOf(whole, key));
    expect(ancient.ca).toBe(false);
    const leaf = client({ issuer: issuerFrom(ancient, key) });
    expect(trusting(ancient).verify([leaf], now)).toBeDefined();
    expect(trusted.verify([leaf, ancient], now)).toBeUndefined();
    const issued = issueCertificate(runtime, root.issuer, authorityTemplate(key, 'between', validity));
    const between = new X509Certificate(firstVersionOf(issued, root.key));
    const below = client({ issuer: issuerFrom(between, key) });
    expect(trusted.verify([below, between], now)).toBeUndefined();
    expect(() => trusting(client(root))).toThrow('certificate 1 is not that of an authority');
  });

  it('is not accepted because of who its authority says it is', () => {
    const impostor = authority('root');
    expect(trusted.verify([client(impostor), impostor.certificate], now)).toBeUndefined();
    expect(trusted.verify([client(impostor), impostor.certificate, root.certificate], now)).toBeUndefined();
  });

  it('leads through the authorities presented with it, in any order', () => {
    const leaf = client(low);
    const chain = [leaf, low.certificate, middle.certificate, root.certificate];
    fc.assert(
      fc.property(
        fc.shuffledSubarray([low.certificate, middle.certificate, root.certificate, other.certificate]),
        (sent) => {
          const complete = sent.includes(low.certificate) && sent.includes(middle.certificate);
          expect(trusted.verify([leaf, ...sent], now)?.certificates.map(String)).toEqual(
            complete ? chain.map(String) : undefined,
          );
        },
      ),
    );
    expect(trusting(middle.certificate).verify([leaf, low.certificate], now)).toBeDefined();
  });

  it('holds from when the last of its chain begins to when the first of them ends', () => {
    const limits = { notBefore: now - 3000, notAfter: now + 5000 };
    const between = authority('between', root, limits);
    const leaf = client(between, { notBefore: now - 9000, notAfter: now + 4000 });
    const verify = (moment: number) => trusted.verify([leaf, between.certificate], moment);
    expect(verify(now)).toMatchObject({ notBefore: now - 3000, notAfter: now + 4000 });
    expect([now - 3001, now - 3000, now + 4000, now + 4001].map((moment) => verify(moment) !== undefined)).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(
      trusting(authority('gone', undefined, { notAfter: now - 1000 }).certificate).verify([leaf], now),
    ).toBeUndefined();
  });

  it('must be for clients, and so must the authorities it leads through', () => {
    const accepts = (usages: CertificateTemplate['usages']): boolean =>
      trusted.verify([client(root, { usages })], now) !== undefined;
    expect(accepts(['digital signature', 'client auth'])).toBe(true);
    expect(accepts(['digital signature', 'any'])).toBe(true);
    expect(accepts(['digital signature'])).toBe(true);
    expect(accepts(['digital signature', 'server auth'])).toBe(false);
    expect(accepts(['key encipherment', 'client auth'])).toBe(false);
    const serving = authority('serving', root, { usages: ['cert sign', 'server auth'] });
    expect(trusted.verify([client(serving), serving.certificate], now)).toBeUndefined();
  });

  it('is not that of an authority', () => {
    expect(trusted.verify([root.certificate], now)).toBeUndefined();
    expect(trusted.verify([middle.certificate], now)).toBeUndefined();
  });

  it('is not issued by what is no authority', () => {
    const key = newPrivateKey();
    const template = clientTemplate(key, { commonName: 'mallory' }, validity);
    const mallory = new X509Certificate(issueCertificate(runtime, root.issuer, template));
    const forged = client({ issuer: issuerFrom(mallory, key) });
    expect(trusted.verify([forged, mallory], now)).toBeUndefined();
    expect(trusted.verify([mallory], now)).toBeDefined();
    const unsigning = authority('unsigning', root, { usages: ['digital signature'] });
    expect(trusted.verify([client(unsigning), unsigning.certificate], now)).toBeUndefined();
  });

  it('cannot make the server search for long', async () => {
    // Authorities of one name, each able to have issued all others: without bounds there are as many ways as orders.
    const key = newPrivateKey();
    const template = authorityTemplate(key, 'same', validity);
    const same = Array.from({ length: 200 }, () => new X509Certificate(selfSign(runtime, key, template)));
    const [first] = same;
    if (!first) throw new Error('no certificate');
    const leaf = client({ issuer: issuerFrom(first, key) });
    const work = await workOf(() => expect(trusted.verify([leaf, ...same], now)).toBeUndefined());
    expect(work).toBeLessThan(5000);
  });
});

it('a bundle with a certificate that is not of an authority is refused, by its place', () => {
  expect(() => trusting(root.certificate, client(root))).toThrow('test.crt: certificate 2 is not that of an authority');
});

const opensslMissing = spawnSync('openssl', ['version']).status !== 0;
if (opensslMissing) console.warn('openssl is not installed: certificates that only it can make are not tried');

describe.skipIf(opensslMissing)('a certificate made by openssl', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'platform-test-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  /** A new key and a certificate for it, signed by the named one or by itself. */
  function make(name: string, signer: string | undefined, extensions: string, ...more: string[]): X509Certificate {
    const openssl = (...args: string[]): void => {
      const { status, stderr } = spawnSync('openssl', args, { cwd: directory, encoding: 'utf8' });
      if (status !== 0) throw new Error(`openssl ${args.join(' ')}: ${stderr}`);
    };
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', `${name}.key`];
    const by = signer
      ? ['-CA', `${signer}.crt`, '-CAkey', `${signer}.key`, '-CAcreateserial']
      : ['-key', `${name}.key`];
    writeFileSync(join(directory, `${name}.cnf`), extensions);
    openssl('req', ...key, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
    const sign = signer ? by : ['-signkey', `${name}.key`];
    openssl('x509', '-req', '-in', `${name}.csr`, ...sign, '-out', `${name}.crt`, '-extfile', `${name}.cnf`, ...more);
    return new X509Certificate(readFileSync(join(directory, `${name}.crt`)));
  }

  it('leads through no more authorities than they allow', () => {
    const top = make('top', undefined, 'basicConstraints=critical,CA:TRUE,pathlen:1');
    const one = make('one', 'top', 'basicConstraints=critical,CA:TRUE');
    const two = make('two', 'one', 'basicConstraints=critical,CA:TRUE');
    const none = make('none', 'top', 'basicConstraints=critical,CA:TRUE,pathlen:0');
    const under = make('under', 'none', 'basicConstraints=critical,CA:TRUE');
    const verifies = (leaf: X509Certificate, ...sent: X509Certificate[]): boolean =>
      trusting(top).verify([leaf, ...sent], runtime.now()) !== undefined;
    const usage = 'extendedKeyUsage=clientAuth';
    expect(verifies(make('a', 'top', usage))).toBe(true);
    expect(verifies(make('b', 'one', usage), one)).toBe(true);
    expect(verifies(make('c', 'two', usage), two, one)).toBe(false);
    expect(verifies(make('d', 'none', usage), none)).toBe(true);
    expect(verifies(make('e', 'under', usage), under, none)).toBe(false);
  });

  it('is refused when it demands what is not understood, or was signed with a broken digest', () => {
    const top = make('plain', undefined, 'basicConstraints=critical,CA:TRUE');
    const limited = make(
      'limited',
      'plain',
      'basicConstraints=critical,CA:TRUE\nnameConstraints=permitted;DNS:example.com',
    );
    const verifies = (leaf: X509Certificate, ...sent: X509Certificate[]): boolean =>
      trusting(top).verify([leaf, ...sent], runtime.now()) !== undefined;
    expect(verifies(make('f', 'plain', '1.2.3.4=ASN1:UTF8String:x'))).toBe(true);
    expect(verifies(make('g', 'plain', '1.2.3.4=critical,ASN1:UTF8String:x'))).toBe(false);
    expect(verifies(make('h', 'limited', 'extendedKeyUsage=clientAuth'), limited)).toBe(false);
    expect(verifies(make('i', 'plain', 'extendedKeyUsage=clientAuth', '-sha1'))).toBe(false);
    expect(verifies(make('j', 'plain', 'extendedKeyUsage=clientAuth', '-sha384'))).toBe(true);
  });
});
