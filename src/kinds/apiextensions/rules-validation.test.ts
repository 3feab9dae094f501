import { describe, expect, it } from 'vitest';
import { atOnce } from '../../runtime/pacing.ts';
import { Path } from '../../schema/path.ts';
import { Problems } from '../../schema/problems.ts';
import { vocabularies } from '../../vocabulary/vocabulary.ts';
import type { CustomResourceDefinitionSpec } from './custom-resource-definition.ts';
import type { JSONSchemaProps, ValidationRule } from './json-schema.ts';
import { validateRuleFields } from './rule-fields.ts';
import { checkRules } from './rules-validation.ts';
import { validateRules } from './version-validation.ts';

const vocabulary = vocabularies.platform;
const ROOT = Path.of('schema');

/** `field: message` of every problem. */
const told = ({ found }: Problems): string[] => found.map(({ field, message }) => `${field}: ${message}`);

function problemsOf(schema: object): string[] {
  const problems = new Problems();
  atOnce(checkRules(schema as JSONSchemaProps, ROOT, problems, vocabulary));
  return told(problems);
}

const withRules = (schema: object, ...rules: readonly (string | ValidationRule)[]): object => ({
  ...schema,
  'x-platform-validations': rules.map((rule) => (typeof rule === 'string' ? { rule } : rule)),
});
const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });
const A = { a: { type: 'integer' } };
const AT = 'schema.x-platform-validations[0]';
const ADVICE =
  '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';

describe('rules of a schema', () => {
  it('are fine where they compile and cost little', () => {
    expect(problemsOf(withRules(object(A), 'self.a > 1', 'self.metadata.name != self.kind'))).toEqual([]);
  });

  it('are told where they do not compile, with the rule', () => {
    expect(problemsOf(withRules(object(A), 'self.b > 1'))).toEqual([
      `${AT}.rule: Invalid value: {"rule":"self.b > 1"}: compilation failed: ERROR: <input>:1:5: undefined field 'b'\n | self.b > 1\n | ....^`,
    ]);
    expect(problemsOf(withRules(object(A), 'self.a + 1'))).toEqual([
      `${AT}.rule: Invalid value: {"rule":"self.a + 1"}: cel expression must evaluate to a bool`,
    ]);
  });

  it('are told where their messages do not compile', () => {
    const [problem] = problemsOf(withRules(object(A), { rule: 'true', messageExpression: 'self.a' }));
    expect(problem).toMatch(/^schema.*\[0\]\.messageExpression: .*messageExpression must evaluate to a string$/);
  });

  it('do not see what is kept without being declared', () => {
    const kept = withRules({ type: 'object', 'x-platform-preserve-unknown-fields': true }, 'has(self.x)');
    expect(problemsOf(object({ kept }))).toEqual([expect.stringContaining("undefined field 'x'")]);
  });

  it('see metadata of the root and of embedded resources alone', () => {
    const rule = "self.metadata.name == 'x'";
    expect(problemsOf(withRules(object({}), rule))).toEqual([]);
    expect(problemsOf(object({ part: withRules(object({}, { 'x-platform-embedded-resource': true }), rule) }))).toEqual(
      [],
    );
    expect(problemsOf(object({ part: withRules(object({}), rule) }))).toHaveLength(1);
  });
});

describe('what rules may cost', () => {
  const all = 'self.all(x, self.all(y, x != y))';

  it('is bounded for one rule, and the message names the estimate and what drives it', () => {
    const [problem = ''] = problemsOf(
      object({ list: withRules({ type: 'array', items: { type: 'string', maxLength: 5 }, maxItems: 4_000 }, all) }),
    );
    expect(problem).toContain(`Forbidden: estimated rule cost exceeds budget by factor of`);
    expect(problem).toMatch(/the estimate is [\d.e+]+, the limit 10000000$/);
  });

  it('names what has no bound', () => {
    const problems = problemsOf(object({ list: withRules({ type: 'array', items: { type: 'string' } }, all) }));
    const at = 'schema.properties[list].x-platform-validations[0].rule: Forbidden:';
    expect(problems).toHaveLength(3);
    expect(problems[0]).toContain(`${at} estimated rule cost exceeds budget by factor of more than 100x ${ADVICE}`);
    expect(problems[0]).toMatch(/self has no maxItems/);
    expect(problems[1]).toBe(
      `${at} contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema`,
    );
    expect(problems[2]).toContain(
      'schema: Forbidden: x-platform-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget',
    );
  });

  it('grows with the bounds of the lists and maps around', () => {
    const rule = 'self.all(x, x > 0)';
    const inner = withRules({ type: 'array', items: { type: 'integer' }, maxItems: 1_000 }, rule);
    const around = (maxItems: number): object => object({ list: { type: 'array', items: inner, maxItems } });
    expect(problemsOf(around(100))).toEqual([]);
    expect(problemsOf(around(10_000))).toHaveLength(1);
    expect(
      problemsOf(object({ map: { type: 'object', additionalProperties: inner, maxProperties: 10_000 } })),
    ).toHaveLength(1);
  });

  it('is bounded for all rules together', () => {
    const costly = withRules(
      { type: 'array', items: { type: 'integer' }, maxItems: 1_000 },
      'self.all(x, self.all(y, x != y))',
    );
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`list${at}`, costly]));
    const problems = problemsOf(object(many));
    expect(problems.filter((problem) => problem.includes('contributed to'))).toHaveLength(4);
    expect(problems.at(-1)).toMatch(/^schema: Forbidden: .* exceeds budget by factor of/);
    expect(problems).toHaveLength(5);
  });

  it('includes their text', () => {
    const rules = Array.from({ length: 40 }, (_, at) => `self.a != ${at} || '${'x'.repeat(9_000)}' == ''`);
    expect(problemsOf(withRules(object(A), ...rules))).toEqual([
      'schema: Forbidden: rules must have at most 262144 characters together',
    ]);
  });
});

describe('old values', () => {
  const rule = 'self >= oldSelf';
  const item = withRules({ type: 'integer' }, rule);
  const keyed = { 'x-platform-list-type': 'map', 'x-platform-list-map-keys': ['k'] };
  const listOf = (items: object, more: object = {}): object => ({ type: 'array', items, maxItems: 5, ...more });

  it.each([
    ['a field', object({ x: item }), undefined],
    ['an entry of a map', object({ x: { type: 'object', additionalProperties: item, maxProperties: 5 } }), undefined],
    ['an item with keys', object({ x: listOf(object({ k: { type: 'string' }, v: item }), keyed) }), undefined],
    ['the list itself', object({ x: withRules(listOf({ type: 'integer' }), 'self == oldSelf') }), undefined],
    ['an item', object({ x: listOf(item) }), 'schema.properties[x]'],
    ['an item of a set', object({ x: listOf(item, { 'x-platform-list-type': 'set' }) }), 'schema.properties[x]'],
    [
      'an item with keys in a list without',
      object({ x: listOf(listOf(object({ k: { type: 'string' }, v: item }), keyed)) }),
      'schema.properties[x]',
    ],
  ])('of %s', (_, schema, within) => {
    const problem = `Invalid value: "${rule}": oldSelf cannot be used on the uncorrelatable portion of the schema within ${within}`;
    const problems = problemsOf(schema);
    expect(problems.map((text) => text.replace(/^[^:]*: /, ''))).toEqual(within === undefined ? [] : [problem]);
  });

  it('are optional only where they are asked for', () => {
    expect(problemsOf(withRules(object(A), { rule: 'self.a > 1', optionalOldSelf: true }))).toEqual([
      `${AT}.optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule`,
    ]);
    const rule = '!oldSelf.hasValue() || self.a >= oldSelf.value().a';
    expect(problemsOf(withRules(object(A), { rule, optionalOldSelf: true }))).toEqual([]);
  });
});

describe('rules of a definition', () => {
  const broken = withRules(object(A), 'self.b') as JSONSchemaProps;
  const specOf = (...schemas: readonly JSONSchemaProps[]): CustomResourceDefinitionSpec =>
    ({
      versions: schemas.map((openAPIV3Schema, at) => ({ name: `v${at + 1}`, schema: { openAPIV3Schema } })),
    }) as unknown as CustomResourceDefinitionSpec;
  const fieldsOf = (
    spec: CustomResourceDefinitionSpec,
    old?: CustomResourceDefinitionSpec,
    first?: string,
  ): string[] => {
    const problems = new Problems();
    if (first !== undefined) problems.required(first);
    atOnce(validateRules(spec, old, problems, vocabulary));
    return problems.found.map(({ field }) => field).filter((field) => field !== first);
  };
  const RULE = 'x-platform-validations[0].rule';

  it('are told once where all versions have the same schema, and else for each', () => {
    expect(fieldsOf(specOf(broken, structuredClone(broken)))).toEqual([`spec.validation.openAPIV3Schema.${RULE}`]);
    expect(fieldsOf(specOf(broken, object({}) as JSONSchemaProps))).toEqual([
      `spec.versions[0].schema.openAPIV3Schema.${RULE}`,
    ]);
  });

  it('are not looked at again where the schema is the one that was there', () => {
    expect(fieldsOf(specOf(broken), specOf(broken))).toEqual([]);
    expect(fieldsOf(specOf(structuredClone(broken)), specOf(broken))).toHaveLength(1);
  });

  it('are not looked at where the schema has other problems', () => {
    expect(fieldsOf(specOf(broken), undefined, 'spec.validation.openAPIV3Schema.properties[x].type')).toEqual([]);
    expect(fieldsOf(specOf(broken), undefined, 'spec.scope')).toHaveLength(1);
  });
});

describe('fields of a rule', () => {
  const schema = object({
    a: object({ 'b.c': { type: 'string' } }),
    map: { type: 'object', additionalProperties: object({ x: { type: 'string' } }) },
    list: { type: 'array', items: { type: 'string' } },
  });
  const fieldsOf = (rule: object): string[] => {
    const problems = new Problems();
    const written = withRules(schema, { rule: 'true', ...rule } as ValidationRule) as JSONSchemaProps;
    validateRuleFields(written, { path: ROOT, problems, vocabulary });
    return told(problems).map((text) => text.replace(`${AT}.`, ''));
  };

  it.each([
    [{ rule: ' ' }, ['rule: Required value: rule is not specified']],
    [{ message: ' ' }, ['message: Invalid value: " ": message must be non-empty if specified']],
    [{ message: 'a\nb' }, ['message: Invalid value: "a\\nb": message must not contain line breaks']],
    [{ rule: 'true\n|| false' }, ['message: Required value: message must be specified if rule contains line breaks']],
    [{ rule: 'true\n|| false', message: 'm' }, []],
    [
      { messageExpression: ' ' },
      ['messageExpression: Required value: messageExpression must be non-empty if specified'],
    ],
    [{ rule: `'${'x'.repeat(10_000)}' == ''` }, ['rule: Too long: must have at most 10000 bytes']],
    [{ messageExpression: `'${'x'.repeat(10_000)}'` }, ['messageExpression: Too long: must have at most 10000 bytes']],
    [{ reason: 'FieldValueForbidden' }, []],
    [
      { reason: 'Odd' },
      [
        'reason: Unsupported value: "Odd": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
      ],
    ],
    [{ fieldPath: '.a' }, []],
    [{ fieldPath: ".a['b.c']" }, []],
    [{ fieldPath: '.map.k.x' }, []],
    [{ fieldPath: "['map']['it\\'s'].x" }, []],
    [{ fieldPath: ' ' }, ['fieldPath: Invalid value: " ": fieldPath must be non-empty if specified']],
    [{ fieldPath: '.a\n.b' }, ['fieldPath: Invalid value: ".a\\n.b": fieldPath must not contain line breaks']],
    [
      { fieldPath: '.b' },
      ['fieldPath: Invalid value: ".b": fieldPath must be a valid path: does not refer to a valid field'],
    ],
    [
      { fieldPath: '.toString' },
      ['fieldPath: Invalid value: ".toString": fieldPath must be a valid path: does not refer to a valid field'],
    ],
    [
      { fieldPath: '.list[0]' },
      [
        'fieldPath: Invalid value: ".list[0]": fieldPath must be a valid path: expected a field or a quoted key at "[0]"',
      ],
    ],
    [
      { fieldPath: "['\\q']" },
      ['fieldPath: Invalid value: "[\'\\\\q\']": fieldPath must be a valid path: invalid string literal: \\q'],
    ],
  ])('%j', (rule, problems) => {
    expect(fieldsOf(rule)).toEqual(problems);
  });
});
