import fc from 'fast-check';
import { expect, it } from 'vitest';
import { boundsLook, numberCheck, textCheck } from './scalar-checks.ts';

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 1 });

const schema = fc
  .record({
    maxLength: optional(fc.nat(6)),
    minLength: optional(fc.nat(4)),
    pattern: optional(fc.constant('a')),
    format: optional(fc.constantFrom('date', 'nothing')),
    maximum: optional(fc.integer({ min: -3, max: 3 })),
    minimum: optional(fc.integer({ min: -3, max: 3 })),
    exclusiveMaximum: optional(fc.boolean()),
    exclusiveMinimum: optional(fc.boolean()),
    multipleOf: optional(fc.constant(2)),
  })
  .map((words) => Object.fromEntries(Object.entries(words).filter(([, value]) => value !== undefined)));

const value = fc.oneof(fc.string({ unit: 'binary', maxLength: 8 }), fc.integer({ min: -5, max: 5 }));

it('sees at a look only what the checks find nothing in', () => {
  let met = 0;
  fc.assert(
    fc.property(schema, value, (source, one) => {
      if (!boundsLook(source)(one)) return;
      met++;
      const found = () => {
        throw new Error('found');
      };
      const findings = { tooLong: found, invalid: found, wrongType: found } as never;
      const at = undefined as never;
      if (typeof one === 'string') textCheck(source)?.(one, at, findings, at);
      else numberCheck(source)?.(one, at, findings, at);
    }),
    { numRuns: 3_000 },
  );
  expect(met).toBeGreaterThan(200);
});
