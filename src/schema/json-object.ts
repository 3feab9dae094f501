export type JsonObject = { [key: string]: unknown };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `Array.isArray` for values, whose lists are readonly. */
export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** Plain assignment, except for the one key that would change the prototype instead. */
export function setOwn(target: JsonObject, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  else target[key] = value;
}

/**
 * A copy with other metadata. Copied first and then set: where a literal says a field once more that was spread into it, the
 * engine takes ten times as long.
 */
export function withMetadata(object: JsonObject, metadata: JsonObject): JsonObject {
  const copy = { ...object };
  copy.metadata = metadata;
  return copy;
}
