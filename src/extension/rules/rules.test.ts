import { describe, expect, it } from 'vitest';
import { failed, INTEGER, keyed, object, objectWith, problemsOf, ruled, STRING } from '../../../test/support/ruled.ts';
import type { JSONSchemaProps } from '../../kinds/apiextensions/json-schema.ts';
import { Problems } from '../../schema/problems.ts';
import { vocabularies } from '../../vocabulary/vocabulary.ts';
import { rulesOf } from './rules.ts';

const vocabulary = vocabularies.platform;

const RANGE = ruled(
  object({ min: INTEGER, max: INTEGER, mode: STRING }),
  { rule: 'self.min <= self.max', message: 'min is at most max' },
  "!has(self.mode) || self.mode in ['tls', 'plain']",
);
const NAME = object({ name: ruled(STRING, { rule: 'self == oldSelf', message: 'the name is fixed' }) });
const SIZES = object({
  parts: keyed(
    object({ key: STRING, size: ruled(INTEGER, { rule: 'self >= oldSelf', message: 'sizes grow' }) }),
    'key',
  ),
});

describe('rules of an object', () => {
  it.each<[string, object, unknown, unknown, string[]]>([
    ['holds', RANGE, { min: 1, max: 5 }, undefined, []],
    ['fails with its message', RANGE, { min: 7, max: 5 }, undefined, [failed('spec', 'object', 'min is at most max')]],
    [
      'fails with itself where it has none',
      RANGE,
      { min: 1, max: 5, mode: 'odd' },
      undefined,
      [failed('spec', 'object', "failed rule: !has(self.mode) || self.mode in ['tls', 'plain']")],
    ],
    [
      'stops at a missing field',
      RANGE,
      { max: 5 },
      undefined,
      [failed('spec', 'object', 'no such key: min evaluating rule: min is at most max')],
    ],
    [
      'is not asked about null',
      object({ a: ruled({ ...STRING, nullable: true }, 'false') }),
      { a: null },
      undefined,
      [],
    ],
    ['is not asked about what is missing', object({ a: ruled(STRING, 'false') }), {}, undefined, []],
    [
      'is asked about entries of maps, and told by their keys',
      object({ limits: { type: 'object', additionalProperties: ruled(INTEGER, 'self > 0') } }),
      { limits: { a: 1, 'x.y': 0 } },
      undefined,
      [failed('spec.limits[x.y]', 'integer', 'failed rule: self > 0')],
    ],
    [
      'is asked about items, and told by their positions',
      object({ hosts: { type: 'array', items: ruled(STRING, "self != 'b'") } }),
      { hosts: ['a', 'b', 'c', 'b'] },
      undefined,
      [
        failed('spec.hosts[1]', 'string', "failed rule: self != 'b'"),
        failed('spec.hosts[3]', 'string', "failed rule: self != 'b'"),
      ],
    ],
    [
      'takes numbers and texts where either may be',
      object({ port: ruled({ 'x-platform-int-or-string': true }, "type(self) == int ? self > 0 : self != ''") }),
      { port: 0 },
      undefined,
      [failed('spec.port', '', "failed rule: type(self) == int ? self > 0 : self != ''")],
    ],
    [
      'tells of an operand of another type',
      object({ port: ruled({ 'x-platform-int-or-string': true }, 'self > 5') }),
      { port: 'http' },
      undefined,
      [
        failed(
          'spec.port',
          '',
          "'no such overload': call arguments did not match a supported operator, function or macro signature for rule: self > 5",
        ),
      ],
    ],
    [
      'names fields by their escapes',
      ruled(
        object({ 'a-b': INTEGER, 'c.d/e': INTEGER, namespace: INTEGER, x__y: INTEGER }),
        'self.a__dash__b + self.c__dot__d__slash__e + self.__namespace__ + self.x__underscores__y == 10',
      ),
      { 'a-b': 1, 'c.d/e': 2, namespace: 3, x__y: 4 },
      undefined,
      [],
    ],
    [
      'reads times, durations and quantities',
      ruled(
        object({ at: { ...STRING, format: 'date-time' }, for: { ...STRING, format: 'duration' }, size: STRING }),
        "self.at + self.__for__ < timestamp('2026-01-02T00:00:00Z') && quantity(self.size).isLessThan(quantity('1Gi'))",
      ),
      { at: '2026-01-01T00:00:00Z', for: '1h', size: '1Mi' },
      undefined,
      [],
    ],
    [
      'sees of an embedded resource what it has to have',
      object({
        template: ruled(
          object({}, { 'x-platform-embedded-resource': true }),
          "self.metadata.name == 'x' && self.kind == 'K'",
        ),
      }),
      { template: { apiVersion: 'v1', kind: 'K', metadata: { name: 'y' } } },
      undefined,
      [failed('spec.template', 'object', "failed rule: self.metadata.name == 'x' && self.kind == 'K'")],
    ],
    [
      'takes a property of an odd name for a name',
      object(JSON.parse('{"__proto__": {"type": "integer", "x-platform-validations": [{"rule": "self > 0"}]}}')),
      JSON.parse('{"__proto__": -1}'),
      undefined,
      [failed('spec.__proto__', 'integer', 'failed rule: self > 0')],
    ],
    [
      'does not take what every object has for a property',
      object({ toString: ruled(STRING, 'false') }),
      {},
      undefined,
      [],
    ],
  ])('%s', (_, schema, value, old, expected) => {
    expect(problemsOf(schema, value, old)).toEqual(expected);
  });

  it('at the root are told of no field', () => {
    const rules = rulesOf(ruled(object({}), "self.metadata.name != 'leo'") as JSONSchemaProps, { vocabulary });
    const problems = new Problems();
    const leo = objectWith({});
    if (leo) rules?.check(leo, undefined, problems);
    expect(problems.found).toEqual([
      {
        field: '<nil>',
        reason: 'FieldValueInvalid',
        message: `Invalid value: "object": failed rule: self.metadata.name != 'leo'`,
      },
    ]);
  });

  it('are none where the schema has none', () => {
    expect(rulesOf(object({ spec: object({ a: STRING }) }) as JSONSchemaProps, { vocabulary })).toBe(undefined);
  });
});

describe('a rule about a change', () => {
  it.each<[string, object, unknown, unknown, string[]]>([
    ['is not asked of a new object', NAME, { name: 'a' }, undefined, []],
    ['holds', NAME, { name: 'a' }, { name: 'a' }, []],
    ['fails', NAME, { name: 'b' }, { name: 'a' }, [failed('spec.name', 'string', 'the name is fixed')]],
    ['is not asked where the field goes', NAME, {}, { name: 'a' }, []],
    ['nor where it comes', NAME, { name: 'a' }, {}, []],
    ['nor where it was null', NAME, { name: 'a' }, { name: null }, []],
    [
      'finds old items by their keys, wherever they stand',
      SIZES,
      {
        parts: [
          { key: 'y', size: 2 },
          { key: 'x', size: 3 },
          { key: 'z', size: 0 },
        ],
      },
      {
        parts: [
          { key: 'x', size: 3 },
          { key: 'y', size: 1 },
        ],
      },
      [],
    ],
    [
      'and holds them to what they were',
      SIZES,
      {
        parts: [
          { key: 'x', size: 5 },
          { key: 'y', size: 1 },
        ],
      },
      {
        parts: [
          { key: 'y', size: 2 },
          { key: 'x', size: 3 },
        ],
      },
      [failed('spec.parts[1].size', 'integer', 'sizes grow')],
    ],
    [
      'finds items by several keys, one of them by its default',
      object({
        ports: keyed(
          object({ port: INTEGER, protocol: { ...STRING, default: 'TCP' }, n: ruled(INTEGER, 'self >= oldSelf') }),
          'port',
          'protocol',
        ),
      }),
      {
        ports: [
          { port: 1, n: 1 },
          { port: 1, protocol: 'UDP', n: 1 },
        ],
      },
      {
        ports: [
          { port: 1, protocol: 'TCP', n: 2 },
          { port: 1, protocol: 'UDP', n: 1 },
        ],
      },
      [failed('spec.ports[0].n', 'integer', 'failed rule: self >= oldSelf')],
    ],
    [
      'finds entries by their keys',
      object({ map: { type: 'object', additionalProperties: ruled(INTEGER, 'self >= oldSelf') } }),
      { map: { a: 1, b: 1, c: 0 } },
      { map: { a: 1, b: 2 } },
      [failed('spec.map[b]', 'integer', 'failed rule: self >= oldSelf')],
    ],
    [
      'finds fields of what is shared as a whole',
      object({ whole: object({ n: ruled(INTEGER, 'self >= oldSelf') }, { 'x-platform-map-type': 'atomic' }) }),
      { whole: { n: 1 } },
      { whole: { n: 2 } },
      [failed('spec.whole.n', 'integer', 'failed rule: self >= oldSelf')],
    ],
    [
      'is asked about lists as a whole, sets in any order',
      object({ tags: ruled({ type: 'array', items: STRING, 'x-platform-list-type': 'set' }, 'self == oldSelf') }),
      { tags: ['a', 'b'] },
      { tags: ['b', 'a'] },
      [],
    ],
    [
      'is not asked about items of a list without keys, although a stored definition has it',
      object({ list: { type: 'array', items: ruled(INTEGER, 'self >= oldSelf') } }),
      { list: [1] },
      { list: [2] },
      [],
    ],
    [
      'can do without an old value where it says so',
      object({
        n: ruled(INTEGER, { rule: 'oldSelf.hasValue() ? self >= oldSelf.value() : self == 0', optionalOldSelf: true }),
      }),
      { n: 1 },
      undefined,
      [failed('spec.n', 'integer', 'failed rule: oldSelf.hasValue() ? self >= oldSelf.value() : self == 0')],
    ],
    [
      'and sees it where there is one',
      object({
        n: ruled(INTEGER, { rule: 'oldSelf.hasValue() ? self >= oldSelf.value() : self == 0', optionalOldSelf: true }),
      }),
      { n: 3 },
      { n: 2 },
      [],
    ],
  ])('%s', (_, schema, value, old, expected) => {
    expect(problemsOf(schema, value, old)).toEqual(expected);
  });
});

describe('what is told of a rule that fails', () => {
  const told = (rule: object, value: object = { n: 3 }): string[] =>
    problemsOf(
      ruled(object({ n: INTEGER, map: { type: 'object', additionalProperties: STRING } }), {
        rule: 'self.n < 3',
        ...rule,
      }),
      value,
    );

  it.each<[object, string]>([
    [{ messageExpression: "'n is ' + string(self.n)" }, failed('spec', 'object', 'n is 3')],
    [
      { messageExpression: "'n is ' + string(1 / (self.n - 3))", message: 'too large' },
      failed('spec', 'object', 'too large'),
    ],
    [{ messageExpression: "'  '" }, failed('spec', 'object', 'failed rule: self.n < 3')],
    [{ messageExpression: "'a\\nb'", message: 'm' }, failed('spec', 'object', 'm')],
    [{ messageExpression: "''.join(['x'].map(y, y))", message: 'm' }, failed('spec', 'object', 'rule compile error')],
    [{ fieldPath: '.n', message: 'm' }, failed('spec.n', 'object', 'm')],
    [{ fieldPath: ".map['a.b']", message: 'm' }, failed('spec.map[a.b]', 'object', 'm')],
    [{ reason: 'FieldValueForbidden', message: 'm' }, 'spec: Forbidden: m'],
    [{ reason: 'FieldValueRequired', message: 'm', fieldPath: '.n' }, 'spec.n: Required value: m'],
    [{ reason: 'FieldValueDuplicate', message: 'm' }, 'spec: Duplicate value: "object": m'],
    [{ reason: 'FieldValueInvalid', message: 'm' }, failed('spec', 'object', 'm')],
  ])('%j', (rule, expected) => {
    expect(told(rule).map((text) => text.replace(/(rule compile error).*/s, '$1'))).toEqual([expected]);
  });

  it('is where it is also when the evaluation fails', () => {
    expect(told({ fieldPath: '.map', reason: 'FieldValueRequired' }, {})).toEqual([
      failed('spec', 'object', 'no such key: n evaluating rule: self.n < 3'),
    ]);
  });
});

describe('an object whose structure is invalid', () => {
  const NOT_ASKED =
    '<nil>: Invalid value: "null": some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

  it('is not asked about, and that is told', () => {
    const problems = problemsOf(RANGE, { min: 'x', max: 5 }, undefined, (found) =>
      found.add('spec.min', 'FieldValueTypeInvalid', 'must be of type integer'),
    );
    expect(problems).toEqual(['spec.min: must be of type integer', NOT_ASKED]);
  });

  it('is asked about all the same when the problem is another', () => {
    const problems = problemsOf(RANGE, { min: 7, max: 5 }, undefined, (found) =>
      found.invalid('metadata.name', 'Leo', 'm'),
    );
    expect(problems.at(-1)).toBe(failed('spec', 'object', 'min is at most max'));
  });
});
