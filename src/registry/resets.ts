import { isObject } from '../schema/json-object.ts';
import type { ApiObject } from './resource-type.ts';

type JsonObject = { [key: string]: unknown };

/** The object that holds the last segment of a dotted path, if it is there. */
function holderOf(object: unknown, path: string): { holder: JsonObject | undefined; name: string } {
  let holder: unknown = object;
  let start = 0;
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', start)) {
    holder = isObject(holder) ? holder[path.slice(start, dot)] : undefined;
    start = dot + 1;
  }
  return { holder: isObject(holder) ? holder : undefined, name: path.slice(start) };
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
    else if (holder[name] !== undefined) delete holder[name];
  }
}
