import { isObject, type JsonObject, setOwn } from '../json-object.ts';
import type { Node, StructShape, Visitor } from '../node.ts';
import { string } from '../scalars.ts';
import { type Reader, Trail } from './reading.ts';
import { before, type Holder, Slot } from './slot.ts';

class FieldSlot extends Slot {
  readonly name: string;
  /** Place in declared order. */
  readonly index: number;
  /** There even when it is unset. */
  readonly written: boolean;
  /** Unset differs from zero, and is null. */
  readonly pointer: boolean;
  /** Null differs from unset. */
  readonly keepsNull: boolean;

  constructor(name: string, index: number, node: Node, reader: Reader) {
    super(node, reader);
    const { presence } = node.facts;
    this.name = name;
    this.index = index;
    this.written = presence === 'always' || presence === 'nullable';
    this.pointer = presence !== 'implicit' && presence !== 'always';
    this.keepsNull = presence === 'explicit';
  }

  zero(): unknown {
    return this.pointer ? null : this.reader.zero();
  }
}

const NONE: string[] = [];

/** Compiles what reads a node. */
export type ReaderOf = (node: Node) => Reader;

interface StructFields {
  readonly byName: ReadonlyMap<string, FieldSlot>;
  /** Those that are there even when they were not sent, in declared order. */
  readonly written: readonly FieldSlot[];
  /** Holds what no declared field does. */
  readonly rest: FieldSlot | undefined;
  readonly declared: readonly FieldSlot[];
  /** By place in declared order, what is being put in order: here for want of a list of its own each time. Empty else. */
  readonly places: unknown[];
}

/**
 * Goes once over what was sent. A copy is begun where the canonical form departs from what was sent, or at once when
 * nothing may be kept; it is put in declared order at the end, unless the fields came so, as those of most clients do.
 */
export class StructReader implements Reader {
  readonly #shape: StructShape;
  readonly #readerOf: ReaderOf;
  #compiled: StructFields | undefined;

  constructor(shape: StructShape, readerOf: ReaderOf) {
    this.#shape = shape;
    this.#readerOf = readerOf;
  }

  read(value: unknown, trail: Trail, known: unknown): unknown {
    if (!isObject(value)) throw trail.mismatch('an object', value);
    if (trail.owns) return this.#readOwn(value, trail);
    const { byName, written, rest } = this.#fields;
    const canonical = isObject(known) ? known : undefined;
    let result: JsonObject | undefined = trail.keeps ? undefined : {};
    let last = -1;
    let due = 0;
    let fields = 0;
    let isOrdered = true;
    const others: string[] = rest === undefined ? NONE : [];
    for (const name in value) {
      const sent = value[name];
      fields++;
      const field = byName.get(name);
      if (field === undefined) {
        if (rest !== undefined) others.push(name);
        else if (sent !== undefined) trail.noteUnknown(name);
        result ??= before(value, name);
        continue;
      }
      isOrdered &&= field.index > last;
      last = field.index;
      for (let next = written[due]; next !== undefined && next.index <= last; next = written[++due]) {
        if (next === field) continue;
        result ??= before(value, name);
        result[next.name] = next.zero();
      }
      const read = this.#readField(field, sent, trail, canonical);
      if (result === undefined && read === sent && read !== undefined) continue;
      result ??= before(value, name);
      if (read !== undefined) setOwn(result, name, read);
    }
    trail.countEntries(fields);
    if (!isOrdered) result = this.#inOrder(result ?? value);
    else {
      for (let next = written[due]; next !== undefined; next = written[++due]) {
        result ??= { ...value };
        result[next.name] = next.zero();
      }
    }
    if (others.length > 0 && result !== undefined) this.#readOthers(others.sort(), value, result, trail, canonical);
    return result ?? value;
  }

  /** A copy is begun only where a field has to go, since an object that has lost one is slow from then on, or has to move. */
  #readOwn(value: JsonObject, trail: Trail): JsonObject {
    const { byName, written, rest } = this.#fields;
    let result = value;
    let fields = 0;
    let last = -1;
    let isOrdered = true;
    for (const name in value) {
      const sent = value[name];
      fields++;
      const field = byName.get(name);
      if (field === undefined) {
        if (rest === undefined && sent !== undefined) trail.noteUnknown(name);
        isOrdered = false;
      } else {
        isOrdered &&= field.index > last;
        last = field.index;
      }
      const read = field
        ? this.#readField(field, sent, trail, undefined)
        : readOther(rest, name, sent, trail, undefined);
      if (read === undefined) {
        if (result === value) result = before(value, name);
      } else if (read !== sent || result !== value) setOwn(result, name, read);
    }
    trail.countEntries(fields);
    for (const field of written) {
      if (result[field.name] !== undefined) continue;
      result[field.name] = field.zero();
      isOrdered = false;
    }
    return isOrdered || !trail.orders ? result : this.#inOrder(result);
  }

  isZero(): boolean {
    return false;
  }

  zero(): unknown {
    return this.read({}, new Trail('copied'), undefined);
  }

  empty(): unknown {
    return this.zero();
  }

  /** Compiled on first use: start-up stays quick, and a type may contain itself. */
  get #fields(): StructFields {
    this.#compiled ??= structFields(this.#shape, this.#readerOf);
    return this.#compiled;
  }

  /** Undefined: the field is left out. */
  #readField(field: FieldSlot, sent: unknown, trail: Trail, canonical: Holder): unknown {
    if (sent && field.takesAsIs(sent)) return sent;
    if (sent !== undefined && sent !== null) {
      const read = field.read(field.name, sent, trail, canonical);
      if (field.pointer || !field.isZero(read, trail)) return read;
    }
    if (sent === null && field.keepsNull) return null;
    return field.written ? field.zero() : undefined;
  }

  /** Reads the fields that are not declared, and puts them behind the others. */
  #readOthers(names: readonly string[], value: JsonObject, result: JsonObject, trail: Trail, canonical: Holder): void {
    const { rest } = this.#fields;
    for (const name of names) {
      const read = readOther(rest, name, value[name], trail, canonical);
      if (read !== undefined) setOwn(result, name, read);
    }
  }

  /**
   * What was read, once more in declared order, others behind. Nothing is read twice: each level would double what those
   * below cost. To look in what was read for each field that is declared would take longer: most are not there.
   */
  #inOrder(read: JsonObject): JsonObject {
    const { byName, declared, places, rest } = this.#fields;
    const others: string[] = rest === undefined ? NONE : [];
    for (const name in read) {
      const field = byName.get(name);
      if (field !== undefined) places[field.index] = read[name];
      else if (rest !== undefined) others.push(name);
    }
    const result: JsonObject = {};
    for (const field of declared) {
      const value = places[field.index];
      if (value !== undefined) {
        setOwn(result, field.name, value);
        places[field.index] = undefined;
      } else if (field.written) result[field.name] = field.zero();
    }
    for (const name of others.sort()) setOwn(result, name, read[name]);
    return result;
  }
}

/** Of a field that is not declared. Undefined: it is left out. */
function readOther(rest: FieldSlot | undefined, name: string, sent: unknown, trail: Trail, canonical: Holder): unknown {
  if (!rest || sent === undefined) return undefined;
  if (sent === null) return rest.keepsNull ? null : undefined;
  return rest.read(name, sent, trail, canonical);
}

function structFields(shape: StructShape, readerOf: ReaderOf): StructFields {
  const fields = declaredFields(shape).map(([name, node], at) => new FieldSlot(name, at, node, readerOf(node)));
  return {
    byName: new Map(fields.map((field) => [field.name, field])),
    written: fields.filter((it) => it.written),
    declared: fields,
    places: fields.map(() => undefined),
    rest: shape.rest && new FieldSlot('', fields.length, shape.rest, readerOf(shape.rest)),
  };
}

/** The fields as JSON has them: the type first, inlined ones where what they are inlined from stands. */
function declaredFields(shape: StructShape): [string, Node][] {
  const own = Object.entries(shape.fields).flatMap(([name, { node, inline }]): [string, Node][] =>
    inline ? node.accept(INLINED) : [[name, node]],
  );
  return shape.typed ? [['kind', string()], ['apiVersion', string()], ...own] : own;
}

const INLINED: Visitor<[string, Node][]> = {
  struct: declaredFields,
  scalar: notInline,
  list: notInline,
  map: notInline,
  union: notInline,
  loose: notInline,
};

function notInline(): never {
  throw new TypeError('only a struct can be inlined');
}
