import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { publishedNames } from '../src/discovery/openapi/names.ts';
import { vocabularies } from '../src/vocabulary/vocabulary.ts';
import { FLAVOURS, type Flavour, type Json, publishedDefinitions } from './support/published-openapi.ts';

/** Holds the published schemas against the published facts of the interface, field by field, in both flavours. */

const REFERENCE = join(import.meta.dirname, '../../shared/reference/types.json');

interface ReferenceField {
  readonly type: string;
  readonly inline?: boolean;
  readonly list?: boolean;
  readonly map?: boolean;
  readonly required?: boolean;
  readonly ptr?: boolean;
  readonly [fact: string]: unknown;
}

interface ReferenceType {
  readonly gvk?: readonly string[];
  readonly typeMeta?: boolean;
  readonly jsonForm?: string;
  readonly mapType?: string;
  readonly unions?: readonly { readonly discriminator: string; readonly fields: Json }[];
  readonly fields: Readonly<Record<string, ReferenceField>>;
}

const reference: Readonly<Record<string, ReferenceType>> = existsSync(REFERENCE)
  ? JSON.parse(readFileSync(REFERENCE, 'utf8'))
  : {};

const v = vocabularies.platform;
const names = publishedNames(v);

/** Special types: how they are published, and what an unset one by value is. Those with a name are referred to. */
const SPECIAL: Readonly<Record<string, { readonly name?: string; readonly schema: Json; readonly zero?: unknown }>> = {
  string: { schema: { type: 'string' }, zero: '' },
  bool: { schema: { type: 'boolean' }, zero: false },
  int32: { schema: { type: 'integer', format: 'int32' }, zero: 0 },
  int64: { schema: { type: 'integer', format: 'int64' }, zero: 0 },
  double: { schema: { type: 'number', format: 'double' }, zero: 0 },
  bytes: { schema: { type: 'string', format: 'byte' } },
  any: { schema: {} },
  Time: { name: 'meta.v1.Time', schema: { type: 'string', format: 'date-time' }, zero: {} },
  MicroTime: { name: 'meta.v1.MicroTime', schema: { type: 'string', format: 'date-time' }, zero: {} },
  Quantity: { name: 'api.resource.Quantity', schema: { type: 'string' }, zero: {} },
  IntOrString: { name: 'util.intstr.IntOrString', schema: { type: 'string', format: 'int-or-string' }, zero: {} },
  RawExtension: { name: 'runtime.RawExtension', schema: { type: 'object' }, zero: {} },
  FieldsV1: { name: 'meta.v1.FieldsV1', schema: { type: 'object' }, zero: {} },
  JSON: { name: 'apiextensions.v1.JSON', schema: {}, zero: {} },
};

/** A value of a type, with its default where the flavour shows one. */
function schemaOf(type: string, flavour: Flavour, fallback: unknown): Json {
  if (type === 'StringItems') return { type: 'array', items: schemaOf('string', flavour, '') };
  const special = SPECIAL[type];
  const shown = flavour === 'v3' && fallback !== undefined ? { default: fallback } : {};
  if (special && special.name === undefined) return { ...special.schema, ...shown };
  const target = { $ref: FLAVOURS[flavour].prefix + names.definition(special?.name ?? type) };
  return 'default' in shown ? { allOf: [target], ...shown } : target;
}

function fieldOf(field: ReferenceField, flavour: Flavour): Json {
  const { type, list, map, listType, listMapKeys, mapType, patchMergeKey, patchStrategy, enum: choices } = field;
  const item = () => schemaOf(type, flavour, type in SPECIAL ? SPECIAL[type]?.zero : itemZero(type));
  const plain = list
    ? { type: 'array', items: item() }
    : map
      ? { type: 'object', additionalProperties: item() }
      : schemaOf(type, flavour, field.default);
  const said = {
    enum: choices,
    'x-platform-list-type': listType,
    'x-platform-list-map-keys': listMapKeys,
    'x-platform-map-type': mapType,
    'x-platform-patch-merge-key': patchMergeKey,
    'x-platform-patch-strategy': Array.isArray(patchStrategy) ? patchStrategy.join(',') : undefined,
  };
  const facts = Object.fromEntries(Object.entries(said).filter(([, fact]) => fact !== undefined));
  if (flavour === 'v3' && '$ref' in plain && Object.keys(facts).length > 0) return { allOf: [plain], ...facts };
  return { ...plain, ...facts };
}

const itemZero = (type: string): unknown => (type === 'StringItems' ? undefined : {});

/** Fields as JSON shows them: those of inlined types in the place of the type. */
const fieldsOf = ({ fields }: ReferenceType): [string, ReferenceField][] =>
  Object.entries(fields).flatMap(([name, field]): [string, ReferenceField][] =>
    field.inline ? fieldsOf(reference[field.type] ?? { fields: {} }) : [[name, field]],
  );

function expectedOf(type: ReferenceType, flavour: Flavour): Json {
  if (type.jsonForm === 'union') return {};
  const fields = fieldsOf(type);
  const required = fields.filter(([, field]) => field.required).map(([name]) => name);
  const meta = type.typeMeta ? { apiVersion: { type: 'string' }, kind: { type: 'string' } } : {};
  const properties = { ...meta, ...Object.fromEntries(fields.map(([name, each]) => [name, fieldOf(each, flavour)])) };
  return {
    type: 'object',
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
    ...(type.mapType !== undefined && { 'x-platform-map-type': type.mapType }),
    ...(type.unions && {
      'x-platform-unions': type.unions.map(({ discriminator, fields: selects }) => ({
        discriminator,
        'fields-to-discriminateBy': selects,
      })),
    }),
  };
}

/** `apps/v1 Deployment`, as the facts write kinds. */
const kindText = ({ group, version, kind }: Json): string =>
  `${group === '' ? '' : `${String(group)}/`}${String(version)} ${String(kind)}`;

/** What is published without its descriptions; these are our own. A reference that only has one beside it is plain. */
function withoutDescriptions(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutDescriptions);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema)
    .filter(([key, value]) => !(key === 'description' && typeof value === 'string'))
    .map(([key, value]): [string, unknown] => [key, withoutDescriptions(value)]);
  const bare = Object.fromEntries(kept);
  return Array.isArray(bare.allOf) && kept.length === 1 ? bare.allOf[0] : bare;
}

const definitionsIn = publishedDefinitions(v);

/** The reference marks items of these lists as a map by a key that they do not have; a list has no owners anyway. */
const MISMARKED = /^storage\.v1(beta1)?\.CSIStorageCapacityList$/;

/** Declared names of all types that are published, special ones left out. */
const publishedTypes = (definitions: Json): string[] =>
  Object.keys(reference).filter((name) => names.definition(name) in definitions && !MISMARKED.test(name));

describe.skipIf(Object.keys(reference).length === 0)(
  'published schemas, against the reference (skipped where there is none)',
  () => {
    describe.each(['v2', 'v3'] as const)('in flavour %s', (flavour) => {
      let definitions: Json;
      beforeAll(async () => {
        definitions = await definitionsIn(flavour);
      });

      it('say of every type and field what the reference says', () => {
        const types = publishedTypes(definitions);
        expect(types.length).toBeGreaterThan(400);
        for (const name of types) {
          const published = definitions[names.definition(name)] as Json;
          const { 'x-platform-group-version-kind': _, ...schema } = published;
          const expected = expectedOf(reference[name] ?? { fields: {} }, flavour);
          expect([name, withoutDescriptions(schema)]).toEqual([name, expected]);
        }
      });

      it('say of every kind under which names it travels', () => {
        for (const name of publishedTypes(definitions)) {
          const { 'x-platform-group-version-kind': kinds = [] } = definitions[names.definition(name)] as Json;
          const { gvk = [] } = reference[name] ?? {};
          // Those marked so exist in every version of every group.
          if (gvk.some((kind) => kind.startsWith('* '))) continue;
          expect([name, (kinds as Json[]).map(kindText)]).toEqual([name, gvk]);
        }
      });

      it('define special types as the reference does', () => {
        for (const { name, schema } of Object.values(SPECIAL)) {
          if (name === undefined) continue;
          const published = withoutDescriptions(definitions[names.definition(name)]) as Json;
          // The newer flavour says that numbers are accepted too.
          if ('oneOf' in published) expect(published.format).toBe(schema.format);
          else expect([name, published]).toEqual([name, schema]);
        }
      });
    });
  },
);
