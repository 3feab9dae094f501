import { isObject } from './json-object.ts';
/** Whether two JSON values are the same. Fields that are undefined count as not there; the order of fields does not. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && sameItems(a, b);
  return isObject(a) && isObject(b) && sameFields(a, b);
}

type JsonObject = { readonly [name: string]: unknown };

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (!sameJson(a[at], b[at])) return false;
  return true;
}

function sameFields(a: JsonObject, b: JsonObject): boolean {
  let surplus = 0;
  for (const name in a) {
    const one = a[name];
    const other = b[name];
    if (one === undefined) continue;
    if (one !== other && !sameJson(one, other)) return false;
    // The one name under which every object has an object already.
    if (name === '__proto__' && !Object.hasOwn(b, name)) return false;
    surplus--;
  }
  for (const name in b) if (b[name] !== undefined) surplus++;
  return surplus === 0;
}
