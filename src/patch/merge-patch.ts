import { isObject, setOwn } from '../schema/json-object.ts';

type JsonObject = { [key: string]: unknown };

/** RFC 7386: maps merge, null removes, everything else replaces. Neither argument is changed. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: JsonObject = {};
  if (isObject(target)) for (const key of Object.keys(target)) setOwn(result, key, target[key]);
  for (const key of Object.keys(patch)) {
    const change = patch[key];
    if (change === null) delete result[key];
    else setOwn(result, key, mergePatch(Object.hasOwn(result, key) ? result[key] : undefined, change));
  }
  return result;
}
