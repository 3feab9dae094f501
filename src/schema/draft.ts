import { isObject, type JsonObject, setOwn } from './json-object.ts';

declare const VALUE: unique symbol;

/**
 * Objects are values: what a declaration's type describes is never changed in place, all the way down. The mark exists in
 * types alone. It keeps TypeScript from taking a value for a draft, which readonly properties by themselves would not.
 */
export interface Value {
  readonly [VALUE]?: 'value';
}

/** What may be changed: a copy that one writer has to itself, on its way to becoming a value. Any draft can be read as a value. */
export type Draft<T> = T extends readonly (infer Item)[]
  ? Draft<Item>[]
  : T extends object
    ? { -readonly [K in keyof T]: K extends typeof VALUE ? never : Draft<T[K]> }
    : T;

/** A copy that may be changed. */
export function draftOf<T>(value: T): Draft<T>;
export function draftOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(draftOf);
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const key in value) {
    const inside = value[key];
    setOwn(copy, key, typeof inside === 'object' ? draftOf(inside) : inside);
  }
  return copy;
}

/** The same as a value. For types that are parameters: of others TypeScript knows that a draft can be read as a value. */
export const asValue = <T>(draft: Draft<T>): T => draft as T;

/** A value as part of a draft, without a copy: for parts of it that nobody changes. */
export const borrowed = <T>(value: T): Draft<T> => value as Draft<T>;
