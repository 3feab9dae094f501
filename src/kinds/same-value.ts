/**
 * Whether two JSON values say the same. Absent, null and an empty list are alike: which of them an unset field holds
 * depends on its declaration and on who set it last, not on its meaning.
 */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isUnset(a) || isUnset(b)) return isUnset(a) && isUnset(b);
  if (Array.isArray(a)) return Array.isArray(b) && sameLists(a, b);
  return isObject(a) && isObject(b) && sameFields(a, b);
}

type JsonObject = { readonly [key: string]: unknown };

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isUnset = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

const sameLists = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((item, at) => sameValue(item, b[at]));

function sameFields(a: JsonObject, b: JsonObject): boolean {
  for (const key in a) if (!sameValue(a[key], ownField(b, key))) return false;
  for (const key in b) if (!Object.hasOwn(a, key) && !isUnset(b[key])) return false;
  return true;
}

const ownField = (object: JsonObject, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined);
