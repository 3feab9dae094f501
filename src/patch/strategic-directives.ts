import { isObject, setOwn } from '../schema/json-object.ts';

/**
 * Keys of a strategic patch that say how to merge instead of what: `$patch`, `$retainKeys`,
 * `$deleteFromPrimitiveList/<field>` and `$setElementOrder/<field>`.
 */

/** A patch whose directives make no sense, or that lacks the key of an element. */
export class StrategicPatchError extends Error {
  override readonly name = 'StrategicPatchError';
}

export type JsonObject = { [key: string]: unknown };

export const PATCH = '$patch';
export const RETAIN = '$retainKeys';
export const DELETE_FROM = '$deleteFromPrimitiveList/';
export const ORDER = '$setElementOrder/';

export const isDirective = (key: string): boolean =>
  key.startsWith('$') && (key === PATCH || key === RETAIN || key.startsWith(DELETE_FROM) || key.startsWith(ORDER));

export type PatchDirective = 'merge' | 'replace' | 'delete';

/** What `$patch` asks for; merging unless it says otherwise. */
export function directiveOf(patch: JsonObject): PatchDirective {
  const directive = patch[PATCH] ?? 'merge';
  if (directive === 'merge' || directive === 'replace' || directive === 'delete') return directive;
  throw new StrategicPatchError(`unknown patch directive ${JSON.stringify(directive)}`);
}

/** The list that a directive must hold. */
export function listIn(patch: JsonObject, key: string): unknown[] | undefined {
  const value = patch[key];
  if (value === undefined || Array.isArray(value)) return value;
  throw new StrategicPatchError(`${key} must be a list`);
}

/** An object that is taken as it is, less the directives and nulls that only make sense in a merge. */
export function withoutDirectives(patch: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(patch)) {
    if (!isDirective(key) && value !== null) setOwn(result, key, stripped(value));
  }
  return result;
}

export function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripped);
  return isObject(value) ? withoutDirectives(value) : value;
}
