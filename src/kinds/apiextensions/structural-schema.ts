import type { Steps } from '../../runtime/pacing.ts';
import { isList } from '../../schema/json-object.ts';
import type { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import { validateDefaults } from './defaults-validation.ts';
import { type JSONSchemaProps, type SchemaExtensions, schemaExtensions } from './json-schema.ts';
import { validatePatterns } from './pattern-validation.ts';
import { validateRuleFields } from './rule-fields.ts';
import type { SchemaPlace, SchemaSurroundings } from './schema-place.ts';
import { validateListTopology, validateMapTopology } from './schema-topology.ts';
import { isUnsupported, refuseUnsupported } from './unsupported-words.ts';
import { validateLogic } from './value-validation.ts';

/**
 * A schema is structural when the shape of every value can be told from `type`, `properties`, `additionalProperties` and
 * `items` alone; everything below `allOf`, `anyOf`, `oneOf` and `not` only narrows values down. Pruning, defaults and
 * apply can work with such schemas and with no others.
 */

/**
 * Every problem of the schema of a version, which may have very many parts. `hasStatus`: the status subresource is on.
 */
export function* validateRootSchema(
  schema: JSONSchemaProps,
  path: Path,
  problems: Problems,
  { vocabulary, hasStatus }: SchemaSurroundings & { readonly hasStatus: boolean },
): Steps<void> {
  const place = { path, problems, vocabulary };
  const before = problems.count;
  if (!schema.type) problems.required(path.child('type'), 'must not be empty at the root');
  else if (schema.type !== 'object') problems.invalid(path.child('type'), schema.type, 'must be object at the root');
  if (schema.additionalProperties !== undefined) {
    problems.forbidden(path.child('additionalProperties'), 'must not be used at the root');
  }
  if (schema.nullable) problems.forbidden(path.child('nullable'), 'nullable cannot be true at the root');
  if (hasStatus) refuseFieldsBesideStatus(schema, place);
  validateMetadata(schema.properties?.metadata, { ...place, path: path.child('properties').key('metadata') });
  yield* validateNode(schema, place);
  if (problems.count > before) return;
  yield* validatePatterns(schema, path, problems);
  yield* validateDefaults(schema, path, problems, vocabulary);
}

/** Fields of the root that concern neither the desired state nor the status alone. */
const WITH_STATUS = [
  ...[
    '$schema',
    'description',
    'type',
    'format',
    'title',
    'maximum',
    'exclusiveMaximum',
    'minimum',
    'exclusiveMinimum',
  ],
  ...['maxLength', 'minLength', 'pattern', 'maxItems', 'minItems', 'uniqueItems', 'multipleOf', 'required', 'items'],
  ...['properties', 'externalDocs', 'example'],
];

function refuseFieldsBesideStatus(schema: JSONSchemaProps, { path, problems, vocabulary }: SchemaPlace): void {
  const { preserveUnknownFields, validations } = vocabulary.openapiExtensions;
  const allowed = [...WITH_STATUS, preserveUnknownFields, validations];
  const others = Object.keys(schema).filter((field) => !allowed.includes(field));
  if (others.length === 0) return;
  const rule = `only ${allowed.join(', ')} fields are allowed at the root of the schema if the status subresource is enabled`;
  problems.invalid(path, others, rule);
}

/** Metadata is the same for all kinds; a schema may narrow it down, and speak of names alone. */
function validateMetadata(schema: JSONSchemaProps | undefined, { path, problems, vocabulary }: SchemaPlace): void {
  if (!schema) return;
  if (schema.type !== 'object') problems.invalid(path.child('type'), schema.type ?? '', 'must be object');
  if (schema.default !== undefined) {
    problems.forbidden(path.child('default'), 'must not be set in top-level metadata');
  }
  const names = Object.keys(schema.properties ?? {});
  const extensions = Object.keys(schemaExtensions(schema, vocabulary));
  const onlyNames = names.every((name) => name === 'name' || name === 'generateName');
  if (onlyNames && extensions.length === 0 && schema.additionalProperties === undefined) return;
  const rule = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
  problems.forbidden(path, rule);
}

/** A node of the structure, and all below it. */
function* validateNode(schema: JSONSchemaProps, place: SchemaPlace): Steps<void> {
  const extensions = schemaExtensions(schema, place.vocabulary);
  refuseUnsupported(schema, place);
  validateType(schema, extensions, place);
  validateExtensions(schema, extensions, place);
  validateListTopology(schema, extensions, place);
  validateMapTopology(schema, extensions, place);
  yield* validateLogic(schema, extensions, place);
  yield;
  yield* validateParts(schema, place);
}

function validateType(schema: JSONSchemaProps, extensions: SchemaExtensions, place: SchemaPlace): void {
  const { path, problems, vocabulary } = place;
  const { embeddedResource } = vocabulary.openapiExtensions;
  if (extensions.embeddedResource && schema.type !== 'object') {
    problems.invalid(path.child('type'), schema.type ?? '', `must be object if ${embeddedResource} is true`);
  }
  if (schema.type === 'array' && schema.items === undefined)
    problems.required(path.child('items'), 'must be specified');
}

function validateExtensions(schema: JSONSchemaProps, extensions: SchemaExtensions, place: SchemaPlace): void {
  const { path, problems, vocabulary } = place;
  const names = vocabulary.openapiExtensions;
  if (extensions.preserveUnknownFields === false) {
    problems.invalid(path.child(names.preserveUnknownFields), false, 'must be true or undefined');
  }
  if (extensions.embeddedResource && !schema.properties && !extensions.preserveUnknownFields) {
    const when = `if ${names.embeddedResource} is true without ${names.preserveUnknownFields}`;
    problems.required(path.child('properties'), `must not be empty ${when}`);
  }
  if (extensions.validations) validateRuleFields(schema, place);
}

const FIELD = 'must not be empty for specified object fields';

function* validateParts(
  { properties = {}, additionalProperties, items }: JSONSchemaProps,
  place: SchemaPlace,
): Steps<void> {
  const { path } = place;
  for (const [name, part] of Object.entries(properties)) {
    yield* validatePart(part, FIELD, { ...place, path: path.child('properties').key(name) });
  }
  if (typeof additionalProperties === 'object') {
    yield* validatePart(additionalProperties, FIELD, { ...place, path: path.child('additionalProperties') });
  }
  if (items && !isList(items)) {
    yield* validatePart(items, 'must not be empty for specified array items', { ...place, path: path.child('items') });
  }
}

/** Anything below the root must say what type it has, or that it has none. */
function* validatePart(schema: JSONSchemaProps, untyped: string, place: SchemaPlace): Steps<void> {
  const { intOrString, preserveUnknownFields } = schemaExtensions(schema, place.vocabulary);
  if (!schema.type && !intOrString && !preserveUnknownFields && !isUnsupported(schema)) {
    place.problems.required(place.path.child('type'), untyped);
  }
  yield* validateNode(schema, place);
}
