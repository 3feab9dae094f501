import type { Facts } from '../facts.ts';
import { isObject, type JsonObject, setOwn } from '../json-object.ts';
import type { ListShape, LooseShape, MapShape, Node, ScalarShape, StructShape, UnionShape, Visitor } from '../node.ts';
import type { ScalarType } from '../scalar-type.ts';
import { LooseReader } from './loose-reader.ts';
import type { Reader, Trail } from './reading.ts';
import { areInOrder, before, type Holder, Slot, sortKeys } from './slot.ts';
import { StructReader } from './struct-reader.ts';

class ScalarReader implements Reader {
  readonly #scalar: ScalarType;

  constructor({ scalar }: ScalarShape) {
    this.#scalar = scalar;
  }

  read(value: unknown, trail: Trail): unknown {
    const read = this.#scalar.read(value);
    if (read === undefined) throw trail.mismatch(this.#scalar.expects, value, this.#scalar.complain?.(value));
    return read;
  }

  isZero(value: unknown): boolean {
    return this.#scalar.isZero(value);
  }

  zero(): unknown {
    return this.#scalar.zero;
  }

  empty(): unknown {
    return this.#scalar.empty;
  }
}

class ListReader implements Reader {
  readonly #shape: ListShape;
  /** Whether its items are told apart, as entries of a map are. */
  readonly #hasEntries: boolean;
  #compiled: Slot | undefined;

  constructor(shape: ListShape, { topology: { listType, patchStrategy } }: Facts) {
    this.#shape = shape;
    this.#hasEntries =
      listType === 'map' || listType === 'set' || (listType === undefined && !!patchStrategy?.includes('merge'));
  }

  read(value: unknown, trail: Trail, known: unknown): unknown {
    if (!Array.isArray(value)) throw trail.mismatch('a list', value);
    if (this.#hasEntries) trail.countEntries(value.length);
    else trail.count(value.length);
    this.#compiled ??= slotOf(this.#shape.item());
    const item = this.#compiled;
    const canonical: Holder = Array.isArray(known) ? known : undefined;
    let result: unknown[] | undefined = trail.keeps ? undefined : value.slice();
    for (let at = 0; at < value.length; at++) {
      const sent: unknown = value[at];
      const read = sent === null || sent === undefined ? item.reader.empty() : item.read(at, sent, trail, canonical);
      if (read === sent) continue;
      result ??= trail.owns ? value : value.slice();
      result[at] = read;
    }
    return result ?? value;
  }

  isZero(value: unknown): boolean {
    return Array.isArray(value) && value.length === 0;
  }

  zero(): unknown {
    return null;
  }

  empty(): unknown {
    return [];
  }
}

/** Keys are sorted, as the reference prints them; equal maps are equal bytes. */
class MapReader implements Reader {
  readonly #shape: MapShape;
  #compiled: Slot | undefined;

  constructor(shape: MapShape) {
    this.#shape = shape;
  }

  read(value: unknown, trail: Trail, known: unknown): unknown {
    if (!isObject(value)) throw trail.mismatch('an object', value);
    this.#compiled ??= slotOf(this.#shape.item());
    const item = this.#compiled;
    const canonical = isObject(known) ? known : undefined;
    const keys = Object.keys(value);
    trail.countEntries(keys.length);
    const isOrdered = areInOrder(keys);
    if (!isOrdered) sortKeys(keys);
    let result: JsonObject | undefined = trail.keeps && isOrdered ? undefined : {};
    let isEmpty = true;
    for (const key of keys) {
      const sent = value[key];
      if (sent === undefined) {
        result ??= before(value, key);
        continue;
      }
      isEmpty = false;
      const read = sent === null ? item.reader.empty() : item.read(key, sent, trail, canonical);
      if (result === undefined && read === sent) continue;
      result ??= before(value, key);
      setOwn(result, key, read);
    }
    trail.isEmptyMap = isEmpty;
    return result ?? value;
  }

  isZero(_value: unknown, trail: Trail): boolean {
    return trail.isEmptyMap;
  }

  zero(): unknown {
    return null;
  }

  empty(): unknown {
    return {};
  }
}

class UnionReader implements Reader {
  readonly #shape: UnionShape;
  #compiled: ((value: unknown) => Reader | undefined) | undefined;

  constructor(shape: UnionShape) {
    this.#shape = shape;
  }

  read(value: unknown, trail: Trail, known: unknown): unknown {
    this.#compiled ??= this.#shape.pick(readerOf);
    const reader = this.#compiled(value);
    if (!reader) throw trail.mismatch(this.#expects, value);
    return reader.read(value, trail, known);
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

  get #expects(): string {
    const forms = Object.values(this.#shape.forms).map(({ takes }) => FORM_WORDS[takes]);
    return forms.join(' or ');
  }
}

const FORM_WORDS = { object: 'an object', array: 'a list', boolean: 'a boolean' };

const slotOf = (node: Node): Slot => new Slot(node, readerOf(node));

const structReaders = new WeakMap<StructShape, StructReader>();

const COMPILE: Visitor<Reader> = {
  scalar: (shape) => new ScalarReader(shape),
  struct(shape) {
    const existing = structReaders.get(shape);
    if (existing) return existing;
    const made = new StructReader(shape, readerOf);
    structReaders.set(shape, made);
    return made;
  },
  list: (shape, facts) => new ListReader(shape, facts),
  map: (shape) => new MapReader(shape),
  union: (shape) => new UnionReader(shape),
  loose: looseReader,
};

const looseReaders = new WeakMap<LooseShape, LooseReader>();

function looseReader(shape: LooseShape): LooseReader {
  const existing = looseReaders.get(shape);
  if (existing) return existing;
  const made = new LooseReader(shape, readerOf);
  looseReaders.set(shape, made);
  return made;
}

/** Reads values of a declaration. */
export const readerOf = (node: Node): Reader => node.accept(COMPILE);
