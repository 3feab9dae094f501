import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sharingOf } from '../../../apply/derive-sharing.ts';
import { compare, ownedFields } from '../../../apply/difference.ts';
import { FieldSet } from '../../../apply/field-set.ts';
import { encodeFields, type FieldsV1 } from '../../../apply/fields-v1.ts';
import { Later } from '../../../runtime/later.ts';
import { atOnce } from '../../../runtime/pacing.ts';
import { canonicalise, settle } from '../../../schema/derive/canonical.ts';
import { applyDefaults } from '../../../schema/derive/defaults.ts';
import type { Node } from '../../../schema/node.ts';
import { Problems } from '../../../schema/problems.ts';
import { string } from '../../../schema/scalars.ts';
import { f, list, map, struct } from '../../../schema/schema.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import type { JSONSchemaProps } from '../json-schema.ts';
import { type CompiledSchema, compileSchema } from './compile.ts';
import { structureOf } from './structure.ts';

const vocabulary = vocabularies.platform;

/** Few names, so that schemas and values meet; some that objects have of their own. */
const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', '1');

const scalar = fc.oneof(
  fc.constantFrom('', 'a', 'b'),
  fc.integer({ min: -2, max: 2 }),
  fc.constantFrom(0.5, true, false),
);
const anyValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

const limits = fc.record(
  {
    minimum: fc.integer({ min: -1, max: 1 }),
    maxLength: fc.constant(0),
    enum: fc.array(scalar, { minLength: 1, maxLength: 3 }),
    format: fc.constantFrom('date', 'byte', 'unknown'),
    maxItems: fc.constant(1),
    minProperties: fc.constant(1),
    required: fc.array(name, { maxLength: 2 }),
    anyOf: fc.constant([{ required: ['a'] }, { minimum: 1 }]),
    not: fc.constant({ enum: ['a'] }),
  },
  { requiredKeys: [] },
);

const uses = fc.record(
  { nullable: fc.boolean(), default: fc.oneof(scalar, fc.constant({}), anyValue) },
  { requiredKeys: [] },
);

/** Structural schemas of every form. */
const schema = fc.letrec<{ schema: object }>((tie) => {
  const properties = fc.dictionary(name, tie('schema'), { maxKeys: 4, noNullPrototype: true });
  const form = fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ type: fc.constantFrom('string', 'integer', 'number', 'boolean') }),
    fc.constant({ 'x-platform-int-or-string': true }),
    fc.constant({ 'x-platform-preserve-unknown-fields': true }),
    fc.record({ type: fc.constant('object'), properties }),
    fc.record({ type: fc.constant('object'), properties, 'x-platform-preserve-unknown-fields': fc.constant(true) }),
    fc.record({ type: fc.constant('object'), additionalProperties: fc.oneof(fc.constant(true), tie('schema')) }),
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    fc.record({ type: fc.constant('array'), items: tie('schema'), 'x-platform-list-type': fc.constant('set') }),
  );
  return { schema: fc.tuple(form, limits, uses).map(([a, b, c]) => ({ ...b, ...c, ...a })) };
}).schema;

const compiled = (spec: object): CompiledSchema =>
  compileSchema({ type: 'object', properties: { spec } } as unknown as JSONSchemaProps, {
    name: 'test.Box',
    vocabulary,
  });

/** What becomes of an object that is sent, or read from storage. */
function read(
  { schema }: CompiledSchema,
  sent: unknown,
): { readonly object: ReturnType<typeof settleAny>; readonly unknown: readonly string[] } {
  const { value, unknown } = canonicalise(schema, sent);
  applyDefaults(schema, value);
  return { object: settleAny(schema, value), unknown };
}

const settleAny = (schema: CompiledSchema['schema'], value: unknown) => settle(schema, value);

const problemsOf = ({ validateInSteps }: CompiledSchema, object: ReturnType<typeof settleAny>) => {
  const problems = new Problems();
  atOnce(validateInSteps(object, problems));
  return problems.found;
};

describe('random schemas and objects', () => {
  it('an object that was read once stays as it is, and loses nothing more', () => {
    fc.assert(
      fc.property(schema, anyValue, (spec, sent) => {
        const kind = compiled(spec);
        const { object: stored } = read(kind, { spec: sent });
        const again = read(kind, JSON.parse(JSON.stringify(stored)));
        expect(JSON.stringify(again.object)).toBe(JSON.stringify(stored));
        expect(again.unknown).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('what is wrong with an object is the same when it is read from storage', () => {
    fc.assert(
      fc.property(schema, anyValue, (spec, sent) => {
        const kind = compiled(spec);
        const { object: stored } = read(kind, { spec: sent });
        const { object: shown } = read(kind, JSON.parse(JSON.stringify(stored)));
        expect(problemsOf(compiled(spec), shown)).toEqual(problemsOf(kind, stored));
      }),
      { numRuns: 500 },
    );
  });

  it('an object that is sent is not changed', () => {
    fc.assert(
      fc.property(schema, anyValue, (spec, sent) => {
        const before = JSON.stringify(sent);
        read(compiled(spec), { spec: sent });
        expect(JSON.stringify(sent)).toBe(before);
      }),
      { numRuns: 200 },
    );
  });
});

/** A shape that can be declared built-in, and by a JSON schema. */
interface Twin {
  readonly node: Node;
  readonly schema: object;
  readonly value: fc.Arbitrary<unknown>;
}

const text = fc.constantFrom('x', 'y', 'z');
const fieldName = fc.constantFrom('a', 'b', 'c', 'd');
const TEXT: Twin = { node: string(), schema: { type: 'string' }, value: text };

function structTwin(fields: Readonly<Record<string, Twin>>, isAtomic: boolean): Twin {
  const entries = Object.entries(fields);
  const node = struct(
    'test.Struct',
    Object.fromEntries(entries.map(([key, { node }], at) => [key, f(at + 1, node.optional())])),
  );
  const properties = Object.fromEntries(entries.map(([key, { schema }]) => [key, schema]));
  const value = fc.record(Object.fromEntries(entries.map(([key, { value }]) => [key, value])), { requiredKeys: [] });
  return isAtomic
    ? { node: node.atomic(), schema: { type: 'object', properties, 'x-platform-map-type': 'atomic' }, value }
    : { node, schema: { type: 'object', properties }, value };
}

/** Elements have two keys, of which one has a default. */
function keyedTwin(fields: Readonly<Record<string, Twin>>): Twin {
  const inner = structTwin(fields, false);
  const keyed = { k: TEXT, l: { node: string().default('x'), schema: { type: 'string', default: 'x' }, value: text } };
  const element = structTwin({ ...fields, ...keyed }, false);
  const item = fc
    .tuple(inner.value, text, fc.option(text))
    .map(([rest, k, l]) => ({ ...(rest as object), k, ...(l !== null && { l }) }));
  return {
    node: list(element.node).mapBy('k', 'l'),
    schema: {
      type: 'array',
      items: element.schema,
      'x-platform-list-type': 'map',
      'x-platform-list-map-keys': ['k', 'l'],
    },
    value: fc.uniqueArray(item, { maxLength: 3, selector: ({ k, l }) => `${k} ${l ?? 'x'}` }),
  };
}

const mapTwin = (item: Twin, isAtomic: boolean): Twin => ({
  node: isAtomic ? map(item.node).atomic() : map(item.node),
  schema: { type: 'object', additionalProperties: item.schema, ...(isAtomic && { 'x-platform-map-type': 'atomic' }) },
  value: fc.dictionary(fieldName, item.value, { maxKeys: 3, noNullPrototype: true }),
});

const twin = fc.letrec<{ twin: Twin }>((tie) => {
  const fields = fc.dictionary(fieldName, tie('twin'), { maxKeys: 4, noNullPrototype: true });
  return {
    twin: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constant(TEXT),
      fc.tuple(fields, fc.boolean()).map(([inner, isAtomic]) => structTwin(inner, isAtomic)),
      fc.tuple(tie('twin'), fc.boolean()).map(([item, isAtomic]) => mapTwin(item, isAtomic)),
      tie('twin').map(({ node, schema, value }) => ({
        ...{ node: list(node), schema: { type: 'array', items: schema }, value: fc.array(value, { maxLength: 2 }) },
      })),
      fc.constant({
        node: list(string()).set(),
        schema: { type: 'array', items: { type: 'string' }, 'x-platform-list-type': 'set' },
        value: fc.uniqueArray(text, { maxLength: 3 }),
      }),
      fields.map(keyedTwin),
    ),
  };
}).twin;

describe('ownership of custom objects', () => {
  const open = sharingOf(
    structureOf(
      {
        type: 'object',
        properties: { any: { type: 'object', 'x-platform-preserve-unknown-fields': true } },
      } as unknown as JSONSchemaProps,
      vocabulary,
    ),
  );
  const owned = (any: unknown) => encodeFields(ownedFields(open, { any }));

  it('is that of each field in open objects, each of which is an entry, and of whole lists', () => {
    expect(owned({ deep: { list: [{ a: 1 }], more: null }, '': {} })).toEqual({
      'f:any': { 'f:deep': { '.': {}, 'f:list': {}, 'f:more': {} }, 'f:': {} },
    });
    expect(open.merge({ any: { deep: { list: [1] } } }, { any: { deep: { more: true } } })).toEqual({
      any: { deep: { list: [1], more: true } },
    });
  });

  it('of an open value changes with its form', () => {
    const { modified, added } = compare(open, { any: { a: 'x' } }, { any: { a: { b: 1 } } });
    expect(encodeFields(modified)).toEqual({ 'f:any': { 'f:a': {} } });
    expect(encodeFields(added)).toEqual({ 'f:any': { 'f:a': { 'f:b': {} } } });
    expect(open.merge({ any: { a: { b: 1 } } }, { any: { a: 'x' } })).toEqual({ any: { a: 'x' } });
    expect(open.merge({ any: { a: 'x' } }, { any: { a: { b: 1 } } })).toEqual({ any: { a: { b: 1 } } });
  });

  it('is that of the same shape declared built-in', () => {
    const cases = fc
      .dictionary(fieldName, twin, { minKeys: 1, maxKeys: 4, noNullPrototype: true })
      .map((fields) => structTwin(fields, false))
      .chain((whole) => fc.tuple(fc.constant(whole), whole.value, whole.value, whole.value));
    fc.assert(
      fc.property(cases, ([{ node, schema }, before, after, applied]) => {
        const builtIn = sharingOf(node);
        const custom = sharingOf(structureOf(schema as unknown as JSONSchemaProps, vocabulary));
        const [owned, same] = [ownedFields(custom, applied), ownedFields(builtIn, applied)];
        expect(encodeFields(owned)).toEqual(encodeFields(same));
        const [change, twinChange] = [compare(custom, before, after), compare(builtIn, before, after)];
        for (const part of ['added', 'modified', 'removed'] as const) {
          expect(encodeFields(change[part])).toEqual(encodeFields(twinChange[part]));
        }
        expect(custom.merge(before, applied)).toEqual(builtIn.merge(before, applied));
        expect(custom.remove(before, owned)).toEqual(builtIn.remove(before, same));
        expect(encodeFields(custom.withHolders(owned))).toEqual(encodeFields(builtIn.withHolders(same)));
        const [fresh, twinFresh]: [FieldsV1, FieldsV1] = [{}, {}];
        custom.writeNew({}, after, FieldSet.EMPTY, fresh, new Later());
        builtIn.writeNew({}, after, FieldSet.EMPTY, twinFresh, new Later());
        expect(fresh).toEqual(twinFresh);
        const [told, twinTold] = [custom, builtIn].map((it) =>
          it.isToldBy(encodeFields(owned), applied, FieldSet.EMPTY),
        );
        expect(told).toBe(twinTold);
      }),
      { numRuns: 500 },
    );
  });
});
