import type { WireType } from './wire.ts';
import type { WireReader } from './wire-reader.ts';
import type { WireWriter } from './wire-writer.ts';

/** How a scalar travels in binary messages, without its tag. */
export interface ScalarWire<Type = unknown, Zero = unknown> {
  readonly wireType: WireType;
  /** Written as zero where it is unset, unless the field tells unset from zero. */
  readonly byValue: boolean;
  /** Takes a value in canonical form. Like `read`, it is called as a plain function. */
  write(writer: WireWriter, value: Type | Zero): void;
  /** Gives a value for `ScalarType.read`, or null for one that is unset. */
  read(reader: WireReader): unknown;
}

/** What the published schema says of a scalar. */
export interface PublishedScalar {
  /** Absent: anything goes. */
  readonly type?: string;
  readonly format?: string;
  /** Types of JSON that are accepted, where they are more than one. */
  readonly accepts?: readonly string[];
  /** Of a list: what it is a list of. */
  readonly items?: PublishedScalar;
  /** Published once, as a type of this name, and referred to. */
  readonly name?: string;
  readonly description?: string;
}

/** A leaf: how it is read from JSON, what its zero is, and how it travels in binary. */
export interface ScalarType<Type = unknown, Zero = unknown> {
  readonly name: string;
  /** The value in canonical form, or undefined when the JSON value (never null) does not fit. */
  read(value: unknown): Type | undefined;
  /** What `read` wants, for people: "an integer". */
  readonly expects: string;
  /** What is wrong with a value that is of the right type of JSON and does not fit; must not show the value. */
  readonly complain?: ((value: unknown) => string | undefined) | undefined;
  isZero(value: Type): boolean;
  /** What `typeof` says of values that are canonical as they are, and of which none but `zero` is zero. */
  readonly plain?: 'string' | 'boolean';
  /** What JSON shows for an unset field that is always written. */
  readonly zero: Zero;
  /** The element of a list or map that was sent as null. */
  readonly empty: Type | Zero;
  /** Written even when zero, as structs by value are. */
  readonly byValue?: boolean;
  /** A value may have any number of values inside. */
  readonly open?: boolean;
  readonly published: PublishedScalar;
  /** Absent: the scalar exists in JSON only. */
  readonly wire?: ScalarWire<Type, Zero>;
}
