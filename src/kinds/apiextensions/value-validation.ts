import { isList } from '../../schema/json-object.ts';
import type { JSONSchemaProps, SchemaExtensions } from './json-schema.ts';
import type { SchemaPlace } from './schema-place.ts';
import { refuseUnsupported } from './unsupported-words.ts';

/** What gives values their shape, and so has no place in a condition on them. */
const SHAPING = ['additionalProperties', 'default', 'description', 'nullable', 'title', 'type'] as const;

/** The conditions of a node: what is below them narrows values down, and speaks of nothing that the node does not have. */
export function validateLogic(schema: JSONSchemaProps, { intOrString }: SchemaExtensions, place: SchemaPlace): void {
  for (const { condition, ...at } of conditionsOf(schema, place)) {
    if (!(intOrString && isIntOrString(condition))) validateCondition(condition, schema, at);
  }
}

interface Condition extends SchemaPlace {
  readonly condition: JSONSchemaProps;
}

function* conditionsOf(schema: JSONSchemaProps, place: SchemaPlace): Generator<Condition> {
  for (const word of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [at, condition] of (schema[word] ?? []).entries()) {
      yield { ...place, condition, path: place.path.child(word).index(at) };
    }
  }
  if (schema.not) yield { ...place, condition: schema.not, path: place.path.child('not') };
}

/** The one way to say in standard words that a value is a number or a text; it may stand inside an `allOf` as well. */
function isIntOrString({ type, anyOf = [], ...others }: JSONSchemaProps): boolean {
  if (Object.keys(others).length > 0) return false;
  if (type !== undefined) return type === 'integer' || type === 'string';
  const [first, second] = anyOf;
  return anyOf.length === 2 && first?.type === 'integer' && second?.type === 'string';
}

/** `node`: the part of the structure that the condition is about; absent: there is none. */
function validateCondition(condition: JSONSchemaProps, node: JSONSchemaProps | undefined, place: SchemaPlace): void {
  const { path, problems, vocabulary } = place;
  refuseUnsupported({ ...condition, type: '' }, place);
  for (const field of SHAPING) {
    if (condition[field]) problems.forbidden(path.child(field), 'must be empty to be structural');
  }
  const prefix = vocabulary.prefixes.openapiExtension;
  for (const field of Object.keys(condition)) {
    if (field.startsWith(prefix)) problems.forbidden(path.child(field), 'must be undefined to be structural');
  }
  for (const { condition: inner, ...at } of conditionsOf(condition, place)) validateCondition(inner, node, at);
  for (const [name, part] of Object.entries(condition.properties ?? {})) {
    validateCovered(part, partOf(node, name), name, { ...place, path: path.child('properties').key(name) });
  }
  if (condition.items && !isList(condition.items)) {
    const items = isList(node?.items) ? undefined : node?.items;
    validateCovered(condition.items, items, 'items', { ...place, path: path.child('items') });
  }
}

const partOf = (node: JSONSchemaProps | undefined, name: string): JSONSchemaProps | undefined =>
  node?.properties?.[name] ?? (typeof node?.additionalProperties === 'object' ? node.additionalProperties : undefined);

function validateCovered(
  part: JSONSchemaProps,
  node: JSONSchemaProps | undefined,
  name: string,
  place: SchemaPlace,
): void {
  if (!node)
    place.problems.required(place.path, `${name} must be part of the structure, because a condition speaks of it`);
  validateCondition(part, node, place);
}
