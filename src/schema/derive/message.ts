import { isObject, type JsonObject, setOwn } from '../json-object.ts';
import { DELIMITED, tagOf, type WireType } from '../wire.ts';
import type { WireReader } from '../wire-reader.ts';
import type { WireWriter } from '../wire-writer.ts';

/** One value, without a tag: what a field holds, or an element of a list or map. */
export interface Element {
  readonly wireType: WireType;
  /** Stands for an unset value where one has to be written. */
  readonly zero: unknown;
  readonly write: (writer: WireWriter, value: unknown) => void;
  readonly read: (reader: WireReader) => unknown;
}

/** A field of a message, and where the object that holds its value has it. */
export interface MessageField {
  readonly number: number;
  readonly name: string;
  /** The value is the holder itself: JSON has its fields there. */
  readonly inline: boolean;
  /** What an unset field says, and is written as; undefined: nothing. */
  readonly zero: unknown;
  readonly write: (writer: WireWriter, value: unknown) => void;
  /** Reads one occurrence. A later one replaces a scalar, is merged into a message, and added to a list or map. */
  readonly read: (reader: WireReader, tag: number, holder: JsonObject) => void;
}

export class Message {
  readonly #declared: () => readonly MessageField[];
  #compiled: readonly MessageField[] | undefined;
  #byNumber: readonly (MessageField | undefined)[] = [];

  constructor(declared: () => readonly MessageField[]) {
    this.#declared = declared;
  }

  write(writer: WireWriter, holder: JsonObject): void {
    const before = writer.size;
    this.writeFields(writer, holder);
    writer.varint(writer.size - before);
  }

  writeFields(writer: WireWriter, holder: JsonObject): void {
    for (const field of this.#compiled ?? this.#compile()) {
      const value = field.inline ? holder : (holder[field.name] ?? field.zero);
      if (value !== undefined) field.write(writer, value);
    }
  }

  /** What a message without any field says. */
  zeros(): JsonObject {
    const zeros = (this.#compiled ?? this.#compile()).map(({ name, zero }) => [name, zero] as const);
    return Object.fromEntries(zeros.filter(([, zero]) => zero !== undefined));
  }

  /** Reads the message that the reader is about to enter. */
  read(reader: WireReader, holder: JsonObject): JsonObject {
    const outer = reader.enter();
    this.readFields(reader, holder);
    reader.leave(outer);
    return holder;
  }

  /** Reads to the end of the message that the reader is in. */
  readFields(reader: WireReader, holder: JsonObject): void {
    if (!this.#compiled) this.#compile();
    const byNumber = this.#byNumber;
    while (reader.more) {
      const tag = reader.tag();
      reader.count(1);
      const number = tag >>> 3;
      const field = number < byNumber.length ? byNumber[number] : undefined;
      if (field) field.read(reader, tag, holder);
      else reader.skip(tag);
    }
  }

  /** On first use: start-up stays quick, and a type may contain itself. The last field comes first, as it is written. */
  #compile(): readonly MessageField[] {
    const fields = [...this.#declared()].sort((a, b) => b.number - a.number);
    const byNumber: (MessageField | undefined)[] = new Array((fields[0]?.number ?? 0) + 1).fill(undefined);
    for (const field of fields) byNumber[field.number] = field;
    this.#byNumber = byNumber;
    this.#compiled = fields;
    return fields;
  }
}

/** A field with one value. By value, it says zero when it is unset. */
export function singleField(name: string, number: number, element: Element, byValue: boolean): MessageField {
  const { write, read } = element;
  const ownTag = tagOf(number, element.wireType);
  const zero = byValue ? element.zero : undefined;
  return {
    number,
    name,
    inline: false,
    zero,
    write(writer, value) {
      write(writer, value);
      writer.varint(ownTag);
    },
    read(reader, tag, holder) {
      if (tag !== ownTag) throw reader.misfit(tag);
      const value = read(reader);
      // Most of what is written by value is zero, which canonical form knows better how to write.
      if (value !== zero || holder[name] !== undefined) holder[name] = value;
    },
  };
}

export function structField(name: string, number: number, message: Message, byValue: boolean): MessageField {
  const ownTag = tagOf(number, DELIMITED);
  return {
    ...singleField(name, number, elementOf(message), byValue),
    read(reader, tag, holder) {
      if (tag !== ownTag) throw reader.misfit(tag);
      const before = holder[name];
      if (isObject(before)) message.read(reader, before);
      else holder[name] = message.read(reader, {});
    },
  };
}

/** A message whose fields are, in JSON, those of the one that holds it. */
export function inlineField(name: string, number: number, message: Message): MessageField {
  const ownTag = tagOf(number, DELIMITED);
  return {
    ...singleField(name, number, elementOf(message), true),
    inline: true,
    read(reader, tag, holder) {
      if (tag !== ownTag) throw reader.misfit(tag);
      message.read(reader, holder);
    },
  };
}

export function listField(name: string, number: number, { wireType, zero, write, read }: Element): MessageField {
  const itemTag = tagOf(number, wireType);
  // We never pack numbers into one field, but whoever reads must know that form too.
  const packedTag = tagOf(number, DELIMITED);
  const readPacked = (reader: WireReader, items: unknown[]): void => {
    const outer = reader.enter();
    while (reader.more) items.push(read(reader));
    reader.leave(outer);
  };
  return {
    number,
    name,
    inline: false,
    zero: undefined,
    write(writer, items) {
      if (!Array.isArray(items)) return;
      for (let at = items.length - 1; at >= 0; at--) {
        write(writer, items[at] ?? zero);
        writer.varint(itemTag);
      }
    },
    read(reader, tag, holder) {
      const before = holder[name];
      const items: unknown[] = Array.isArray(before) ? before : [];
      if (tag === itemTag) items.push(read(reader));
      else if (tag === packedTag) readPacked(reader, items);
      else throw reader.misfit(tag);
      if (items !== before) holder[name] = items;
    },
  };
}

const KEY = tagOf(1, DELIMITED);

/** Each entry is a message of a key and a value. */
export function mapField(name: string, number: number, { wireType, zero, write, read }: Element): MessageField {
  const entryTag = tagOf(number, DELIMITED);
  const valueTag = tagOf(2, wireType);
  const writeEntry = (writer: WireWriter, key: string, value: unknown): void => {
    const before = writer.size;
    write(writer, value ?? zero);
    writer.varint(valueTag);
    writer.string(key);
    writer.varint(KEY);
    writer.varint(writer.size - before);
    writer.varint(entryTag);
  };
  /** An entry without a value has the zero of its type, for which JSON can write null. */
  const readEntry = (reader: WireReader, map: JsonObject): void => {
    const outer = reader.enter();
    let key = '';
    let value: unknown = null;
    while (reader.more) {
      const tag = reader.tag();
      if (tag === KEY) key = reader.string();
      else if (tag === valueTag) value = read(reader);
      else reader.skipAbove(2, tag);
    }
    reader.leave(outer);
    setOwn(map, key, value);
  };
  return {
    number,
    name,
    inline: false,
    zero: undefined,
    write(writer, map) {
      if (!isObject(map)) return;
      const keys = sortedKeys(map);
      for (let at = keys.length - 1; at >= 0; at--) {
        const key = keys[at] ?? '';
        writeEntry(writer, key, map[key]);
      }
    },
    read(reader, tag, holder) {
      if (tag !== entryTag) throw reader.misfit(tag);
      const before = holder[name];
      const map: JsonObject = isObject(before) ? before : {};
      readEntry(reader, map);
      if (map !== before) holder[name] = map;
    },
  };
}

/** Canonical maps are in order already, except for keys that look like numbers: an object keeps those in front. */
function sortedKeys(map: JsonObject): string[] {
  const keys = Object.keys(map);
  for (let at = 1; at < keys.length; at++) {
    if ((keys[at - 1] ?? '') > (keys[at] ?? '')) return keys.sort();
  }
  return keys;
}

export const elementOf = (message: Message): Element => ({
  wireType: DELIMITED,
  zero: {},
  write: (writer, value) => message.write(writer, value as JsonObject),
  read: (reader) => message.read(reader, {}),
});
