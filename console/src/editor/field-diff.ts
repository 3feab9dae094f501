import { isObject, type Json, type JsonObject } from '../api/json.ts';
import type { Path } from './yaml-text.ts';

export interface Difference {
  readonly path: Path;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** What the server writes by itself, and nobody means to change. */
const BOOKKEEPING = new Set(['resourceVersion', 'generation', 'managedFields']);

/** Fields that are different in two states of an object. Lists of other lengths are one field. */
export function differences(before: Json | undefined, after: Json | undefined, path: Path = []): Difference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (path.length === 2 && path[0] === 'metadata' && BOOKKEEPING.has(String(path[1]))) return [];
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => differences(before[name], after[name], [...path, name]));
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.flatMap((one, i) => differences(one, after[i], [...path, i]));
  }
  return [{ path, before, after }];
}

/** An object with changes that were made to another state of it. */
export function withChanges(object: JsonObject, changes: readonly Difference[]): JsonObject {
  const copy = structuredClone(object);
  for (const { path, after } of changes) put(copy, path, after);
  return copy;
}

function put(target: unknown, path: Path, value: Json | undefined): void {
  const [step = '', ...rest] = path;
  const holder = Object(target);
  if (rest.length > 0) {
    if (holder[step] === undefined || holder[step] === null) holder[step] = typeof rest[0] === 'number' ? [] : {};
    put(holder[step], rest, value);
  } else if (value === undefined) delete holder[step];
  else holder[step] = structuredClone(value);
}

/** A path as people read it. */
export const pathText = (path: Path): string =>
  path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');

/** Whether one of two fields is in the other, or they are the same. */
export const overlaps = (a: Path, b: Path): boolean => {
  const length = Math.min(a.length, b.length);
  return a.slice(0, length).every((step, i) => step === b[i]);
};
