import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failed, INTEGER, object, objectWith, problemsOf, ruled, STRING } from '../../../test/support/ruled.ts';
import { cacheSizes } from '../../bounds/caches.ts';
import { Budget } from '../../cel/rule.ts';
import type { JSONSchemaProps } from '../../kinds/apiextensions/json-schema.ts';
import { ruleCompiler } from '../../kinds/apiextensions/rule-compiler.ts';
import { Problems } from '../../schema/problems.ts';
import { vocabularies } from '../../vocabulary/vocabulary.ts';
import { rulesOf } from './rules.ts';

const vocabulary = vocabularies.platform;

describe('hostile rules', () => {
  const long = Array.from({ length: 2_000 }, (_, at) => at);
  const NESTED = 'self.all(x, self.all(y, self.all(z, x + y + z >= 0)))';

  it('end, and no further rule is asked', () => {
    const list = { type: 'array', items: INTEGER };
    const problems = problemsOf(object({ a: ruled(list, NESTED, 'false'), b: ruled(list, 'false') }), {
      a: long,
      b: [],
    });
    expect(problems).toEqual([
      failed(
        'spec.a',
        'array',
        `'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${NESTED}`,
      ),
    ]);
  });

  it('that are cheap one by one end for one object together', () => {
    const rule = 'self.all(x, self.all(y, x != y || x == y))';
    const item = ruled({ type: 'array', items: INTEGER }, rule);
    const values = Array.from({ length: 200 }, () => long.slice(0, 100));
    const problems = problemsOf(object({ lists: { type: 'array', items: item } }), { lists: values });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(
      'validation failed due to running out of cost budget, no further validation rules will be run',
    );
  });

  it('let others have their turn', () => {
    const rules = rulesOf(
      object({ spec: object({ a: ruled({ type: 'array', items: INTEGER }, NESTED) }) }) as JSONSchemaProps,
      { vocabulary },
    );
    const leo = objectWith({ a: long });
    const steps = leo && rules?.checkInSteps(leo, undefined, new Problems());
    let rests = 0;
    while (steps && !steps.next().done) rests++;
    expect(rests).toBeGreaterThan(50);
  });

  it('let others have their turn while values are many', () => {
    const spec = object({ a: { type: 'array', items: object({ b: ruled(INTEGER, 'self > 0') }) } });
    const rules = rulesOf(object({ spec }) as JSONSchemaProps, { vocabulary });
    const leo = objectWith({ a: Array.from({ length: 10_000 }, () => ({})) });
    const steps = leo && rules?.checkInSteps(leo, undefined, new Problems());
    let rests = 0;
    while (steps && !steps.next().done) rests++;
    expect(rests).toBeGreaterThan(30);
  });
});

describe('what is compiled', () => {
  const bytes = (): number => cacheSizes().find(({ name }) => name === 'rules-of-custom-kinds')?.bytes ?? Number.NaN;

  it('is remembered within bounds', () => {
    const rule = `self.a != 1 || '${'x'.repeat(5_000)}' == ''`;
    for (let at = 0; at < 200; at++) {
      expect(problemsOf(ruled(object({ a: INTEGER }), rule), { a: at + 2 })).toEqual([]);
    }
    expect(bytes()).toBeGreaterThan(0);
    expect(bytes()).toBeLessThan(65 << 20);
  });
});

it('a rule says the same through the walk and by itself', () => {
  const schema = object({
    a: INTEGER,
    b: { type: 'array', items: STRING },
    c: { type: 'object', additionalProperties: INTEGER },
  });
  const rule = fc.constantFrom(
    'self.a > 3',
    'has(self.a) && self.a != 2',
    'self.b.all(x, x.size() < 3)',
    'self.b.exists_one(x, x == "a")',
    'self.c.all(k, self.c[k] > 0)',
    'self == oldSelf',
    'self.a >= oldSelf.a',
    'self.b == oldSelf.b || self.c == oldSelf.c',
    'size(self.b) + size(self.c) <= self.a',
    "'x' in self.c && self.c.x > 1",
  );
  const value = fc.record(
    {
      a: fc.integer({ min: 0, max: 5 }),
      b: fc.array(fc.constantFrom('a', 'b', 'long'), { maxLength: 3 }),
      c: fc.dictionary(fc.constantFrom('x', 'y'), fc.integer({ min: -1, max: 2 })),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(rule, value, fc.option(value, { nil: undefined }), (source, self, oldSelf) => {
      const result = ruleCompiler(vocabulary).compileRule({ rule: source }, schema as JSONSchemaProps);
      if ('problems' in result) throw new Error(result.problems.map(({ message }) => message).join('\n'));
      const isAsked = !result.compiled.usesOldSelf || oldSelf !== undefined;
      const verdict = isAsked ? result.compiled.evaluate(self, oldSelf, new Budget()) : { outcome: 'holds' as const };
      const expected = verdict.outcome === 'holds' ? [] : [failed('spec', 'object', verdict.message)];
      expect(problemsOf(ruled(schema, source), self, oldSelf)).toEqual(expected);
    }),
    { numRuns: 500, seed: 15 },
  );
});
