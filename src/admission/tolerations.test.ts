import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Taint, Toleration } from '../kinds/core/taint.ts';
import { includes, mergeTolerations } from './tolerations.ts';

const effects = ['NoExecute', 'NoSchedule', 'PreferNoSchedule'] as const;
const taint = fc.record({
  key: fc.constantFrom('a', 'b'),
  value: fc.constantFrom('x', 'y'),
  effect: fc.constantFrom(...effects),
});
const toleration: fc.Arbitrary<Toleration> = fc.oneof(
  fc.record(
    { key: fc.constantFrom('a', 'b'), operator: fc.constant('Exists'), effect: fc.constantFrom(...effects) },
    { requiredKeys: ['operator'] },
  ),
  fc.record(
    {
      key: fc.constantFrom('a', 'b'),
      operator: fc.constant('Equal'),
      value: fc.constantFrom('x', 'y'),
      effect: fc.constantFrom(...effects),
    },
    { requiredKeys: ['key', 'value'] },
  ),
);

/** By the rules of who places pods. */
const tolerates = (one: Toleration, { key, value, effect }: Taint): boolean =>
  (!one.effect || one.effect === effect) &&
  (one.operator === 'Exists' ? !one.key || one.key === key : one.key === key && one.value === value);

it('what includes a toleration tolerates all that it does', () => {
  fc.assert(
    fc.property(toleration, toleration, taint, (wide, narrow, one) => {
      fc.pre(includes(wide, narrow));
      expect(tolerates(wide, one)).toBe(tolerates(wide, one) || tolerates(narrow, one));
    }),
  );
});

it('merged lists tolerate what either did, and hold nothing twice', () => {
  const some = fc.array(toleration, { maxLength: 5 });
  fc.assert(
    fc.property(some, some, taint, (first, second, one) => {
      const merged = mergeTolerations(first, second);
      const before = [...first, ...second].some((other) => tolerates(other, one));
      expect(merged.some((other) => tolerates(other, one))).toBe(before);
      for (const [at, wide] of merged.entries()) {
        expect(merged.some((narrow, other) => other !== at && includes(wide, narrow))).toBe(false);
      }
    }),
  );
});
