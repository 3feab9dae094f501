import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { requestPem } from '../../../test/support/certificates.ts';
import { issuerFrom, selfSign, validFor } from '../../pki/certificate.ts';
import { newPrivateKey } from '../../pki/keys.ts';
import { authorityTemplate } from '../../pki/profiles.ts';
import { systemRuntime } from '../../runtime/runtime.ts';
import { issue, lifeOf, validityOf } from './issuing.ts';

const [MINUTE, HOUR, YEAR] = [60_000, 3_600_000, 365 * 24 * 3_600_000];
const now = Date.UTC(2030, 0, 1);
const runtime = { ...systemRuntime, now: () => now };

const key = newPrivateKey();
const authorityFor = (lifetime: number) =>
  issuerFrom(
    new X509Certificate(selfSign(runtime, key, authorityTemplate(key, 'a', validFor(runtime, lifetime)))),
    key,
  );
const issuer = authorityFor(10 * YEAR);

describe('the life of a certificate', () => {
  it.each([
    [YEAR, undefined, YEAR],
    [YEAR, 600, 10 * MINUTE],
    [YEAR, 3600, HOUR],
    [HOUR, 7200, HOUR],
    // Refused by the interface, but perhaps stored.
    [YEAR, 1, 10 * MINUTE],
    [MINUTE, 600, MINUTE],
    [YEAR, 2 ** 31 - 1, YEAR],
  ])('is, of at most %i ms and %s s that are asked for, %i ms', (longest, asked, expected) => {
    expect(lifeOf(longest, asked)).toBe(expected);
  });

  it('begins five minutes ago, which are taken off the end unless it is short', () => {
    const from = now - 5 * MINUTE;
    expect(validityOf(now, issuer, YEAR)).toEqual({ notBefore: from, notAfter: from + YEAR });
    expect(validityOf(now, issuer, 8 * HOUR)).toEqual({ notBefore: from, notAfter: from + 8 * HOUR });
    expect(validityOf(now, issuer, 8 * HOUR - 1)).toEqual({ notBefore: from, notAfter: now + 8 * HOUR - 1 });
    expect(validityOf(now, issuer, 10 * MINUTE)).toEqual({ notBefore: from, notAfter: now + 10 * MINUTE });
  });

  it('ends no later than that of the authority, and does not begin after it', () => {
    expect(validityOf(now, authorityFor(HOUR), YEAR).notAfter).toBe(now + HOUR);
    expect(() => validityOf(now, authorityFor(0), YEAR)).toThrow('the signer has expired');
    expect(() => validityOf(now, authorityFor(-MINUTE), YEAR)).toThrow('the signer has expired');
  });
});

it('a certificate has the subject and key of the request, a number of its own, and says who signed it', () => {
  const own = newPrivateKey();
  const application = {
    request: requestPem({ key: own, subject: { commonName: 'ann', organizations: ['dev'] } }),
    usages: ['client auth'],
    expirationSeconds: 3600,
  };
  const numbers = new Set<string>();
  for (let i = 0; i < 3; i++) {
    const verdict = issue(runtime, issuer, YEAR, () => undefined, application);
    const certificate = new X509Certificate('certificate' in verdict ? verdict.certificate : '');
    expect(certificate.subject).toBe('O=dev\nCN=ann');
    expect(certificate.issuer).toBe('CN=a');
    expect(certificate.checkPrivateKey(own)).toBe(true);
    expect(certificate.ca).toBe(false);
    expect(Date.parse(certificate.validFrom)).toBe(now - 5 * MINUTE);
    expect(Date.parse(certificate.validTo)).toBe(now + HOUR);
    numbers.add(certificate.serialNumber);
  }
  expect(numbers.size).toBe(3);
});
