/** Whether two JSON values are the same. Fields that are undefined count as not there; the order of fields does not. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && sameItems(a, b);
  return isObject(a) && isObject(b) && sameFields(a, b);
}

type JsonObject = { readonly [name: string]: unknown };

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (!sameJson(a[at], b[at])) return false;
  return true;
}

function sameFields(a: JsonObject, b: JsonObject): boolean {
  let surplus = 0;
  for (const name in b) if (b[name] !== undefined) surplus++;
  for (const name in a) {
    if (a[name] === undefined) continue;
    if (!Object.hasOwn(b, name) || !sameJson(a[name], b[name])) return false;
    surplus--;
  }
  return surplus === 0;
}
