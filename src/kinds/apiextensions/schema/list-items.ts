import { isList, isObject, type JsonObject, setOwn } from '../../../schema/json-object.ts';
import { sortedJson } from '../../../schema/sorted-json.ts';
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import { type JSONSchemaProps, schemaExtensions } from '../json-schema.ts';
import { type Walk, walkOf } from './schema-walk.ts';

/** Finds items that a set, or a list with keys, has more than once; undefined where a schema has no such lists. */
export const repeatedItems = (schema: JSONSchemaProps, vocabulary: Vocabulary): Walk | undefined =>
  walkOf(schema, (place) => {
    const { listType, listMapKeys = [] } = schemaExtensions(place, vocabulary);
    if (listType === 'set') return repeatsBy((item) => item);
    return listType === 'map' ? repeatsBy((item) => keysOf(item, listMapKeys)) : undefined;
  });

/** Items are the same when what tells them apart is. */
const repeatsBy =
  (identify: (item: unknown) => unknown): Walk =>
  (value, path, problems) => {
    if (!isList(value)) return;
    const seen = new Set<string>();
    value.forEach((item, at) => {
      const identity = identify(item);
      const text = sortedJson(identity);
      if (seen.has(text)) problems.duplicate(path.index(at), identity);
      seen.add(text);
    });
  };

function keysOf(item: unknown, keys: readonly string[]): JsonObject {
  const found: JsonObject = {};
  for (const key of keys) if (isObject(item) && Object.hasOwn(item, key)) setOwn(found, key, item[key]);
  return found;
}
