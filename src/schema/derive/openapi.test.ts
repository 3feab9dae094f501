import { describe, expect, it } from 'vitest';
import type { Node } from '../node.ts';
import { bool, bytes, int32, intOrString, quantity, string, stringItems, time } from '../scalars.ts';
import { f, inline, kind, list, map, type Struct, struct, union } from '../schema.ts';
import { type Flavour, Publisher } from './openapi.ts';

const publish = (flavour: Flavour, node: Node) => {
  const publisher = new Publisher({
    flavour,
    extensions: {
      groupVersionKind: 'x-kind',
      listType: 'x-list-type',
      listMapKeys: 'x-list-map-keys',
      mapType: 'x-map-type',
      patchStrategy: 'x-patch-strategy',
      patchMergeKey: 'x-patch-merge-key',
      unions: 'x-unions',
      preserveUnknownFields: 'x-open',
    },
    nameOf: (type) => `zoo.${type}`,
    kindsOf: (type) => (type === 'Lion' ? [{ group: 'zoo', kind: 'Lion', version: 'v1' }] : undefined),
  });
  const reference = publisher.refer(node);
  return { reference, definitions: Object.fromEntries(publisher.definitions) };
};

const Mane = struct(
  'Mane',
  { colour: f(1, string().required().oneOf('red', 'black'), 'As seen from afar.') },
  { description: 'Hair.', topology: { mapType: 'atomic' } },
);
const Cage = struct(
  'Cage',
  { type: f(1, string()), lock: f(2, string().optional()) },
  { discriminator: { field: 'type', selects: { lock: 'Locked' } } },
);
const Keeper = struct('Keeper', { name: f(1, string().required()), on: f(2, intOrString()) });
const Lion = kind(
  'Lion',
  {
    mane: f(1, Mane, 'Its pride.'),
    cage: f(2, Cage.optional().granular()),
    keeper: inline(3, Keeper),
    age: f(4, int32().publishedDefault(3)),
    tame: f(5, bool().always()),
    born: f(6, time().optional()),
    food: f(7, list(quantity()).set()),
    visits: f(8, list(Keeper).mapBy('name').mergeBy('name')),
    plan: f(9, Cage.optional().patchStrategy('merge', 'retainKeys')),
    tags: f(10, map(string()).atomic()),
    blobs: f(11, map(bytes())),
    verbs: f(12, stringItems().required()),
    roar: f(13, string().unpublished(), 'Newer than the rest.'),
  },
  { description: 'A cat.' },
);

describe('the published form of a kind', () => {
  it('in the older flavour refers to named types and shows no defaults', () => {
    const { reference, definitions } = publish('v2', Lion);
    expect(reference).toEqual({ $ref: '#/definitions/zoo.Lion' });
    expect(definitions['zoo.Lion']).toEqual({
      description: 'A cat.',
      type: 'object',
      required: ['name', 'verbs'],
      properties: {
        apiVersion: { type: 'string', description: expect.any(String) },
        kind: { type: 'string', description: expect.any(String) },
        mane: { $ref: '#/definitions/zoo.Mane', description: 'Its pride.' },
        cage: { $ref: '#/definitions/zoo.Cage', 'x-map-type': 'granular' },
        name: { type: 'string' },
        on: { $ref: '#/definitions/zoo.util.intstr.IntOrString' },
        age: { type: 'integer', format: 'int32' },
        tame: { type: 'boolean' },
        born: { $ref: '#/definitions/zoo.meta.v1.Time' },
        food: {
          type: 'array',
          items: { $ref: '#/definitions/zoo.api.resource.Quantity' },
          'x-list-type': 'set',
        },
        visits: {
          type: 'array',
          items: { $ref: '#/definitions/zoo.Keeper' },
          'x-list-type': 'map',
          'x-list-map-keys': ['name'],
          'x-patch-merge-key': 'name',
          'x-patch-strategy': 'merge',
        },
        plan: { $ref: '#/definitions/zoo.Cage', 'x-patch-strategy': 'merge,retainKeys' },
        tags: { type: 'object', additionalProperties: { type: 'string' }, 'x-map-type': 'atomic' },
        blobs: { type: 'object', additionalProperties: { type: 'string', format: 'byte' } },
        verbs: { type: 'array', items: { type: 'string' } },
      },
      'x-kind': [{ group: 'zoo', kind: 'Lion', version: 'v1' }],
    });
    expect(definitions['zoo.Mane']).toEqual({
      description: 'Hair.',
      type: 'object',
      required: ['colour'],
      properties: { colour: { type: 'string', description: 'As seen from afar.', enum: ['black', 'red'] } },
      'x-map-type': 'atomic',
    });
    expect(definitions['zoo.Cage']).toMatchObject({
      'x-unions': [{ discriminator: 'type', 'fields-to-discriminateBy': { lock: 'Locked' } }],
    });
    expect(definitions['zoo.util.intstr.IntOrString']).toMatchObject({ type: 'string', format: 'int-or-string' });
  });

  it('in the newer flavour shows defaults, beside references that are wrapped', () => {
    const { reference, definitions } = publish('v3', Lion);
    const to = (name: string) => ({ $ref: `#/components/schemas/zoo.${name}` });
    expect(reference).toEqual(to('Lion'));
    const { properties } = definitions['zoo.Lion'] as { properties: object };
    expect(properties).toMatchObject({
      mane: { allOf: [to('Mane')], default: {}, description: 'Its pride.' },
      cage: { allOf: [to('Cage')], 'x-map-type': 'granular' },
      name: { type: 'string', default: '' },
      on: { allOf: [to('util.intstr.IntOrString')], default: {} },
      age: { type: 'integer', default: 3 },
      tame: { type: 'boolean', default: false },
      food: { items: { allOf: [to('api.resource.Quantity')], default: {} } },
      visits: { items: { allOf: [to('Keeper')], default: {} } },
      tags: { additionalProperties: { type: 'string', default: '' } },
      verbs: { items: { type: 'string', default: '' } },
    });
    expect(properties).toMatchObject({ born: to('meta.v1.Time') });
    expect(JSON.stringify(properties)).not.toContain('"default":null');
    expect(definitions['zoo.util.intstr.IntOrString']).toMatchObject({
      format: 'int-or-string',
      oneOf: [{ type: 'integer' }, { type: 'string' }],
    });
    expect(definitions['zoo.util.intstr.IntOrString']).not.toHaveProperty('type');
  });

  it('defines a type once that contains itself', () => {
    const Tree: Struct<unknown> = struct('Tree', () => ({
      branches: f(
        1,
        list(() => Tree),
      ),
    }));
    const { definitions } = publish('v2', Tree);
    expect(definitions).toEqual({
      'zoo.Tree': {
        type: 'object',
        properties: { branches: { type: 'array', items: { $ref: '#/definitions/zoo.Tree' } } },
      },
    });
  });

  it('publishes a type without a name where it stands', () => {
    const Outer = struct('Outer', { part: f(1, struct('', { size: f(1, int32()) }), 'How large.') });
    expect(publish('v2', Outer).definitions).toEqual({
      'zoo.Outer': {
        type: 'object',
        properties: {
          part: {
            type: 'object',
            description: 'How large.',
            properties: { size: { type: 'integer', format: 'int32' } },
          },
        },
      },
    });
  });

  it.each(['v2', 'v3'] as const)('shows what a type says of itself where its use adds nothing (%s)', (flavour) => {
    const Pride = struct('Pride', { eldest: f(1, Mane), youngest: f(2, Mane, 'Short.'), since: f(3, time()) });
    const { definitions } = publish(flavour, Pride);
    const { properties } = definitions['zoo.Pride'] as { properties: Record<string, { description?: string }> };
    expect(properties.eldest?.description).toBe('Hair.');
    expect(properties.youngest?.description).toBe('Short.');
    expect(properties.since).not.toHaveProperty('description');
  });

  it('lets a union be anything', () => {
    const Either = union('Either', {
      flag: { takes: 'boolean', number: 1, node: () => bool() },
      list: { takes: 'array', number: 2, node: () => list(string()) },
    });
    const { definitions } = publish('v3', struct('Holder', { either: f(1, Either.optional()) }));
    expect(definitions['zoo.Either']).toEqual({ description: expect.stringContaining('boolean, array') });
  });
});
