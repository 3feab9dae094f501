import { isList } from '../../../schema/json-object.ts';
import type { LooseContents, LooseForm, LooseShape, Node } from '../../../schema/node.ts';
import { string } from '../../../schema/scalars.ts';
import { loose } from '../../../schema/schema.ts';
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import { type JSONSchemaProps, type SchemaExtensions, schemaExtensions } from '../json-schema.ts';
import { EmbeddedMeta } from './custom-meta.ts';
import { publishedSchema } from './published.ts';

const OF_RESOURCES: ReadonlyMap<string, Node> = new Map<string, Node>([
  ['apiVersion', string().optional()],
  ['kind', string().optional()],
  ['metadata', EmbeddedMeta.optional()],
]);

/**
 * The node of a schema: which fields values have, and how writers share them. Schemas inside are looked at when a value is
 * read that has something there. `keepsAll`: fields are kept that no schema names.
 */
export function structureOf(source: JSONSchemaProps, vocabulary: Vocabulary, keepsAll = false): Node {
  const extensions = schemaExtensions(source, vocabulary);
  const inner = (part: JSONSchemaProps): Node => structureOf(part, vocabulary, keepsAll);
  const node = loose(formOf(source, extensions), () => contentsOf(source, extensions, inner), {
    isOpen: keepsAll || extensions.preserveUnknownFields === true,
    mayFillIn: hasDefaultsInside(source),
    publish: (flavour, refer) => publishedSchema(source, vocabulary, flavour, refer),
  });
  const shared = withTopology(node, extensions);
  const placed = source.nullable === true ? shared.explicit() : shared;
  return source.default === undefined ? placed : placed.default(source.default);
}

const holders = new WeakMap<JSONSchemaProps, boolean>();

/** Whether a schema inside has a default, which is found out for all of them in one walk. */
function hasDefaultsInside(source: JSONSchemaProps): boolean {
  const known = holders.get(source);
  if (known !== undefined) return known;
  let isAny = false;
  for (const part of partsOf(source)) isAny = hasDefaultsInside(part) || part.default !== undefined || isAny;
  holders.set(source, isAny);
  return isAny;
}

function partsOf({ properties = {}, additionalProperties, items }: JSONSchemaProps): JSONSchemaProps[] {
  const parts = Object.values(properties);
  if (typeof additionalProperties === 'object') parts.push(additionalProperties);
  if (items && !isList(items)) parts.push(items);
  return parts;
}

const FORMS: Readonly<Record<string, LooseForm>> = { object: 'object', array: 'list' };

function formOf({ type = '' }: JSONSchemaProps, { intOrString }: SchemaExtensions): LooseForm {
  if (type === '') return intOrString ? 'scalar' : 'any';
  return FORMS[type] ?? 'scalar';
}

function withTopology(node: Node<LooseShape, 'optional'>, extensions: SchemaExtensions): Node<LooseShape, 'optional'> {
  const { listType, listMapKeys = [], mapType } = extensions;
  if (mapType === 'atomic') return node.atomic();
  if (listType === 'map') return node.mapBy(...listMapKeys);
  return listType === 'set' ? node.set() : node;
}

/** The node of a schema inside. */
type Inner = (part: JSONSchemaProps) => Node;

function contentsOf(source: JSONSchemaProps, extensions: SchemaExtensions, inner: Inner): LooseContents {
  const { properties = {}, additionalProperties, items } = source;
  const fields = new Map<string, Node>();
  for (const [name, property] of Object.entries(properties)) fields.set(name, inner(property));
  if (extensions.embeddedResource) for (const [name, node] of OF_RESOURCES) fields.set(name, node);
  return {
    fields,
    rest: restOf(additionalProperties, inner),
    item: items === undefined || isList(items) ? undefined : inner(items),
  };
}

/** True stands for values of which nothing is known but that they are there. */
function restOf(additional: JSONSchemaProps['additionalProperties'], inner: Inner): Node | undefined {
  if (additional === undefined || additional === false) return undefined;
  return additional === true ? loose('any') : inner(additional);
}
