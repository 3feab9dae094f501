import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Taint, Toleration } from '../../kinds/core/node/taint.ts';
import { sameJson } from '../../schema/same-json.ts';
import { mergeTolerations, TolerationSet } from './tolerations.ts';

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

const secondsOf = ({ tolerationSeconds }: Toleration): number => tolerationSeconds ?? Number.POSITIVE_INFINITY;

/** What `TolerationSet` finds by looking it up, found by comparing two. */
function includes(wide: Toleration, narrow: Toleration): boolean {
  if (sameJson(wide, narrow)) return true;
  const isForEverything = !wide.key && wide.operator === 'Exists';
  if ((wide.key ?? '') !== (narrow.key ?? '') && !isForEverything) return false;
  if (wide.effect && wide.effect !== narrow.effect) return false;
  if (wide.effect === 'NoExecute' && secondsOf(wide) < secondsOf(narrow)) return false;
  if (wide.operator === 'Exists') return true;
  return narrow.operator !== 'Exists' && (wide.value ?? '') === (narrow.value ?? '');
}

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

it('a set includes what one of its own includes, and merging leaves out what another includes', () => {
  const timed = fc.tuple(toleration, fc.option(fc.nat(3), { nil: undefined })).map(
    ([one, tolerationSeconds]): Toleration => ({
      ...one,
      ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
    }),
  );
  fc.assert(
    fc.property(fc.array(timed, { maxLength: 8 }), timed, (all, narrow) => {
      expect(new TolerationSet(all).includes(narrow)).toBe(all.some((wide) => includes(wide, narrow)));
      const kept: Toleration[] = [];
      for (const [at, one] of all.entries()) {
        const isIncludedLater = all.slice(at + 1).some((later) => !sameJson(later, one) && includes(later, one));
        if (!isIncludedLater && !kept.some((other) => includes(other, one))) kept.push(one);
      }
      expect(mergeTolerations(all, [])).toEqual(kept);
    }),
    { numRuns: 2_000 },
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
