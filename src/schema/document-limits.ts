import { isObject, type JsonObject } from './json-object.ts';

/**
 * How many values a document may have: fields, entries of maps and elements of lists, each counted once. Every encoding is
 * held to it while it is read, and what a patch makes of an object is too. Whatever is done with a document takes time for
 * each value, so this bounds how long. The largest documents in the field, definitions of custom kinds, have 25,000.
 */
export const MOST_VALUES = 50_000;

/**
 * How many entries one map, and how many fields one object may have. Looking through an object with very many takes far
 * longer for each than with few. As many texts as fit into an object of a megabyte, if they are no shorter than 100 bytes.
 */
export const MOST_ENTRIES = 10_000;

/** Where the owners of a map are recorded, there is one entry more: for the map itself. */
export const OWN_ENTRY = 1;

/** How deep a document may nest. Deeper ones serve no kind and could exhaust the stack of whatever walks them. */
export const DEEPEST = 200;

/** How many values are in a JSON value; of more than `most`, some number above it. */
export function countValues(value: unknown, most: number): number {
  if (isObject(value)) return countFields(value, most);
  return Array.isArray(value) ? countItems(value, most) : 0;
}

function countItems(list: readonly unknown[], most: number): number {
  let count = 0;
  for (const item of list) {
    count += typeof item === 'object' ? 1 + countValues(item, most - count) : 1;
    if (count > most) break;
  }
  return count;
}

/** Without a list of what is in it: the record of owners is counted with every object that is written. */
function countFields(object: JsonObject, most: number): number {
  let count = 0;
  for (const name in object) {
    const inner = object[name];
    count += typeof inner === 'object' ? 1 + countValues(inner, most - count) : 1;
    if (count > most) break;
  }
  return count;
}

/** How many lists and objects are around the innermost value of a JSON value; looks no deeper than `DEEPEST + 1`. */
export const depthOf = (value: unknown): number => depthWithin(value, DEEPEST + 1);

function depthWithin(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null || most === 0) return 0;
  let deepest = 0;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof inner === 'object') deepest = Math.max(deepest, depthWithin(inner, most - 1));
  }
  return deepest + 1;
}

/** The path to an object of more than `most` entries in a JSON value; undefined when there is none. */
export function wideValue(value: unknown, most: number): (string | number)[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = Object.entries(value);
  const isList = Array.isArray(value);
  if (!isList && entries.length > most + OWN_ENTRY) return [];
  for (const [name, inner] of entries) {
    const path = typeof inner === 'object' ? wideValue(inner, most) : undefined;
    if (path) return [isList ? Number(name) : name, ...path];
  }
  return undefined;
}
