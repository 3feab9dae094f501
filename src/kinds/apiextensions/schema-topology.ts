import { oneOf, seenBefore } from '../../meta/field-rules.ts';
import { isList } from '../../schema/json-object.ts';
import { type JSONSchemaProps, type SchemaExtensions, schemaExtensions } from './json-schema.ts';
import type { SchemaPlace } from './schema-place.ts';

const LIST_TYPES = ['atomic', 'map', 'set'];
const MAP_TYPES = ['atomic', 'granular'];

/** How writers share a list: only lists have such a type, and elements must be fit to be told apart. */
export function validateListTopology(schema: JSONSchemaProps, extensions: SchemaExtensions, place: SchemaPlace): void {
  const { path, problems, vocabulary } = place;
  const names = vocabulary.openapiExtensions;
  const { listType, listMapKeys = [] } = extensions;
  if (listType !== 'map' && listMapKeys.length > 0) {
    problems.forbidden(path.child(names.listMapKeys), `must not be set if ${names.listType} is not map`);
  }
  if (listType === undefined) return;
  oneOf(problems, path, names.listType, listType, LIST_TYPES);
  if (schema.type !== 'array') {
    problems.invalid(path.child('type'), schema.type ?? '', `must be array if ${names.listType} is specified`);
  }
  const items = isList(schema.items) ? undefined : schema.items;
  if (!items) return;
  if (listType === 'set') validateSetItems(items, { ...place, path: path.child('items') });
  if (listType === 'map') validateMapItems(items, listMapKeys, place);
}

/** Elements of a set are compared as a whole. */
function validateSetItems(items: JSONSchemaProps, { path, problems, vocabulary }: SchemaPlace): void {
  const names = vocabulary.openapiExtensions;
  const { listType = 'atomic', mapType } = schemaExtensions(items, vocabulary);
  const why = `must be atomic as item of a list with ${names.listType}=set`;
  if (items.nullable) problems.forbidden(path.child('nullable'), `cannot be nullable when ${names.listType} is set`);
  if (items.type === 'array' && listType !== 'atomic') problems.invalid(path.child(names.listType), listType, why);
  if (items.type === 'object' && mapType !== 'atomic') problems.invalid(path.child(names.mapType), mapType ?? '', why);
}

const isComposite = ({ type }: JSONSchemaProps): boolean => type === 'object' || type === 'array';

/** Elements of a map are told apart by keys, which all of them must have. */
function validateMapItems(items: JSONSchemaProps, keys: readonly string[], place: SchemaPlace): void {
  const { path, problems, vocabulary } = place;
  const names = vocabulary.openapiExtensions;
  const keysPath = path.child(names.listMapKeys);
  const itemsPath = path.child('items');
  if (keys.length === 0) problems.required(keysPath, `must not be empty if ${names.listType} is map`);
  if (items.nullable)
    problems.forbidden(itemsPath.child('nullable'), `cannot be nullable when ${names.listType} is map`);
  if (items.type !== 'object') {
    const why = `must be object if parent array's ${names.listType} is map`;
    problems.invalid(itemsPath.child('type'), items.type ?? '', why);
  }
  const isRepeated = seenBefore();
  const requiredNames = new Set(items.required);
  keys.forEach((key, at) => {
    if (isRepeated(key)) problems.invalid(keysPath.index(at), key, 'must not contain duplicate entries');
    const property = items.properties?.[key];
    const propertyPath = itemsPath.child('properties').key(key);
    if (!property) {
      problems.invalid(keysPath, keys, 'entries must all be names of item properties');
      return;
    }
    if (isComposite(property)) {
      const why = `must be a scalar type if parent array's ${names.listType} is map`;
      problems.invalid(propertyPath.child('type'), property.type, why);
    }
    if (property.nullable) problems.forbidden(propertyPath.child('nullable'), 'a key cannot be nullable');
    if (property.default === undefined && !requiredNames.has(key)) {
      const why = `this property is in ${names.listMapKeys}, so it must have a default or be a required property`;
      problems.required(propertyPath.child('default'), why);
    }
  });
}

/** Only objects are shared field by field, or as a whole. */
export function validateMapTopology(schema: JSONSchemaProps, { mapType }: SchemaExtensions, place: SchemaPlace): void {
  if (mapType === undefined) return;
  const { path, problems, vocabulary } = place;
  const names = vocabulary.openapiExtensions;
  oneOf(problems, path, names.mapType, mapType, MAP_TYPES);
  if (schema.type !== 'object') {
    problems.invalid(path.child('type'), schema.type ?? '', `must be object if ${names.mapType} is specified`);
  }
}
