import { describe, expect, it } from 'vitest';
import { Problems } from '../../../schema/problems.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import type { JSONSchemaProps } from '../json-schema.ts';
import { ObjectValidator } from './object-validator.ts';

const vocabulary = vocabularies.platform;

/** What is wrong with `spec`: field, reason and message. */
function problemsOf(schema: object, spec: unknown, old?: unknown, ratcheting = false): string[] {
  const source = { type: 'object', properties: { spec: schema } } as unknown as JSONSchemaProps;
  const problems = new Problems();
  const before = old === undefined ? undefined : { spec: old };
  new ObjectValidator(source, { vocabulary, ratcheting }).validate({ spec }, problems, before);
  return problems.found.map(({ field, reason, message }) => `${field} ${reason}: ${message}`);
}

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const list = (items: object, more: object = {}) => ({ type: 'array', items, ...more });

describe('types', () => {
  it.each([
    [{ type: 'integer' }, 'x', 'integer', 'string'],
    [{ type: 'integer' }, 1.5, 'integer', 'number'],
    [{ type: 'string' }, 1, 'string', 'integer'],
    [{ type: 'string' }, null, 'string', 'null'],
    [{ type: 'boolean' }, {}, 'boolean', 'object'],
    [object({}), [], 'object', 'array'],
    [list({ type: 'string' }), 'x', 'array', 'string'],
    [{ 'x-platform-int-or-string': true }, true, 'integer,string', 'boolean'],
  ])('%j does not take %j', (schema, value, wanted, found) => {
    expect(problemsOf(schema, value)).toEqual([
      `spec FieldValueTypeInvalid: Invalid value: "${found}": spec in body must be of type ${wanted}: "${found}"`,
    ]);
  });

  it.each([
    [{ type: 'integer' }, 3],
    [{ type: 'integer' }, -0],
    [{ type: 'number' }, 3],
    [{ type: 'number' }, 1.5],
    [{ type: 'string', nullable: true }, null],
    [{ 'x-platform-int-or-string': true }, 3],
    [{ 'x-platform-int-or-string': true }, 'x'],
    [{ 'x-platform-preserve-unknown-fields': true }, [1, { a: null }]],
  ])('%j takes %j', (schema, value) => {
    expect(problemsOf(schema, value)).toEqual([]);
  });

  it('are looked at wherever values are', () => {
    const schema = object({
      tags: list({ type: 'string' }),
      map: { type: 'object', additionalProperties: object({ a: { type: 'integer' } }) },
    });
    expect(problemsOf(schema, { tags: ['a', 1], map: { k: { a: 'x' } } })).toEqual([
      'spec.tags[1] FieldValueTypeInvalid: Invalid value: "integer": spec.tags[1] in body must be of type string: "integer"',
      'spec.map.k.a FieldValueTypeInvalid: Invalid value: "string": spec.map.k.a in body must be of type integer: "string"',
    ]);
  });
});

describe('bounds', () => {
  const body = (what: string) => `spec in body ${what}`;
  it.each<[object, unknown, string]>([
    [{ maximum: 10 }, 11, `FieldValueInvalid: Invalid value: 11: ${body('should be less than or equal to 10')}`],
    [
      { maximum: 10, exclusiveMaximum: true },
      10,
      `FieldValueInvalid: Invalid value: 10: ${body('should be less than 10')}`,
    ],
    [{ minimum: 1 }, 0, `FieldValueInvalid: Invalid value: 0: ${body('should be greater than or equal to 1')}`],
    [
      { minimum: 0, exclusiveMinimum: true },
      0,
      `FieldValueInvalid: Invalid value: 0: ${body('should be greater than 0')}`,
    ],
    [{ multipleOf: 0.25 }, 0.3, `FieldValueInvalid: Invalid value: 0.3: ${body('should be a multiple of 0.25')}`],
    [{ maxLength: 5, pattern: '^[a-z]+$' }, 'UPPER-CASE', 'FieldValueTooLong: Too long: may not be longer than 5'],
    [{ minLength: 2 }, 'x', `FieldValueInvalid: Invalid value: "x": ${body('should be at least 2 chars long')}`],
    [{ maxLength: 1 }, '𝕏𝕏', 'FieldValueTooLong: Too long: may not be longer than 1'],
    [{ pattern: '^[a-z]+$' }, 'A', `FieldValueInvalid: Invalid value: "A": ${body("should match '^[a-z]+$'")}`],
    [{ maxItems: 2 }, ['a', 'b', 'c'], 'FieldValueTooMany: Too many: 3: must have at most 2 items'],
    [{ minItems: 1 }, [], `FieldValueInvalid: Invalid value: 0: ${body('should have at least 1 items')}`],
    [{ maxProperties: 1 }, { a: 1, b: 2 }, 'FieldValueTooMany: Too many: 2: must have at most 1 items'],
    [{ minProperties: 1 }, {}, `FieldValueInvalid: Invalid value: 0: ${body('should have at least 1 properties')}`],
    [
      { enum: ['red', 'green'] },
      'blue',
      'FieldValueNotSupported: Unsupported value: "blue": supported values: "red", "green"',
    ],
    [
      { enum: [1, { a: [1] }] },
      { a: [2] },
      'FieldValueNotSupported: Unsupported value: {"a":[2]}: supported values: "1", "{\\"a\\":[1]}"',
    ],
  ])('%j refuses %j', (schema, value, problem) => {
    expect(problemsOf(schema, value)).toEqual([`spec ${problem}`]);
  });

  it.each<[object, unknown]>([
    [{ maximum: 10, minimum: 10 }, 10],
    [{ multipleOf: 0.1 }, 0.3],
    [{ multipleOf: 3 }, -9],
    [{ maxLength: 1, minLength: 1 }, '𝕏'],
    [{ pattern: 'b' }, 'abc'],
    [{ enum: ['red', { b: 1, a: [1] }] }, { a: [1], b: 1 }],
    [{ enum: [null, 'a'], nullable: true }, null],
    [{ maximum: 1 }, 'no number'],
  ])('%j takes %j', (schema, value) => {
    expect(problemsOf(schema, value)).toEqual([]);
  });

  it('a factor of zero is a problem, and no crash', () => {
    expect(problemsOf({ multipleOf: 0 }, 1)).toHaveLength(1);
  });

  it('a property that is required must be there', () => {
    const schema = object({ colour: { type: 'string' } }, { required: ['colour', '__proto__'] });
    expect(problemsOf(schema, {})).toEqual([
      'spec.colour FieldValueRequired: Required value',
      'spec.__proto__ FieldValueRequired: Required value',
    ]);
    expect(problemsOf(schema, JSON.parse('{"colour":"","__proto__":1}'))).toEqual([]);
  });
});

describe('combinations', () => {
  const oneOf = object(
    { a: { type: 'string' }, b: { type: 'string' } },
    { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
  );
  const nil = (what: string) => `<nil> FieldValueInvalid: Invalid value: "": "spec" ${what}`;

  it('want one of several schemas, and tell what was missing to the first', () => {
    expect(problemsOf(oneOf, {})).toEqual([
      nil('must validate one and only one schema (oneOf). Found none valid'),
      'spec.a FieldValueRequired: Required value',
    ]);
    expect(problemsOf(oneOf, { a: 'x', b: 'y' })).toEqual([
      nil('must validate one and only one schema (oneOf). Found 2 valid alternatives'),
    ]);
    expect(problemsOf(oneOf, { b: 'y' })).toEqual([]);
  });

  it('want any of them', () => {
    const schema = { 'x-platform-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] };
    expect(problemsOf(schema, true)).toEqual([
      'spec FieldValueTypeInvalid: Invalid value: "boolean": spec in body must be of type integer,string: "boolean"',
      nil('must validate at least one schema (anyOf)'),
      'spec FieldValueTypeInvalid: Invalid value: "boolean": spec in body must be of type integer: "boolean"',
    ]);
    expect(problemsOf(schema, 'x')).toEqual([]);
  });

  it('want all of them', () => {
    const schema = { type: 'integer', allOf: [{ minimum: 3 }, { maximum: 5 }] };
    expect(problemsOf(schema, 6)).toEqual([
      'spec FieldValueInvalid: Invalid value: 6: spec in body should be less than or equal to 5',
      nil('must validate all the schemas (allOf)'),
    ]);
    expect(problemsOf(schema, 4)).toEqual([]);
  });

  it('want one not to be', () => {
    const schema = object({ n: { type: 'integer' } }, { not: { properties: { n: { enum: [13] } }, required: ['n'] } });
    expect(problemsOf(schema, { n: 13 })).toEqual([nil('must not validate the schema (not)')]);
    expect(problemsOf(schema, { n: 12 })).toEqual([]);
    expect(problemsOf(schema, {})).toEqual([]);
  });
});

describe('formats', () => {
  it.each([
    ['date', '2020-02-29', '2020-02-30'],
    ['date-time', '2020-01-01T00:00:00+01:00', 'yesterday'],
    ['datetime', '2020-01-01T00:00:00.5Z', '2020-01-01'],
    ['duration', '1h30m', 'long'],
    ['duration', '3 weeks', '3 cats'],
    ['byte', 'aGk=', '?'],
    ['ipv4', '10.0.0.1', '10.0.0.256'],
    ['ipv6', '::1', '10.0.0.1'],
    ['cidr', '10.0.0.0/8', '10.0.0.0'],
    ['uuid', '6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'x'],
    ['uuid3', '6ba7b810-9dad-31d1-80b4-00c04fd430c8', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'],
    ['uuid4', '6ba7b810-9dad-41d1-80b4-00c04fd430c8', '6ba7b810-9dad-41d1-70b4-00c04fd430c8'],
    ['uuid5', '6ba7b8109dad51d180b400c04fd430c8', '6ba7b810-9dad-41d1-80b4-00c04fd430c8'],
    ['email', 'a@example.com', 'nobody'],
    ['email', 'A Person <a.b@example.com>', 'a@b@c d'],
    ['hostname', 'a.example.com', '-a-'],
    ['hostname', 'host-1', '10.0.0.1'],
    ['uri', 'https://a/b', ':'],
    ['mac', '00:00:5e:00:53:01', '1'],
    ['mac', '0000.5e00.5301', '00:00:5e:00-53:01'],
    ['isbn10', '0-306-40615-2', '0-306-40615-3'],
    ['isbn13', '978-0-306-40615-7', '978-0-306-40615-8'],
    ['isbn', '0306406152', '0306406153'],
    ['creditcard', '4111 1111 1111 1111', '4111 1111 1111 1112'],
    ['ssn', '111-22-3333', '111-22-333'],
    ['hexcolor', '#fff', '#ffff'],
    ['rgbcolor', 'rgb(0, 255, 12)', 'rgb(0,256,12)'],
    ['bsonobjectid', '507f1f77bcf86cd799439011', '507f'],
  ])('%s is %j and not %j', (format, right, wrong) => {
    const schema = { type: 'string', format };
    expect(problemsOf(schema, right)).toEqual([]);
    expect(problemsOf(schema, wrong)).toEqual([
      `spec FieldValueTypeInvalid: Invalid value: "${wrong}": spec in body must be of type ${format}: "${wrong}"`,
    ]);
  });

  it('that are not known, and those of numbers, are remarks', () => {
    expect(problemsOf({ type: 'string', format: 'no-such-format' }, '?')).toEqual([]);
    expect(problemsOf({ type: 'string', format: 'password' }, '?')).toEqual([]);
    expect(problemsOf({ type: 'integer', format: 'int32' }, 3_000_000_000)).toEqual([]);
  });
});

describe('lists whose items are told apart', () => {
  const set = list({ type: 'string' }, { 'x-platform-list-type': 'set' });
  const keyed = list(object({ name: { type: 'string' }, port: { type: 'integer' } }), {
    ...{ 'x-platform-list-type': 'map', 'x-platform-list-map-keys': ['name', 'port'] },
  });

  it('have no item twice', () => {
    expect(problemsOf(set, ['a', 'b', 'a'])).toEqual(['spec[2] FieldValueDuplicate: Duplicate value: "a"']);
    const items = [
      { name: 'a', port: 1 },
      { name: 'a', port: 2 },
      { port: 1, name: 'a', more: 1 },
    ];
    expect(problemsOf(object({ keyed }), { keyed: items })).toEqual([
      'spec.keyed[2] FieldValueDuplicate: Duplicate value: {"name":"a","port":1}',
    ]);
    expect(problemsOf(keyed, items.slice(0, 2))).toEqual([]);
  });

  it('may stay as they are when they had one twice before', () => {
    expect(problemsOf(set, ['a', 'a', 'b'], ['a', 'a'])).toEqual([]);
    expect(problemsOf(set, ['a', 'a'], ['a'])).toHaveLength(1);
  });
});

describe('objects inside of others', () => {
  const part = { type: 'object', 'x-platform-embedded-resource': true, 'x-platform-preserve-unknown-fields': true };

  it('have a version and a kind', () => {
    expect(problemsOf(object({ parts: list(part) }), { parts: [{ kind: 'Thing' }, { apiVersion: 'v1' }] })).toEqual([
      'spec.parts[0].apiVersion FieldValueRequired: Required value: must not be empty',
      'spec.parts[1].kind FieldValueRequired: Required value: must not be empty',
    ]);
    expect(problemsOf(part, { apiVersion: 'a/b/c', kind: 'not a kind' })).toEqual([
      expect.stringMatching(/^spec\.apiVersion FieldValueInvalid: .*unexpected GroupVersion string: a\/b\/c$/),
      expect.stringMatching(/^spec\.kind FieldValueInvalid: .*may have mixed case, but should otherwise match: /),
    ]);
  });

  it('have metadata as any object, but need no name', () => {
    const metadata = { labels: { l: 'not ok!' }, annotations: { 'a b': 'x' } };
    expect(problemsOf(object({ part }), { part: { apiVersion: 'v1', kind: 'Thing', metadata } })).toEqual([
      expect.stringMatching(/^spec\.part\.metadata\.labels FieldValueInvalid: Invalid value: "not ok!": a valid label/),
      expect.stringMatching(
        /^spec\.part\.metadata\.annotations FieldValueInvalid: Invalid value: "a b": name part must/,
      ),
    ]);
    expect(problemsOf(part, { apiVersion: 'v1', kind: 'Thing', metadata: { namespace: 'n' } })).toEqual([]);
  });
});

describe('ratcheting', () => {
  const schema = object({
    a: { type: 'integer', maximum: 1 },
    b: { type: 'integer', maximum: 1 },
    items: list(object({ k: { type: 'string' }, v: { type: 'integer', maximum: 1 } }), {
      'x-platform-list-type': 'map',
      'x-platform-list-map-keys': ['k'],
    }),
  });
  const kept = { k: 'x', v: 5 };
  const old = { a: 5, b: 1, items: [kept] };

  it('leaves alone what an update does, also in items that have keys', () => {
    expect(problemsOf(schema, { a: 5, b: 0, items: [{ k: 'y', v: 1 }, kept] }, old, true)).toEqual([]);
    expect(problemsOf(schema, { a: 6, b: 1, items: [{ k: 'x', v: 6 }] }, old, true)).toHaveLength(2);
  });

  it('is not done unless it is asked for', () => {
    expect(problemsOf(schema, { ...old, b: 0 }, old)).toHaveLength(2);
  });
});
