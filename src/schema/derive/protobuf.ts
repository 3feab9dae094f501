import { MOST_VALUES } from '../document-limits.ts';
import { isObject, setOwn } from '../json-object.ts';
import type { Facts, Field, Node, StructShape, UnionShape, Visitor } from '../schema.ts';
import { DELIMITED, tagOf, type WireType } from '../wire.ts';
import { WireReader } from '../wire-reader.ts';
import { type WireWriter, writtenBy } from '../wire-writer.ts';

/**
 * The binary form: structs and unions are messages whose fields have the numbers of their declaration. What is there by
 * value (scalars, structs, times) is always written, also when zero; what tells unset from zero only when it is set;
 * lists and maps element by element. Fields are in the order of their numbers and maps in that of their keys, so that
 * equal objects are equal bytes.
 */

type JsonObject = { [key: string]: unknown };

/** One value, without a tag: what a field holds, or an element of a list or map. */
interface Element {
  readonly wireType: WireType;
  /** Stands for an unset value where one has to be written. */
  readonly zero: unknown;
  readonly write: (writer: WireWriter, value: unknown) => void;
  readonly read: (reader: WireReader) => unknown;
}

/** A field of a message, and where the object that holds its value has it. */
interface MessageField {
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

class Message {
  private readonly declared: () => readonly MessageField[];
  private compiled: readonly MessageField[] | undefined;
  private byNumber: readonly (MessageField | undefined)[] = [];

  constructor(declared: () => readonly MessageField[]) {
    this.declared = declared;
  }

  write(writer: WireWriter, holder: JsonObject): void {
    const before = writer.size;
    this.writeFields(writer, holder);
    writer.varint(writer.size - before);
  }

  writeFields(writer: WireWriter, holder: JsonObject): void {
    for (const field of this.compiled ?? this.compile()) {
      const value = field.inline ? holder : (holder[field.name] ?? field.zero);
      if (value !== undefined) field.write(writer, value);
    }
  }

  /** What a message without any field says. */
  zeros(): JsonObject {
    const zeros = (this.compiled ?? this.compile()).map(({ name, zero }) => [name, zero] as const);
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
    if (!this.compiled) this.compile();
    const { byNumber } = this;
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
  private compile(): readonly MessageField[] {
    const fields = [...this.declared()].sort((a, b) => b.number - a.number);
    const byNumber: (MessageField | undefined)[] = new Array((fields[0]?.number ?? 0) + 1).fill(undefined);
    for (const field of fields) byNumber[field.number] = field;
    this.byNumber = byNumber;
    this.compiled = fields;
    return fields;
  }
}

/** A field with one value. By value, it says zero when it is unset. */
function singleField(name: string, number: number, element: Element, byValue: boolean): MessageField {
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

function structField(name: string, number: number, message: Message, byValue: boolean): MessageField {
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
function inlineField(name: string, number: number, message: Message): MessageField {
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

function listField(name: string, number: number, { wireType, zero, write, read }: Element): MessageField {
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
function mapField(name: string, number: number, { wireType, zero, write, read }: Element): MessageField {
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

const elementOf = (message: Message): Element => ({
  wireType: DELIMITED,
  zero: {},
  write: (writer, value) => message.write(writer, value as JsonObject),
  read: (reader) => message.read(reader, {}),
});

/** A message with a field for each form, of which one is set, and what that one implies. */
function unionElement(shape: UnionShape): Element {
  const forms = Object.entries(shape.forms);
  const message = new Message(() =>
    forms.map(([name, { number, node }]) => fieldOf(shape.name, name, { number, node: node(), inline: false })),
  );
  // A form is declared after those it implies, so the last one counts. A list without elements leaves no trace.
  const lastOf = (holder: JsonObject): unknown => holder[forms.findLast(([name]) => name in holder)?.[0] ?? ''];
  let formOf: ((value: unknown) => string | undefined) | undefined;
  return {
    wireType: DELIMITED,
    zero: null,
    write(writer, value) {
      formOf ??= shape.pick((_node, name) => name);
      const name = formOf(value);
      message.write(writer, name === undefined ? {} : { ...shape.forms[name]?.implies, [name]: value });
    },
    read: (reader) => lastOf(message.read(reader, message.zeros())) ?? null,
  };
}

const messages = new WeakMap<StructShape, Message>();

function messageOf(shape: StructShape): Message {
  const known = messages.get(shape);
  if (known) return known;
  const made = new Message(() => Object.entries(shape.fields).map(([name, field]) => fieldOf(shape.name, name, field)));
  messages.set(shape, made);
  return made;
}

const withoutBinaryForm = (name: string): never => {
  throw new TypeError(`${name} has no binary form`);
};

const ELEMENT: Visitor<Element> = {
  scalar({ scalar: { name, zero, wire } }) {
    if (!wire) return withoutBinaryForm(name);
    const { wireType, write, read } = wire;
    return { wireType, zero, write, read };
  },
  struct: (shape) => elementOf(messageOf(shape)),
  union: unionElement,
  list: () => withoutBinaryForm('a list within a list or map'),
  map: () => withoutBinaryForm('a map within a list or map'),
};

const tellsUnset = ({ presence }: Facts): boolean => presence === 'optional' || presence === 'nullable';

function fieldOf(owner: string, name: string, { number, node, inline }: Field): MessageField {
  if (number === 0) return withoutBinaryForm(owner);
  return node.accept<MessageField>({
    scalar(shape, facts) {
      const byValue = shape.scalar.wire?.byValue === true && !tellsUnset(facts);
      return singleField(name, number, node.accept(ELEMENT), byValue);
    },
    struct(shape, facts) {
      if (inline) return inlineField(name, number, messageOf(shape));
      return structField(name, number, messageOf(shape), !tellsUnset(facts));
    },
    union: (shape) => singleField(name, number, unionElement(shape), false),
    list: (shape) => listField(name, number, shape.item().accept(ELEMENT)),
    map: (shape) => mapField(name, number, shape.item().accept(ELEMENT)),
  });
}

const notAMessage = (): never => {
  throw new TypeError('only a struct is a message');
};

const MESSAGE: Visitor<Message> = {
  struct: messageOf,
  scalar: notAMessage,
  list: notAMessage,
  map: notAMessage,
  union: notAMessage,
};

/** Whether objects of a type can travel in binary: all its fields have numbers. Kinds that JSON schemas declare have none. */
export const hasBinaryForm = (node: Node): boolean =>
  node.accept({
    struct: ({ fields }) => Object.values(fields).every(({ number }) => number !== 0),
    scalar: () => false,
    list: () => false,
    map: () => false,
    union: () => false,
  });

/** Writes a struct in canonical form, without length or tag. Its `kind` and `apiVersion` are not part of the message. */
export function writeMessage(node: Node, writer: WireWriter, value: unknown): void {
  node.accept(MESSAGE).writeFields(writer, value as JsonObject);
}

/** The bytes of a struct in canonical form. Its `kind` and `apiVersion` are not part of them. */
export const encodeMessage = (node: Node, value: unknown): Buffer =>
  writtenBy((writer) => writeMessage(node, writer, value));

/**
 * A value for `canonicalise`, which checks it and brings it into canonical form. Fields that the declaration does not
 * know are passed over. Throws a WireError when the bytes are not such a message, a 413 when they hold more values than
 * there may be.
 */
export function decodeMessage(node: Node, bytes: Buffer, mostValues = MOST_VALUES): JsonObject {
  const value: JsonObject = {};
  node.accept(MESSAGE).readFields(new WireReader(bytes, 0, mostValues), value);
  return value;
}
