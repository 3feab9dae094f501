import { MOST_VALUES } from '../document-limits.ts';
import type { Facts } from '../facts.ts';
import type { JsonObject } from '../json-object.ts';
import type { Field, Node, StructShape, UnionShape, Visitor } from '../node.ts';
import { DELIMITED } from '../wire.ts';
import { WireReader } from '../wire-reader.ts';
import { type WireWriter, writtenBy } from '../wire-writer.ts';
import {
  type Element,
  elementOf,
  inlineField,
  listField,
  Message,
  type MessageField,
  mapField,
  singleField,
  structField,
} from './message.ts';

/**
 * The binary form: structs and unions are messages whose fields have the numbers of their declaration. What is there by
 * value (scalars, structs, times) is always written, also when zero; what tells unset from zero only when it is set;
 * lists and maps element by element. Fields are in the order of their numbers and maps in that of their keys, so that
 * equal objects are equal bytes.
 */

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
  loose: () => withoutBinaryForm('a loose value'),
};

const tellsUnset = ({ presence }: Facts): boolean => presence !== 'implicit' && presence !== 'always';

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
    loose: () => withoutBinaryForm(owner),
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
  loose: notAMessage,
};

/** Whether objects of a type can travel in binary: all its fields have numbers. Kinds that JSON schemas declare have none. */
export const hasBinaryForm = (node: Node): boolean =>
  node.accept({
    struct: ({ fields }) => Object.values(fields).every(({ number }) => number !== 0),
    scalar: () => false,
    list: () => false,
    map: () => false,
    union: () => false,
    loose: () => false,
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
