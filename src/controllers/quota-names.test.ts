import { expect, it } from 'vitest';
import { QuotaNames } from './quota-names.ts';

it('a set of names is new once at each revision of the catalogue', () => {
  const names = new QuotaNames();
  const look = (revision: number, ...some: string[]): boolean => names.areNew(revision, some);
  expect([look(1, 'pods', 'secrets'), look(1, 'pods', 'secrets'), look(1, 'pods')]).toEqual([true, false, true]);
  expect([look(2, 'pods'), look(2, 'pods'), look(2, 'pods', 'secrets')]).toEqual([true, false, true]);
});

it('nothing is kept of what the catalogue was before', () => {
  const names = new QuotaNames();
  for (let revision = 0; revision < 10_000; revision++) names.areNew(revision, ['pods']);
  expect(names.size.sets).toBe(1);
});

it('however many sets quotas name, what is kept of them is bounded', () => {
  const names = new QuotaNames();
  for (let at = 0; at < 20_000; at++) names.areNew(1, [`count/${'x'.repeat(100)}${at}.example.com`]);
  expect(names.size.bytes).toBeGreaterThan(0);
  expect(names.size.bytes).toBeLessThanOrEqual(1 << 20);
  names.areNew(1, ['x'.repeat(10 << 20)]);
  expect(names.size.bytes).toBeLessThanOrEqual(1 << 20);
});
