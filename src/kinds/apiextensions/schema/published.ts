import type { Flavour, JsonSchema } from '../../../schema/derive/openapi.ts';
import { isList, type JsonObject, setOwn } from '../../../schema/json-object.ts';
import type { Node } from '../../../schema/node.ts';
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import { type JSONSchemaProps, schemaExtensions } from '../json-schema.ts';
import { CustomMeta } from './custom-meta.ts';

/** Publishes what has a name of its own. */
type Refer = (node: Node) => JsonSchema;

/**
 * What a schema of a custom kind is published as. The newer flavour takes it as it is; the older has no words for
 * combinations, for null and for defaults, and its readers take fields for unknown that stand beside others.
 */
export function publishedSchema(
  source: JSONSchemaProps,
  vocabulary: Vocabulary,
  flavour: Flavour,
  refer: Refer,
): JsonSchema {
  const { embeddedResource, preserveUnknownFields = false } = schemaExtensions(source, vocabulary);
  const again = (part: JSONSchemaProps): JsonSchema => publishedSchema(part, vocabulary, flavour, refer);
  const published: JsonSchema = { ...source, ...partsOf(source, again) };
  if (flavour === 'v2') simplify(published, source, preserveUnknownFields);
  if (embeddedResource && !(flavour === 'v2' && preserveUnknownFields)) addTypeMeta(published, refer);
  return published;
}

function partsOf(source: JSONSchemaProps, again: (part: JSONSchemaProps) => JsonSchema): JsonSchema {
  const { properties, additionalProperties: rest, items } = source;
  return {
    ...(properties && { properties: eachOf(properties, again) }),
    ...(typeof rest === 'object' && { additionalProperties: again(rest) }),
    ...(items && !isList(items) && { items: again(items) }),
  };
}

function eachOf<T>(values: Readonly<Record<string, T>>, change: (value: T) => unknown): JsonObject {
  const changed: JsonObject = {};
  for (const [name, value] of Object.entries(values)) setOwn(changed, name, change(value));
  return changed;
}

const NEWER = ['allOf', 'anyOf', 'oneOf', 'not', 'nullable', 'default'];

function simplify(published: JsonSchema, source: JSONSchemaProps, isOpen: boolean): void {
  const { nullable, properties = {}, required } = source;
  for (const word of NEWER) delete published[word];
  // Without a type, null is as good as any value.
  if (nullable) for (const word of ['type', 'items', 'properties']) delete published[word];
  if (isOpen) for (const word of ['items', 'properties']) delete published[word];
  const firm = required?.filter((name) => !(Object.hasOwn(properties, name) && properties[name]?.nullable));
  if (firm?.length) published.required = firm;
  else delete published.required;
}

const STRING = { type: 'string' };

/** An object inside of another says what it is. */
function addTypeMeta(published: JsonSchema, refer: Refer): void {
  const { properties, required } = published;
  published.properties = {
    ...(properties as JsonObject | undefined),
    ...{ apiVersion: STRING, kind: STRING, metadata: refer(CustomMeta) },
  };
  published.required = [...new Set([...(isList(required) ? required : []), 'apiVersion', 'kind'])];
}
