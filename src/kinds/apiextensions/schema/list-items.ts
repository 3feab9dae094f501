import { isList, isObject, type JsonObject, setOwn } from '../../../schema/json-object.ts';
import { sortedJson } from '../../../schema/sorted-json.ts';
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import { type JSONSchemaProps, schemaExtensions } from '../json-schema.ts';
import { type Walk, walkOf } from './schema-walk.ts';

/** Finds items that a set, or a list with keys, has more than once; undefined where a schema has no such lists. */
export const repeatedItems = (schema: JSONSchemaProps, vocabulary: Vocabulary): Walk | undefined =>
  walkOf(schema, (place) => {
    const { listType, listMapKeys = [] } = schemaExtensions(place, vocabulary);
    if (listType === 'set') return repeatsBy(textOf, (item) => item);
    if (listType !== 'map') return undefined;
    return repeatsBy(
      (item) => keyTexts(item, listMapKeys),
      (item) => keysOf(item, listMapKeys),
    );
  });

/** Items are the same when what tells them apart is, which `text` spells, and `identify` gives for a message. */
const repeatsBy =
  (text: (item: unknown) => string, identify: (item: unknown) => unknown): Walk =>
  (value, path, problems) => {
    if (!isList(value) || value.length < 2) return;
    const seen = new Set<string>();
    value.forEach((item, at) => {
      const spelled = text(item);
      if (seen.has(spelled)) problems.duplicate(path.index(at), identify(item));
      seen.add(spelled);
    });
  };

/** Most of what tells items apart are names and numbers. */
const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? sortedJson(value) : JSON.stringify(value);

function keyTexts(item: unknown, keys: readonly string[]): string {
  let texts = '';
  for (const key of keys) texts += `${isObject(item) && Object.hasOwn(item, key) ? textOf(item[key]) : ''},`;
  return texts;
}

function keysOf(item: unknown, keys: readonly string[]): JsonObject {
  const found: JsonObject = {};
  for (const key of keys) if (isObject(item) && Object.hasOwn(item, key)) setOwn(found, key, item[key]);
  return found;
}
