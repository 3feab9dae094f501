import { DELIMITED, FIXED64, tagOf, VARINT } from '../../schema/wire.ts';
import type { WireWriter } from '../../schema/wire-writer.ts';

/**
 * Binary messages that are written from JSON by a table of rows. Messages are written last field first: see WireWriter.
 */

/** Writes one field, its tag included. */
export type Write<T> = (writer: WireWriter, number: number, value: T) => void;

export type JsonObject = { readonly [key: string]: unknown };

/** Writes the fields of an object, without a tag. Throws for a key that has no row. */
export type Message = (writer: WireWriter, value: JsonObject) => void;

/** Fields by the key they have in JSON. */
export type Rows = Readonly<Record<string, readonly [number: number, write: Write<never>]>>;

/** `extensions`: the last field of the message, where keys go that begin with `x-`. */
export function message(rows: Rows, extensions?: number): Message {
  const descending = Object.entries(rows).sort(([, [a]], [, [b]]) => b - a);
  return (writer, value) => {
    const others = Object.entries(value).filter(([key]) => !Object.hasOwn(rows, key));
    for (const [key, member] of others.reverse()) {
      if (extensions === undefined || !key.startsWith('x-')) throw new TypeError(`a message has no field for "${key}"`);
      extension(writer, extensions, [key, member]);
    }
    for (const [key, [number, write]] of descending) {
      const member = value[key];
      // The table says what is under the key: that is what it is for.
      if (member !== undefined) write(writer, number, member as never);
    }
  };
}

export const text: Write<string> = (writer, number, value) => {
  writer.string(value);
  writer.varint(tagOf(number, DELIMITED));
};

export const flag: Write<boolean> = (writer, number, value) => {
  writer.bool(value);
  writer.varint(tagOf(number, VARINT));
};

export const whole: Write<number> = (writer, number, value) => {
  writer.integer(value);
  writer.varint(tagOf(number, VARINT));
};

export const fraction: Write<number> = (writer, number, value) => {
  writer.double(value);
  writer.varint(tagOf(number, FIXED64));
};

const delimited =
  <T>(write: (writer: WireWriter, value: T) => void): Write<T> =>
  (writer, number, value) => {
    const before = writer.size;
    write(writer, value);
    writer.varint(writer.size - before);
    writer.varint(tagOf(number, DELIMITED));
  };

export const repeated =
  <T>(write: Write<T>): Write<readonly T[]> =>
  (writer, number, values) => {
    for (const value of values.toReversed()) write(writer, number, value);
  };

/** An object as a message; which one may depend on the object. */
export const nested = (choose: (value: JsonObject) => Message): Write<JsonObject> =>
  delimited((writer, value) => choose(value)(writer, value));

/** A message that does nothing but hold one field. */
export const holding = <T>(inner: number, write: Write<T>): Write<T> =>
  delimited((writer, value) => write(writer, inner, value));

/** Any value, as YAML: JSON is YAML too. */
export const any: Write<unknown> = delimited((writer, value) => text(writer, 2, JSON.stringify(value)));

/** A name and what it stands for. */
export const pair = <T>(write: Write<T>): Write<readonly [name: string, value: T]> =>
  delimited((writer, [name, value]) => {
    write(writer, 2, value);
    text(writer, 1, name);
  });

/** A JSON object with free keys: a message that holds a pair for each. */
export const mapOf = <T>(write: Write<T>): Write<Readonly<Record<string, T>>> => {
  const pairs = repeated(pair(write));
  return delimited((writer, value) => pairs(writer, 1, Object.entries(value)));
};

const extension = pair(any);
