import { isObject } from './json-object.ts';
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

/** A text that values in canonical form share if they say the same. */
export const comparableText = (value: unknown): string =>
  JSON.stringify(value, (_key, inner) => (isUnset(inner) ? undefined : inner)) ?? '';

type JsonObject = { readonly [key: string]: unknown };

const isUnset = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

const sameLists = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((item, at) => sameValue(item, b[at]));

/** Every field that is set in `a` is the same in `b`, and `b` has no more of them. */
function sameFields(a: JsonObject, b: JsonObject): boolean {
  let surplus = 0;
  for (const key in a) {
    if (isUnset(a[key])) continue;
    if (!sameValue(a[key], b[key])) return false;
    surplus--;
  }
  for (const key in b) if (!isUnset(b[key])) surplus++;
  return surplus === 0;
}
