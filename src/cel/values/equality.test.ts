import fc from 'fast-check';
import { expect, it } from 'vitest';
import { equals, ItemIndex } from './equality.ts';
import { Meter } from './meter.ts';
import { Double, Uint } from './numbers.ts';

const meter = (): Meter => new Meter(1_000_000);

const item = fc.oneof(
  fc.constantFrom(0, -0, 1, 2 ** 53 - 1, 2n ** 53n, 2n ** 53n + 1n, true, false, null, '', '1', 'a'),
  fc.constantFrom(Number.NaN, 0, 1, 0.5, 2 ** 53, Number.POSITIVE_INFINITY).map((value) => new Double(value)),
  fc.constantFrom(0n, 1n, 2n ** 53n, 2n ** 53n + 1n).map((value) => new Uint(value)),
  fc.array(fc.constantFrom(1, 'a'), { maxLength: 2 }),
  fc.dictionary(fc.constantFrom('a', '__proto__'), fc.constantFrom(1, 2)),
);

it('an index finds an item exactly when it is equal to one of the list', () => {
  fc.assert(
    fc.property(fc.array(item, { maxLength: 8 }), item, (items, wanted) => {
      const expected = items.some((one) => equals(meter(), one, wanted));
      expect(new ItemIndex(meter(), items).has(wanted)).toBe(expected);
    }),
    { numRuns: 2_000, seed: 1 },
  );
});
