import { type Type, typeName } from '../types/type.ts';
import { Double, isInt, Uint } from './numbers.ts';
import { Duration, Timestamp } from './time.ts';

/**
 * What expressions work on. Documents are read as they are: null, booleans, strings, arrays and plain objects are values,
 * and their whole numbers are ints. Everything else is an instance of one of these classes.
 */

/** A failed evaluation. It is a value and not thrown, since `||` and `&&` may yet do without it. */
export class Failure {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export class TypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

export class Optional {
  static readonly none = new Optional(undefined, false);
  readonly value: unknown;
  readonly hasValue: boolean;

  private constructor(value: unknown, hasValue: boolean) {
    this.value = value;
    this.hasValue = hasValue;
  }

  static of(value: unknown): Optional {
    return new Optional(value, true);
  }
}

/** A value that only functions look into. Two of a name are equal when their keys are. */
export class OpaqueValue<T = unknown> {
  readonly name: string;
  readonly content: T;
  readonly key: string | number | bigint | boolean;

  constructor(name: string, content: T, key: string | number | bigint | boolean) {
    this.name = name;
    this.content = content;
    this.key = key;
  }
}

/** A list that is equal in any order. An ordinary array otherwise. */
export class SetList extends Array<unknown> {
  static over(items: readonly unknown[]): SetList {
    return Object.setPrototypeOf(items.slice(), SetList.prototype);
  }
}

/** A list whose items are told apart by some of their fields. An ordinary array otherwise. */
export class KeyedList extends Array<unknown> {
  keyFields: readonly string[] = [];

  static over(items: readonly unknown[], keyFields: readonly string[]): KeyedList {
    const list: KeyedList = Object.setPrototypeOf(items.slice(), KeyedList.prototype);
    list.keyFields = keyFields;
    return list;
  }
}

export type PlainObject = Readonly<Record<string, unknown>>;

/** An object of a document. */
export function isPlainObject(value: unknown): value is PlainObject {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** A map that an expression made, by `keyOf` of its keys; or an object of a document. */
export type MapValue = PlainObject | ReadonlyMap<unknown, readonly [key: unknown, value: unknown]>;

export const isMap = (value: unknown): value is MapValue => value instanceof Map || isPlainObject(value);

/** What keys of maps are looked up by: numbers that are equal have the same, whatever their types. */
export function keyOf(key: unknown): unknown {
  if (key instanceof Uint) return Number.isSafeInteger(Number(key.value)) ? Number(key.value) : key.value;
  if (key instanceof Double) return key.value;
  return key;
}

/** The entry of a map, or undefined when it has none. */
export function lookUp(map: MapValue, key: unknown): unknown {
  if (map instanceof Map) return map.get(keyOf(key))?.[1];
  return typeof key === 'string' && Object.hasOwn(map, key) ? (map as PlainObject)[key] : undefined;
}

export const sizeOfMap = (map: MapValue): number => (map instanceof Map ? map.size : Object.keys(map).length);

export const keysOf = (map: MapValue): readonly unknown[] =>
  map instanceof Map ? Array.from(map.values(), ([key]) => key) : Object.keys(map);

/** Whether a value is of a type, as far as its outside tells: the items of a list are not looked at. */
export function isOf(type: Type, value: unknown): boolean {
  switch (type.kind) {
    case 'bool':
      return typeof value === 'boolean';
    case 'int':
      return isInt(value);
    case 'uint':
      return value instanceof Uint;
    case 'double':
      return value instanceof Double;
    case 'string':
      return typeof value === 'string';
    case 'bytes':
      return value instanceof Uint8Array;
    case 'null':
      return value === null;
    case 'timestamp':
      return value instanceof Timestamp;
    case 'duration':
      return value instanceof Duration;
    case 'list':
      return Array.isArray(value);
    case 'map':
      return isMap(value);
    case 'object':
      return isPlainObject(value);
    case 'optional':
      return value instanceof Optional;
    case 'type':
      return value instanceof TypeValue;
    case 'opaque':
      return value instanceof OpaqueValue && value.name === type.name;
    default:
      return true;
  }
}

const NAMED: readonly Type[] = [
  { kind: 'bool' },
  { kind: 'int' },
  { kind: 'uint' },
  { kind: 'double' },
  { kind: 'string' },
  { kind: 'bytes' },
  { kind: 'null' },
  { kind: 'timestamp' },
  { kind: 'duration' },
  { kind: 'list', item: { kind: 'dyn' } },
  { kind: 'map', key: { kind: 'dyn' }, value: { kind: 'dyn' } },
  { kind: 'optional', of: { kind: 'dyn' } },
  { kind: 'type', of: { kind: 'dyn' } },
];

/** The name of the type of a value, as `type(value)` gives it. */
export function typeNameOf(value: unknown): string {
  if (value instanceof OpaqueValue) return value.name;
  const type = NAMED.find((candidate) => isOf(candidate, value));
  return type ? typeName(type) : 'unknown';
}
