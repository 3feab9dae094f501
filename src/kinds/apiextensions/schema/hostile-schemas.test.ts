import { describe, expect, it } from 'vitest';
import { atOnce } from '../../../runtime/pacing.ts';
import { canonicalise } from '../../../schema/derive/canonical.ts';
import { applyDefaults } from '../../../schema/derive/defaults.ts';
import { Problems } from '../../../schema/problems.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import type { JSONSchemaProps } from '../json-schema.ts';
import { compileSchema } from './compile.ts';

/** What is wrong with `spec`, which is read first. */
function problemsOf(schema: object, spec: unknown) {
  const source = { type: 'object', properties: { spec: schema } } as unknown as JSONSchemaProps;
  const compiled = compileSchema(source, { name: 'test.Box', vocabulary: vocabularies.platform });
  const { value } = canonicalise(compiled.schema, { spec });
  applyDefaults(compiled.schema, value);
  const problems = new Problems();
  atOnce(compiled.validateInSteps(value, problems));
  return problems.found;
}

const nested = (depth: number, wrap: (inner: object) => object, innermost: object): object => {
  let schema = innermost;
  for (let at = 0; at < depth; at++) schema = wrap(schema);
  return schema;
};

const TOO_COSTLY = expect.objectContaining({ message: expect.stringContaining('takes more than 100000000 steps') });

describe('hostile schemas', () => {
  it('may be a thousand levels deep', () => {
    const objects = nested(1_000, (a) => ({ type: 'object', properties: { a } }), { type: 'string', default: 'x' });
    expect(problemsOf(objects, { a: { a: { a: 1 } } })).toHaveLength(1);
    const lists = nested(1_000, (items) => ({ type: 'array', items }), { type: 'string' });
    expect(problemsOf(lists, [[['x']]])).toHaveLength(1);
    const logic = nested(1_000, (not) => ({ not }), { enum: ['x'] });
    expect(problemsOf({ type: 'string', ...logic }, 'x')).toEqual([]);
    const all = nested(1_000, (inner) => ({ allOf: [inner] }), { maxLength: 1 });
    expect(problemsOf({ type: 'string', ...all }, 'xx')).toHaveLength(1_001);
  });

  it('may have an enumeration of ten megabytes, of which messages show a little', () => {
    const values = Array.from({ length: 10_000 }, (_, at) => `${at}`.padStart(1_000, 'x'));
    const schema = { type: 'string', enum: values };
    expect(problemsOf(schema, values[9_999])).toEqual([]);
    const [problem] = problemsOf(schema, 'y');
    expect(problem?.reason).toBe('FieldValueNotSupported');
    expect(problem?.message.length).toBeLessThan(10_000);
  });

  it('may have patterns that others choke on', () => {
    const text = `${'a'.repeat(50_000)}!`;
    for (const pattern of ['^(a+)+$', '(a|a)*b', '(.*a){20}', '^(([a-z])+.)+[A-Z]([a-z])+$']) {
      expect(problemsOf({ type: 'string', pattern }, text).length, pattern).toBeLessThanOrEqual(1);
    }
  });

  it('are given up when a pattern is too large, or takes too long', () => {
    expect(problemsOf({ type: 'string', pattern: '((a{100}){100}){100}' }, 'a')).toEqual([
      expect.objectContaining({ message: expect.stringContaining('regular expression is too large') }),
    ]);
    const slow = { type: 'array', items: { type: 'string', pattern: '(a{1000}|b)*c{1000}' } };
    expect(problemsOf(slow, Array(1_000).fill('ab'.repeat(500)))).toEqual([TOO_COSTLY]);
  });

  it('are given up when their combinations take too long, naming the place', () => {
    const wide = { anyOf: Array.from({ length: 1_000 }, (_, minimum) => ({ minimum: minimum + 1 })) };
    const schema = { type: 'object', properties: { many: { type: 'array', items: { type: 'integer', ...wide } } } };
    const problems = problemsOf(schema, { many: Array(10_000).fill(0) });
    expect(problems).toEqual([TOO_COSTLY]);
    expect(problems[0]?.field).toMatch(/^spec\.many\[\d+\]$/);
  });

  it('tell no more of very many problems than anyone reads', () => {
    const schema = { type: 'array', items: { type: 'string' } };
    expect(problemsOf(schema, Array(40_000).fill(1)).length).toBeLessThan(1_002);
  });
});
