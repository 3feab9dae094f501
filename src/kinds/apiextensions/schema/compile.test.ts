import { describe, expect, it } from 'vitest';
import { canonicalise, settle } from '../../../schema/derive/canonical.ts';
import { applyDefaults } from '../../../schema/derive/defaults.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import { compileSchema } from './compile.ts';

const options = { name: 'com.example.v1.Box', vocabulary: vocabularies.platform };

/** What becomes of an object that is sent, and what it loses. */
function read(properties: object, sent: object, more: object = {}) {
  const { schema } = compileSchema({ type: 'object', properties, ...more } as never, options);
  const { value, unknown } = canonicalise(schema, sent);
  applyDefaults(schema, value);
  const { metadata, ...rest } = settle(schema, value) as unknown as { metadata: object; [name: string]: unknown };
  return { ...rest, unknown };
}

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

describe('fields that a schema does not name', () => {
  it('are dropped and reported, wherever they are', () => {
    const spec = object({ a: { type: 'string' }, list: { type: 'array', items: object({ b: { type: 'integer' } }) } });
    const sent = { other: 1, spec: { a: 'x', c: 2, list: [{ b: 1, d: { e: 1 } }] } };
    expect(read({ spec }, sent)).toEqual({
      spec: { a: 'x', list: [{ b: 1 }] },
      unknown: ['other', 'spec.c', 'spec.list[0].d'],
    });
  });

  it('are kept where the schema says so, with all that is in them', () => {
    const spec = object({ a: { type: 'string' } }, { 'x-platform-preserve-unknown-fields': true });
    const sent = JSON.parse('{"spec":{"z":{"b":[null,{"y":1,"x":null}],"a":1},"a":"x","__proto__":{"p":1}}}');
    const { spec: kept, unknown } = read({ spec }, sent) as unknown as { spec: object; unknown: string[] };
    expect(JSON.stringify(kept)).toBe('{"__proto__":{"p":1},"a":"x","z":{"a":1,"b":[null,{"x":null,"y":1}]}}');
    expect(unknown).toEqual([]);
  });

  it('are kept at the root where the root says so, behind those that it names', () => {
    const sent = JSON.parse('{"z":1,"__proto__":{"p":null},"a":null,"spec":"s"}');
    const kept = read({ spec: { type: 'string' } }, sent, { 'x-platform-preserve-unknown-fields': true });
    expect(JSON.stringify(kept)).toBe('{"spec":"s","__proto__":{"p":null},"a":null,"z":1,"unknown":[]}');
  });

  it('are dropped of an object in the place of something else', () => {
    const spec = object({ text: { type: 'string' }, texts: { type: 'array', items: { type: 'string' } } });
    expect(read({ spec }, { spec: { text: { a: 1 }, texts: [{ b: 2 }] } })).toEqual({
      spec: { text: {}, texts: [{}] },
      unknown: ['spec.text.a', 'spec.texts[0].b'],
    });
  });

  it('are all kept where the kind says so', () => {
    const source = { type: 'object', properties: { spec: object({ list: { type: 'array', items: object({}) } }) } };
    const { schema } = compileSchema(source as never, { ...options, preserveUnknownFields: true });
    const { value, unknown } = canonicalise(schema, { other: 1, spec: { more: { b: 1 }, list: [{ a: null }] } });
    expect(value).toMatchObject({ other: 1, spec: { more: { b: 1 }, list: [{ a: null }] } });
    expect(unknown).toEqual([]);
  });

  it('are all kept without a schema', () => {
    const { schema } = compileSchema(undefined, options);
    const { value, unknown } = canonicalise(schema, { spec: { b: 1, a: [{ d: 1, c: null }] } });
    expect(JSON.stringify(value)).toBe('{"metadata":{"creationTimestamp":null},"spec":{"a":[{"c":null,"d":1}],"b":1}}');
    expect(unknown).toEqual([]);
  });
});

it('parts of metadata have their fields in the order of their names', () => {
  const { schema } = compileSchema(undefined, options);
  const entry = { manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1' };
  const { value } = canonicalise(schema, { metadata: { name: 'n', managedFields: [entry] } });
  expect(JSON.stringify(value)).toBe(
    '{"metadata":{"name":"n","creationTimestamp":null,"managedFields":[{"apiVersion":"v1","fieldsType":"FieldsV1","manager":"m","operation":"Update"}]}}',
  );
});

it('a name of the prototype is a name', () => {
  const properties = JSON.parse(
    '{"__proto__":{"type":"object","properties":{"__proto__":{"default":7,"type":"integer"}}}}',
  );
  const sent = JSON.parse('{"__proto__":{}}');
  expect(JSON.stringify(read(properties, sent))).toBe('{"__proto__":{"__proto__":7},"unknown":[]}');
});

describe('a null', () => {
  it('is kept where it is allowed, gives way to a default, and goes otherwise', () => {
    const properties = {
      spec: object({
        free: { type: 'string', nullable: true, default: 'given' },
        filled: { type: 'string', default: 'given' },
        bare: { type: 'string' },
        map: { type: 'object', additionalProperties: { type: 'string' } },
        open: { type: 'object', additionalProperties: { type: 'string', nullable: true } },
        list: { type: 'array', items: { type: 'string' } },
        filledList: { type: 'array', items: { type: 'string', default: 'x' } },
      }),
    };
    const spec = {
      ...{ free: null, filled: null, bare: null, map: { a: null, b: 'x' }, open: { a: null } },
      ...{ list: [null, 'x'], filledList: [null] },
    };
    expect(read(properties, { spec })).toEqual({
      spec: { free: null, filled: 'given', map: { b: 'x' }, open: { a: null }, list: [null, 'x'], filledList: ['x'] },
      unknown: [],
    });
  });
});

describe('defaults', () => {
  const spec = object({
    on: { type: 'boolean', default: true },
    deep: object({ a: object({ b: { type: 'integer', default: 4 } }, { default: {} }) }, { default: {} }),
    items: { type: 'array', items: object({ protocol: { type: 'string', default: 'TCP' } }) },
    map: { type: 'object', additionalProperties: object({ w: { type: 'integer', default: 9 } }) },
  });

  it('fill what is there, and what they themselves bring', () => {
    expect(read({ spec }, { spec: { items: [{}], map: { k: {}, l: { w: 1 } }, on: false } })).toEqual({
      spec: { deep: { a: { b: 4 } }, items: [{ protocol: 'TCP' }], map: { k: { w: 9 }, l: { w: 1 } }, on: false },
      unknown: [],
    });
  });

  it('do not bring what is not there', () => {
    expect(read({ spec }, {})).toEqual({ unknown: [] });
  });

  it('leave alone what is no object or list', () => {
    expect(read({ spec }, { spec: { deep: 'x', items: 3, map: [{}] } })).toEqual({
      spec: { deep: 'x', items: 3, map: [{}], on: true },
      unknown: [],
    });
  });
});
