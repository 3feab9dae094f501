import { describe, expect, it } from 'vitest';
import type { CertificateSigningRequest } from '../../kinds/certificates/certificate-signing-request.ts';
import { selfSign } from '../../pki/certificate.ts';
import { certificatePem, newPrivateKey } from '../../pki/keys.ts';
import { clientTemplate } from '../../pki/profiles.ts';
import { systemRuntime } from '../../runtime/runtime.ts';
import { keptUntil } from './certificate-cleaner.ts';

const made = Date.UTC(2030, 0, 1);
const MINUTE = 60_000;
const at = (minutes: number): string => new Date(made + minutes * MINUTE).toISOString();

function certificateUntil(minutes: number): string {
  const key = newPrivateKey();
  const validity = { notBefore: made, notAfter: made + minutes * MINUTE };
  const der = selfSign(systemRuntime, key, clientTemplate(key, { commonName: 'x' }, validity));
  return Buffer.from(`words\n${certificatePem(der)}`).toString('base64');
}

/** Minutes after it was made. */
function kept(conditions: readonly (readonly [string, number?])[], certificate?: string): number {
  const status = {
    conditions: conditions.map(([type, minutes]) => ({
      type,
      status: 'True',
      ...(minutes === undefined ? {} : { lastUpdateTime: at(minutes) }),
    })),
    ...(certificate === undefined ? {} : { certificate }),
  };
  const request = { metadata: { creationTimestamp: at(0) }, spec: { signerName: 'a.b/c' }, status };
  return (keptUntil(request as unknown as CertificateSigningRequest) - made) / MINUTE;
}

describe('a request is kept', () => {
  it.each([
    ['a day while nobody has decided', [], 24 * 60],
    ['a day whatever others note on it', [['Noted', 5]], 24 * 60],
    ['an hour after it was approved', [['Approved', 5]], 65],
    ['an hour after it was denied', [['Denied', 7]], 67],
    [
      'an hour after it failed',
      [
        ['Approved', 5],
        ['Failed', 30],
      ],
      90,
    ],
    ['an hour after it failed without a decision', [['Failed', 30]], 90],
    ['an hour although its approver has the wrong time', [['Approved', -600]], 60],
    ['a day when it is not known when it was decided', [['Approved']], 24 * 60],
  ] as const)('%s', (_what, conditions, minutes) => {
    expect(kept(conditions)).toBe(minutes);
  });

  it('no longer than its certificate holds', () => {
    expect(kept([['Approved', 5]], certificateUntil(10))).toBe(10);
    expect(kept([['Approved', 5]], certificateUntil(600))).toBe(65);
    expect(kept([], certificateUntil(600))).toBe(600);
    expect(kept([['Approved', 5]], Buffer.from('nonsense').toString('base64'))).toBe(65);
    const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';
    expect(kept([['Approved', 5]], Buffer.from(broken).toString('base64'))).toBe(65);
  });
});
