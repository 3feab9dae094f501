import {
  type JSONSchemaProps,
  type SchemaExtensions,
  schemaExtensions,
} from '../../kinds/apiextensions/json-schema.ts';
import { isList } from '../../schema/json-object.ts';
import type { LooseContents, LooseForm, LooseShape, Node } from '../../schema/node.ts';
import { string } from '../../schema/scalars.ts';
import { loose } from '../../schema/schema.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { EmbeddedMeta } from './custom-meta.ts';
import { publishedSchema } from './published.ts';

const OF_RESOURCES: ReadonlyMap<string, Node> = new Map<string, Node>([
  ['apiVersion', string().optional()],
  ['kind', string().optional()],
  ['metadata', EmbeddedMeta.optional()],
]);

/**
 * The node of a schema: which fields values have, and how writers share them. Schemas inside are looked at when a value is
 * read that has something there.
 */
export function structureOf(source: JSONSchemaProps, vocabulary: Vocabulary): Node {
  const extensions = schemaExtensions(source, vocabulary);
  const node = loose(formOf(source, extensions), () => contentsOf(source, extensions, vocabulary), {
    isOpen: extensions.preserveUnknownFields === true,
    publish: (flavour, refer) => publishedSchema(source, vocabulary, flavour, refer),
  });
  const shared = withTopology(node, extensions);
  const placed = source.nullable === true ? shared.explicit() : shared;
  return source.default === undefined ? placed : placed.default(source.default);
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

function contentsOf(source: JSONSchemaProps, extensions: SchemaExtensions, vocabulary: Vocabulary): LooseContents {
  const { properties = {}, additionalProperties, items } = source;
  const fields = new Map<string, Node>();
  for (const [name, property] of Object.entries(properties)) fields.set(name, structureOf(property, vocabulary));
  if (extensions.embeddedResource) for (const [name, node] of OF_RESOURCES) fields.set(name, node);
  return {
    fields,
    rest: restOf(additionalProperties, vocabulary),
    item: items === undefined || isList(items) ? undefined : structureOf(items, vocabulary),
  };
}

/** True stands for values of which nothing is known but that they are there. */
function restOf(additional: JSONSchemaProps['additionalProperties'], vocabulary: Vocabulary): Node | undefined {
  if (additional === undefined || additional === false) return undefined;
  return additional === true ? loose('any') : structureOf(additional, vocabulary);
}
