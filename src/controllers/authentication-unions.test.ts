import { expect, it } from 'vitest';
import { TestAuthority } from '../../test/support/certificates.ts';
import { unionOfLists, unionOfPem } from './authentication-unions.ts';

const HOUR = 3_600_000;
const [a, b] = [new TestAuthority('a').pem, new TestAuthority('b').pem];

it('bundles are put together, each certificate once, without what has expired or is none', () => {
  const now = Date.now();
  const other = a.replaceAll('\n', '\r\n');
  expect(unionOfPem([`# ours\n${a}`, `${b}\n${other}`, 'nonsense'], now)).toBe(a + b);
  const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
  expect(unionOfPem([broken, b], now)).toBe(b);
  expect(unionOfPem([a, b], now + 2 * HOUR)).toBe('');
});

it('lists are put together, each text once; what is no list counts for nothing', () => {
  expect(unionOfLists(['["x","y"]', '["y","z",1]', '{}', 'nonsense'])).toBe('["x","y","z"]');
  expect(unionOfLists(['[]'])).toBe('[]');
});
