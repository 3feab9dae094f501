import { expect, it } from 'vitest';
import { compareVersions } from './version-order.ts';

it('puts stable versions first, then beta, then alpha, the newest of each first, and other names last', () => {
  const sorted = ['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v11alpha2', 'foo1', 'foo10'];
  expect([...sorted].reverse().sort(compareVersions)).toEqual(sorted);
});

it('compares numbers of any length', () => {
  expect(['v99999999999999999998', 'v99999999999999999999'].sort(compareVersions)).toEqual([
    'v99999999999999999999',
    'v99999999999999999998',
  ]);
});
