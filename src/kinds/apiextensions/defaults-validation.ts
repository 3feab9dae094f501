import type { Steps } from '../../runtime/pacing.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import { applyDefaults } from '../../schema/derive/defaults.ts';
import { TypeMismatch } from '../../schema/derive/reading.ts';
import { isList } from '../../schema/json-object.ts';
import type { Path } from '../../schema/path.ts';
import { Problems } from '../../schema/problems.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { JSONSchemaProps } from './json-schema.ts';
import { ObjectValidator } from './schema/object-validator.ts';
import { structureOf } from './schema/structure.ts';

/** Defaults must be what their schemas want, wherever they are in a schema: nobody could write such an object otherwise. */
export function* validateDefaults(
  schema: JSONSchemaProps,
  path: Path,
  problems: Problems,
  vocabulary: Vocabulary,
): Steps<void> {
  if (schema.default !== undefined) validateDefault(schema, path.child('default'), problems, vocabulary);
  yield;
  const { properties = {}, additionalProperties: rest, items } = schema;
  for (const [name, part] of Object.entries(properties)) {
    yield* validateDefaults(part, path.child('properties').key(name), problems, vocabulary);
  }
  if (typeof rest === 'object') yield* validateDefaults(rest, path.child('additionalProperties'), problems, vocabulary);
  if (items && !isList(items)) yield* validateDefaults(items, path.child('items'), problems, vocabulary);
}

function validateDefault(schema: JSONSchemaProps, path: Path, problems: Problems, vocabulary: Vocabulary): void {
  const value = filled(schema, path, problems, vocabulary);
  if (value === undefined) return;
  const own = new Problems();
  new ObjectValidator(schema, { vocabulary }).validate(value, own);
  for (const { field, reason, message } of own.found) problems.add(placeIn(path, field), reason, message);
}

/** Problems that concern no field alone are told as they are. */
const placeIn = (path: Path, field: string): string => {
  if (field.startsWith('<')) return field;
  return field === '' || field.startsWith('[') ? `${path}${field}` : `${path}.${field}`;
};

/** The default with the defaults of what is in it; undefined when it has fields that would be dropped, or is unreadable. */
function filled(schema: JSONSchemaProps, path: Path, problems: Problems, vocabulary: Vocabulary): unknown {
  const node = structureOf(schema, vocabulary);
  try {
    const { value, unknown } = canonicalise(node, schema.default);
    applyDefaults(node, value);
    if (unknown.length === 0) return value;
    problems.invalid(path, schema.default, 'must not have unknown fields');
  } catch (error) {
    if (!(error instanceof TypeMismatch)) throw error;
    problems.invalid(path, schema.default, error.message);
  }
  return undefined;
}
