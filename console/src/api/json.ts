/** A value as it comes from the server. What is in it is looked at, and never taken for granted. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value below a path; undefined where there is none. */
export function at(value: Json | undefined, ...path: readonly (string | number)[]): Json | undefined {
  let found = value;
  for (const step of path) {
    if (typeof step === 'number') found = Array.isArray(found) ? found[step] : undefined;
    else found = isObject(found) && Object.hasOwn(found, step) ? found[step] : undefined;
  }
  return found;
}

export const textAt = (value: Json | undefined, ...path: readonly (string | number)[]): string => {
  const found = at(value, ...path);
  return typeof found === 'string'
    ? found
    : typeof found === 'number' || typeof found === 'boolean'
      ? String(found)
      : '';
};

export const listAt = (value: Json | undefined, ...path: readonly (string | number)[]): readonly Json[] => {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
};

export const objectAt = (value: Json | undefined, ...path: readonly (string | number)[]): JsonObject => {
  const found = at(value, ...path);
  return isObject(found) ? found : {};
};

export const numberAt = (value: Json | undefined, ...path: readonly (string | number)[]): number | undefined => {
  const found = at(value, ...path);
  return typeof found === 'number' ? found : undefined;
};

/** Entries of a map whose values are texts, such as labels. */
export const textsAt = (value: Json | undefined, ...path: readonly (string | number)[]): readonly [string, string][] =>
  Object.entries(objectAt(value, ...path)).map(([name, text]) => [name, String(text)]);
