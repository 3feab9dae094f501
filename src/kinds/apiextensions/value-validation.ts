import type { Steps } from '../../runtime/pacing.ts';
import { isList } from '../../schema/json-object.ts';
import type { JSONSchemaProps, SchemaExtensions } from './json-schema.ts';
import type { SchemaPlace } from './schema-place.ts';
import { refuseUnsupported } from './unsupported-words.ts';

/** What gives values their shape, and so has no place in a condition on them. */
const SHAPING = ['additionalProperties', 'default', 'description', 'nullable', 'title', 'type'] as const;

/** The conditions of a node: what is below them narrows values down, and gives them no shape. */
export function* validateLogic(
  schema: JSONSchemaProps,
  { intOrString }: SchemaExtensions,
  place: SchemaPlace,
): Steps<void> {
  for (const { condition, ...at } of conditionsOf(schema, place)) {
    if (!(intOrString && isIntOrString(condition))) yield* validateCondition(condition, at);
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

function* validateCondition(condition: JSONSchemaProps, place: SchemaPlace): Steps<void> {
  const { path, problems, vocabulary } = place;
  refuseUnsupported({ ...condition, type: '' }, place);
  for (const field of SHAPING) {
    if (condition[field]) problems.forbidden(path.child(field), 'must be empty to be structural');
  }
  const prefix = vocabulary.prefixes.openapiExtension;
  for (const field of Object.keys(condition)) {
    if (field.startsWith(prefix)) problems.forbidden(path.child(field), 'must be undefined to be structural');
  }
  yield;
  for (const { condition: inner, ...at } of conditionsOf(condition, place)) yield* validateCondition(inner, at);
  for (const [name, part] of Object.entries(condition.properties ?? {})) {
    yield* validateCondition(part, { ...place, path: path.child('properties').key(name) });
  }
  if (condition.items && !isList(condition.items)) {
    yield* validateCondition(condition.items, { ...place, path: path.child('items') });
  }
}
