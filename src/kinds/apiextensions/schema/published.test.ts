import { expect, it } from 'vitest';
import { type Flavour, Publisher } from '../../../schema/derive/openapi.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import type { JSONSchemaProps } from '../json-schema.ts';
import { compileSchema } from './compile.ts';

const vocabulary = vocabularies.platform;

/** What a kind with this schema is published as, but for what every kind has. */
function published(flavour: Flavour, source: object): unknown {
  const { schema } = compileSchema(source as JSONSchemaProps, { name: 'com.example.v1.Box', vocabulary });
  const publisher = new Publisher({
    flavour,
    extensions: vocabulary.openapiExtensions,
    nameOf: String,
    kindsOf: () => undefined,
  });
  publisher.refer(schema);
  const box = publisher.definitions.get('com.example.v1.Box') as { properties?: Record<string, unknown> };
  const { apiVersion, kind, metadata, ...properties } = box.properties ?? {};
  return { ...box, properties };
}

const inner = { type: 'string', description: 'Of what.', maxLength: 3, default: 'a', nullable: true };
const spec = {
  type: 'object',
  required: ['a', 'b'],
  properties: { a: inner, b: { type: 'array', items: inner }, c: { 'x-platform-int-or-string': true } },
  oneOf: [{ required: ['a'] }],
  'x-platform-map-type': 'atomic',
};

it('the newer flavour shows schemas as they are', () => {
  const source = { type: 'object', description: 'A box.', required: ['spec'], properties: { spec } };
  expect(published('v3', source)).toEqual(source);
});

it('the older one shows what it has words for', () => {
  const source = { type: 'object', description: 'A box.', required: ['spec'], properties: { spec } };
  const any = { description: 'Of what.', maxLength: 3 };
  expect(published('v2', source)).toEqual({
    ...source,
    properties: {
      spec: {
        type: 'object',
        required: ['b'],
        properties: { a: any, b: { type: 'array', items: any }, c: { 'x-platform-int-or-string': true } },
        'x-platform-map-type': 'atomic',
      },
    },
  });
});

it('open objects show their fields in the newer flavour alone', () => {
  const open = { 'x-platform-preserve-unknown-fields': true };
  const part = { type: 'object', properties: { a: { type: 'string' } }, ...open };
  const source = { type: 'object', properties: { part } };
  expect(published('v3', { ...source, ...open })).toEqual({ ...source, ...open });
  expect(published('v2', source)).toEqual({ type: 'object', properties: { part: { type: 'object', ...open } } });
  expect(published('v2', { ...source, ...open })).toEqual({ type: 'object', properties: {}, ...open });
});

it('objects inside of others say what they are', () => {
  const part = { type: 'object', properties: { data: { type: 'string' } }, 'x-platform-embedded-resource': true };
  expect(published('v3', { type: 'object', properties: { part } })).toMatchObject({
    properties: {
      part: {
        properties: {
          data: { type: 'string' },
          apiVersion: { type: 'string' },
          kind: { type: 'string' },
          metadata: { $ref: '#/components/schemas/meta.v1.ObjectMeta' },
        },
        required: ['apiVersion', 'kind'],
      },
    },
  });
});

it('the schema itself stays as it is', () => {
  const source = { type: 'object', properties: { spec } };
  const before = JSON.stringify(source);
  published('v2', source);
  expect(JSON.stringify(source)).toBe(before);
});
