import { isObject } from '../schema/json-object.ts';
import type { ApiObject } from './resource-type.ts';

type JsonObject = { [key: string]: unknown };

/** The object that holds the last segment of a dotted path, if it is there. */
function holderOf(object: unknown, path: string): { holder: JsonObject | undefined; name: string } {
  const segments = path.split('.');
  const name = segments.pop() ?? '';
  let holder: unknown = object;
  for (const segment of segments) holder = isObject(holder) ? holder[segment] : undefined;
  return { holder: isObject(holder) ? holder : undefined, name };
}

/** Gives the fields at these dotted paths the values they have in `old`: a write through this endpoint cannot change them. */
export function restoreFields(object: ApiObject, old: ApiObject, paths: readonly string[] = []): void {
  for (const path of paths) {
    const { holder, name } = holderOf(object, path);
    if (!holder) continue;
    const kept = holderOf(old, path).holder?.[name];
    if (kept === undefined) delete holder[name];
    else holder[name] = isObject(kept) ? { ...kept } : kept;
  }
}

/** Empties the fields at these dotted paths of a new object; structs become empty structs. */
export function clearFields(object: ApiObject, paths: readonly string[] = []): void {
  for (const path of paths) {
    const { holder, name } = holderOf(object, path);
    if (!holder) continue;
    if (isObject(holder[name])) holder[name] = {};
    else delete holder[name];
  }
}
