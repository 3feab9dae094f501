import { expect, it } from 'vitest';
import { problemsOf } from '../../../test/problems-of.ts';
import { Lease } from './lease.ts';
import { validateLease } from './lease-validation.ts';

it.each([
  [{ holderIdentity: 'me', leaseDurationSeconds: 15, leaseTransitions: 0 }, []],
  [{ leaseDurationSeconds: 0 }, ['Invalid spec.leaseDurationSeconds']],
  [{ leaseTransitions: -1 }, ['Invalid spec.leaseTransitions']],
])('a lease of %j: %j', (spec, expected) => {
  expect(problemsOf(Lease, { validate: validateLease }, { spec })).toEqual(expected);
});
