import { isObject, type JsonObject, setOwn } from '../json-object.ts';
import { LooseShape, NO_CONTENTS, type Node } from '../node.ts';
import type { Reader, Trail } from './reading.ts';
import { areInOrder, before, type Holder, Slot, sortKeys } from './slot.ts';

/** A field or an item of a loose value. */
class LooseSlot extends Slot {
  /** Whether a null is a value here. */
  readonly keepsNull: boolean;
  /** Texts, numbers and booleans are taken as they are. */
  readonly takesScalars: boolean;

  constructor(node: Node, reader: Reader) {
    super(node, reader);
    this.keepsNull = node.facts.presence === 'explicit';
    this.takesScalars = reader instanceof LooseReader;
  }
}

interface LooseSlots {
  readonly fields: ReadonlyMap<string, LooseSlot>;
  readonly rest: LooseSlot | undefined;
  readonly item: LooseSlot | undefined;
}

/** Goes over what objects and lists hold, and takes everything else as it is. */
export class LooseReader implements Reader {
  readonly #shape: LooseShape;
  readonly #readerOf: (node: Node) => Reader;
  #compiled: LooseSlots | undefined;

  constructor(shape: LooseShape, readerOf: (node: Node) => Reader) {
    this.#shape = shape;
    this.#readerOf = readerOf;
  }

  read(value: unknown, trail: Trail, known: unknown): unknown {
    if (Array.isArray(value)) return this.#readItems(value, trail, Array.isArray(known) ? known : undefined);
    return isObject(value) ? this.#readFields(value, trail, isObject(known) ? known : undefined) : value;
  }

  isZero(): boolean {
    return false;
  }

  zero(): unknown {
    return null;
  }

  empty(): unknown {
    return null;
  }

  /** Compiled on first use, level by level: of a large schema only what is used is looked at. */
  get #slots(): LooseSlots {
    this.#compiled ??= this.#compile();
    return this.#compiled;
  }

  #compile(): LooseSlots {
    const { fields, rest, item } = this.#shape.contents;
    const slot = (node: Node): LooseSlot => new LooseSlot(node, this.#readerOf(node));
    return {
      fields: new Map([...fields].map(([name, node]) => [name, slot(node)])),
      rest: rest && slot(rest),
      item: item && slot(item),
    };
  }

  #readFields(value: JsonObject, trail: Trail, canonical: Holder): JsonObject {
    const { fields, rest } = this.#slots;
    const names = Object.keys(value);
    trail.countEntries(names.length);
    const isOrdered = areInOrder(names);
    if (!isOrdered) sortKeys(names);
    let result: JsonObject | undefined = trail.keeps && isOrdered ? undefined : {};
    for (const name of names) {
      const sent = value[name];
      const slot = fields.get(name) ?? rest;
      const read = slot ? readField(slot, name, sent, trail, canonical) : this.#undeclared(name, sent, trail);
      if (result === undefined && read === sent && read !== undefined) continue;
      result ??= before(value, name);
      if (read !== undefined) setOwn(result, name, read);
    }
    return result ?? value;
  }

  /** Undefined: the field is dropped. */
  #undeclared(name: string, sent: unknown, trail: Trail): unknown {
    if (this.#shape.isOpen) return typeof sent === 'object' ? readInside(OPEN, name, sent, trail) : sent;
    if (sent !== undefined) trail.noteUnknown(name);
    return undefined;
  }

  #readItems(value: readonly unknown[], trail: Trail, canonical: Holder): readonly unknown[] {
    trail.count(value.length);
    const { item } = this.#slots;
    let result: unknown[] | undefined = trail.keeps ? undefined : value.slice();
    for (let at = 0; at < value.length; at++) {
      const sent = value[at];
      if (typeof sent !== 'object' || sent === null) continue;
      const read = item ? item.read(at, sent, trail, canonical) : readInside(this.#others, at, sent, trail);
      if (read === sent) continue;
      result ??= value.slice();
      result[at] = read;
    }
    return result ?? value;
  }

  /** Reads items that nothing is declared of. */
  get #others(): LooseReader {
    return this.#shape.isOpen ? OPEN : CLOSED;
  }
}

/** Undefined: the field is dropped. */
function readField(slot: LooseSlot, name: string, sent: unknown, trail: Trail, canonical: Holder): unknown {
  if (sent === null) return slot.keepsNull ? null : undefined;
  if (sent === undefined || (slot.takesScalars && typeof sent !== 'object')) return sent;
  return slot.read(name, sent, trail, canonical);
}

function readInside(reader: LooseReader, segment: string | number, sent: unknown, trail: Trail): unknown {
  if (sent === null) return null;
  trail.segments.push(segment);
  const read = reader.read(sent, trail, undefined);
  trail.segments.pop();
  return read;
}

const nothingDeclared = (): never => {
  throw new TypeError('nothing is declared here');
};

/** Keeps everything. */
const OPEN: LooseReader = new LooseReader(new LooseShape('any', NO_CONTENTS, { isOpen: true }), nothingDeclared);
/** Knows no fields. */
const CLOSED: LooseReader = new LooseReader(new LooseShape('any', NO_CONTENTS), nothingDeclared);
