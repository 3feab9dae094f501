import type { Functions } from '../functions/standard.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  type ObjectType,
  optionalOf,
  STRING,
  TIMESTAMP,
  type Type,
  typeName,
  typeOfType,
  UINT,
} from '../types/type.ts';
import { TypeValue } from '../values/values.ts';

/** What an expression may name. */
export interface Environment {
  /** In the order in which their values are handed in. */
  readonly variables: ReadonlyMap<string, Type>;
  readonly functions: Functions;
  /** Names are looked up in here first, from the inside out. */
  readonly container?: string;
  /** What `Name{field: value}` can make; nothing unless given. */
  readonly messages?: Messages;
  /** Whether items of a list, and entries of a map, may be of different types. */
  readonly allowsMixedLiterals?: boolean;
}

/** Messages that expressions can make. */
export interface Messages {
  /** Undefined: there is none of the name. The same type for the same name. */
  typeOf(name: string): ObjectType | undefined;
  /** What is wrong with a field that is given a value of a type; undefined: nothing. */
  fieldProblem(message: ObjectType, field: string, given: Type): string | undefined;
}

export interface Constant {
  readonly type: Type;
  readonly value: unknown;
}

const TYPES: readonly Type[] = [
  BOOL,
  INT,
  UINT,
  DOUBLE,
  STRING,
  BYTES,
  NULL,
  TIMESTAMP,
  DURATION,
  listOf(DYN),
  mapOf(DYN, DYN),
  optionalOf(DYN),
  typeOfType(DYN),
];

/** Names of types are values. */
export const TYPE_CONSTANTS: ReadonlyMap<string, Constant> = new Map(
  TYPES.map((type) => [typeName(type), { type: typeOfType(type), value: new TypeValue(typeName(type)) }]),
);

/** The names that a name may stand for, most specific first. */
export function candidates(name: string, container = ''): readonly string[] {
  if (name.startsWith('.')) return [name.slice(1)];
  const found: string[] = [];
  for (let scope = container; scope !== ''; scope = scope.slice(0, Math.max(scope.lastIndexOf('.'), 0))) {
    found.push(`${scope}.${name}`);
  }
  return [...found, name];
}
