import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalQuantity, compareQuantities, parseQuantity } from '../../schema/quantity.ts';
import { compareAmounts } from './resource-validation.ts';

const unit = fc.constantFrom('n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei', 'e3');
const amount = fc
  .tuple(fc.integer({ min: -5, max: 1e12 }), unit)
  .map(([number, suffix]) => canonicalQuantity(`${number}${suffix}`) ?? expect.unreachable());

it('compares amounts as quantities are compared', () => {
  fc.assert(
    fc.property(amount, amount, (a, b) => {
      const [left, right] = [parseQuantity(a), parseQuantity(b)];
      return left !== undefined && right !== undefined && compareAmounts(a, b) === compareQuantities(left, right);
    }),
    { numRuns: 2000 },
  );
  expect(['500m', '1', '128Mi'].map((small, at) => compareAmounts(small, ['1', '1', '1Gi'][at] ?? ''))).toEqual([
    -1, 0, -1,
  ]);
});
