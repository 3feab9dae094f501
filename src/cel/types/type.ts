/**
 * Static types. Types of values that have a size know the largest size that the schema allows, which the cost estimate
 * reads; types are equal whatever their sizes.
 */

export interface SimpleType {
  readonly kind: 'dyn' | 'null' | 'bool' | 'int' | 'uint' | 'double' | 'timestamp' | 'duration';
  /** Whether null is allowed as well. */
  readonly isNullable?: boolean;
}

/** How large a value can be: characters, bytes, items or entries. */
export interface Bounds {
  /** Undefined where nothing says so. */
  readonly size?: number;
  /** The word of the schema that would bound the size, where it is missing and the size is but what a request may have. */
  readonly missing?: 'maxLength' | 'maxItems' | 'maxProperties';
}

export interface TextType extends Bounds {
  readonly kind: 'string' | 'bytes';
  readonly isNullable?: boolean;
}

export interface ListType extends Bounds {
  readonly kind: 'list';
  readonly item: Type;
  /** A set is equal in any order; a map is a list whose items are told apart by these fields. */
  readonly keys?: 'set' | readonly string[];
  readonly isNullable?: boolean;
}

export interface MapType extends Bounds {
  readonly kind: 'map';
  readonly key: Type;
  readonly value: Type;
  readonly isNullable?: boolean;
}

export interface Field {
  /** Its name in the document, which differs from that in expressions where it has to be escaped. */
  readonly name: string;
  readonly type: Type;
}

export interface ObjectType {
  readonly kind: 'object';
  readonly name: string;
  /** By their names in expressions. */
  readonly fields: ReadonlyMap<string, Field>;
  readonly isNullable?: boolean;
}

export interface OptionalType {
  readonly kind: 'optional';
  readonly of: Type;
}

/** A value that only functions look into: a URL, a quantity. */
export interface OpaqueType {
  readonly kind: 'opaque';
  readonly name: string;
}

/** The type of a type. */
export interface TypeType {
  readonly kind: 'type';
  readonly of: Type;
}

/** Stands for any type in the signature of a function; the same name for the same type. */
export interface ParameterType {
  readonly kind: 'parameter';
  readonly name: string;
}

/** A type that is not known yet: `Unifier` finds out. */
export interface VariableType {
  readonly kind: 'variable';
  readonly id: number;
}

export type Type =
  | SimpleType
  | TextType
  | ListType
  | MapType
  | ObjectType
  | OptionalType
  | OpaqueType
  | TypeType
  | ParameterType
  | VariableType;

export const DYN: SimpleType = { kind: 'dyn' };
export const NULL: SimpleType = { kind: 'null' };
export const BOOL: SimpleType = { kind: 'bool' };
export const INT: SimpleType = { kind: 'int' };
export const UINT: SimpleType = { kind: 'uint' };
export const DOUBLE: SimpleType = { kind: 'double' };
export const TIMESTAMP: SimpleType = { kind: 'timestamp' };
export const DURATION: SimpleType = { kind: 'duration' };
export const STRING: TextType = { kind: 'string' };
export const BYTES: TextType = { kind: 'bytes' };

export const listOf = (item: Type, bounds: Bounds = {}): ListType => ({ kind: 'list', item, ...bounds });
export const mapOf = (key: Type, value: Type, bounds: Bounds = {}): MapType => ({ kind: 'map', key, value, ...bounds });
export const optionalOf = (of: Type): OptionalType => ({ kind: 'optional', of });
export const opaque = (name: string): OpaqueType => ({ kind: 'opaque', name });
export const typeOfType = (of: Type): TypeType => ({ kind: 'type', of });
export const parameter = (name: string): ParameterType => ({ kind: 'parameter', name });

/** Whether a type of a signature stands for any type, or holds one that does. */
export function hasParameter(type: Type): boolean {
  switch (type.kind) {
    case 'parameter':
      return true;
    case 'list':
      return hasParameter(type.item);
    case 'map':
      return hasParameter(type.key) || hasParameter(type.value);
    case 'optional':
    case 'type':
      return hasParameter(type.of);
    default:
      return false;
  }
}

/** As messages show a type. */
export function typeText(type: Type): string {
  switch (type.kind) {
    case 'list':
      return `list(${typeText(type.item)})`;
    case 'map':
      return `map(${typeText(type.key)}, ${typeText(type.value)})`;
    case 'object':
    case 'opaque':
      return type.name;
    case 'optional':
      return `optional_type(${typeText(type.of)})`;
    case 'type':
      return `type(${typeText(type.of)})`;
    case 'parameter':
      return type.name;
    case 'variable':
      return `_var${type.id}`;
    default:
      return type.kind;
  }
}

/** The name of a type as a value: what `type(x)` is. */
export function typeName(type: Type): string {
  switch (type.kind) {
    case 'null':
      return 'null_type';
    case 'timestamp':
      return 'google.protobuf.Timestamp';
    case 'duration':
      return 'google.protobuf.Duration';
    case 'optional':
      return 'optional_type';
    case 'object':
    case 'opaque':
      return type.name;
    default:
      return type.kind;
  }
}
