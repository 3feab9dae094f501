import { isObject, type JsonObject, setOwn } from '../json-object.ts';
import { string } from '../scalars.ts';
import type {
  Facts,
  ListShape,
  MapShape,
  Node,
  ScalarShape,
  ScalarType,
  StructShape,
  UnionShape,
  Visitor,
} from '../schema.ts';
import { type Reader, Trail } from './reading.ts';

/** What is in a list, a map or a field. Slots of all kinds have one form, because they are looked at more than all else. */
class Slot {
  readonly reader: Reader;
  /** Scalars are read without a detour: most values are. */
  readonly readScalar: ScalarType['read'] | undefined;
  readonly expects: string;
  readonly complain: ScalarType['complain'];
  readonly isOpen: boolean;
  readonly isZero: (value: unknown, trail: Trail) => boolean;

  constructor(node: Node) {
    const scalar = node.accept(SCALAR_OF);
    const reader = node.accept(COMPILE);
    this.reader = reader;
    this.readScalar = scalar?.read;
    this.expects = scalar?.expects ?? '';
    this.complain = scalar?.complain;
    this.isOpen = scalar?.open ?? false;
    this.isZero = scalar?.isZero ?? ((value, trail) => reader.isZero(value, trail));
  }

  /** `segment` is where the value is in what holds it; `holder` is what is known to be canonical there. */
  read(segment: string | number, sent: unknown, trail: Trail, holder: JsonObject | readonly unknown[]): unknown {
    const { readScalar } = this;
    if (readScalar !== undefined) {
      const read = readScalar(sent);
      if (read === undefined) throw trail.mismatchAt(segment, this.expects, sent, this.complain?.(sent));
      if (this.isOpen && typeof read === 'object' && read !== null) trail.countInside(read);
      return read;
    }
    const known = (holder as JsonObject)[segment];
    if (sent === known) {
      // Canonical, and in the place of a field: so it is not empty, unless that means something.
      trail.isEmptyMap = false;
      return trail.keeps ? sent : copyOf(sent, trail);
    }
    trail.segments.push(segment);
    const read = this.reader.read(sent, trail, known);
    trail.segments.pop();
    return read;
  }
}

const NOTHING: JsonObject = Object.freeze(Object.create(null));

function copyOf(value: unknown, trail: Trail): unknown {
  if (Array.isArray(value)) {
    trail.count(value.length);
    return value.map((item) => (typeof item === 'object' ? copyOf(item, trail) : item));
  }
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  let fields = 0;
  for (const key in value) {
    const inside = value[key];
    setOwn(copy, key, typeof inside === 'object' ? copyOf(inside, trail) : inside);
    fields++;
  }
  trail.count(fields);
  return copy;
}

class FieldSlot extends Slot {
  readonly name: string;
  /** Place in declared order. */
  readonly index: number;
  /** There even when it is unset. */
  readonly written: boolean;
  /** Unset differs from zero, and is null. */
  readonly pointer: boolean;

  constructor(name: string, index: number, node: Node) {
    super(node);
    const { presence } = node.facts;
    this.name = name;
    this.index = index;
    this.written = presence === 'always' || presence === 'nullable';
    this.pointer = presence === 'optional' || presence === 'nullable';
  }

  zero(): unknown {
    return this.pointer ? null : this.reader.zero();
  }
}

interface StructFields {
  readonly byName: ReadonlyMap<string, FieldSlot>;
  /** Those that are there even when they were not sent, in declared order. */
  readonly written: readonly FieldSlot[];
}

/** A copy of what stands before a key. */
function before(value: JsonObject, end: string): JsonObject {
  const result: JsonObject = {};
  for (const key in value) {
    if (key === end) break;
    setOwn(result, key, value[key]);
  }
  return result;
}

/**
 * Goes once over what was sent. A copy is begun where the canonical form departs from what was sent, or at once when
 * nothing may be kept; it is put in declared order at the end, unless the fields came so, as those of most clients do.
 */
class StructReader implements Reader {
  private readonly shape: StructShape;
  private compiled: StructFields | undefined;

  constructor(shape: StructShape) {
    this.shape = shape;
  }

  read(value: unknown, trail: Trail, known: unknown): unknown {
    if (!isObject(value)) throw trail.mismatch('an object', value);
    const { byName, written } = this.fields;
    const canonical = isObject(known) ? known : NOTHING;
    let result: JsonObject | undefined = trail.keeps ? undefined : {};
    let last = -1;
    let due = 0;
    let fields = 0;
    let isOrdered = true;
    for (const name in value) {
      const sent = value[name];
      fields++;
      const field = byName.get(name);
      if (field === undefined) {
        if (sent !== undefined) trail.noteUnknown(name);
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
      const read = this.readField(field, sent, trail, canonical);
      if (result === undefined && read === sent && read !== undefined) continue;
      result ??= before(value, name);
      if (read !== undefined) result[name] = read;
    }
    trail.countEntries(fields);
    if (!isOrdered) return this.inOrder(result ?? value);
    for (let next = written[due]; next !== undefined; next = written[++due]) {
      result ??= { ...value };
      result[next.name] = next.zero();
    }
    return result ?? value;
  }

  isZero(): boolean {
    return false;
  }

  zero(): unknown {
    return this.read({}, new Trail(false), undefined);
  }

  empty(): unknown {
    return this.zero();
  }

  /** Compiled on first use: start-up stays quick, and a type may contain itself. */
  private get fields(): StructFields {
    this.compiled ??= structFields(this.shape);
    return this.compiled;
  }

  /** Undefined: the field is left out. */
  private readField(field: FieldSlot, sent: unknown, trail: Trail, canonical: JsonObject): unknown {
    if (sent !== undefined && sent !== null) {
      const read = field.read(field.name, sent, trail, canonical);
      if (field.pointer || !field.isZero(read, trail)) return read;
    }
    return field.written ? field.zero() : undefined;
  }

  /** What was read, once more in declared order. Nothing is read twice: each level would double what those below cost. */
  private inOrder(read: JsonObject): JsonObject {
    const result: JsonObject = {};
    for (const [name, field] of this.fields.byName) {
      if (Object.hasOwn(read, name)) result[name] = read[name];
      else if (field.written) result[name] = field.zero();
    }
    return result;
  }
}

function structFields(shape: StructShape): StructFields {
  const fields = declaredFields(shape).map(([name, node], index) => new FieldSlot(name, index, node));
  return { byName: new Map(fields.map((field) => [field.name, field])), written: fields.filter((it) => it.written) };
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
};

function notInline(): never {
  throw new TypeError('only a struct can be inlined');
}

const SCALAR_OF: Visitor<ScalarType | undefined> = {
  scalar: ({ scalar }) => scalar,
  struct: () => undefined,
  list: () => undefined,
  map: () => undefined,
  union: () => undefined,
};

class ScalarReader implements Reader {
  private readonly scalar: ScalarType;

  constructor({ scalar }: ScalarShape) {
    this.scalar = scalar;
  }

  read(value: unknown, trail: Trail): unknown {
    const read = this.scalar.read(value);
    if (read === undefined) throw trail.mismatch(this.scalar.expects, value, this.scalar.complain?.(value));
    return read;
  }

  isZero(value: unknown): boolean {
    return this.scalar.isZero(value);
  }

  zero(): unknown {
    return this.scalar.zero;
  }

  empty(): unknown {
    return this.scalar.empty;
  }
}

class ListReader implements Reader {
  private readonly shape: ListShape;
  /** Whether its items are told apart, as entries of a map are. */
  private readonly hasEntries: boolean;
  private compiled: Slot | undefined;

  constructor(shape: ListShape, { topology: { listType, patchStrategy } }: Facts) {
    this.shape = shape;
    this.hasEntries =
      listType === 'map' || listType === 'set' || (listType === undefined && !!patchStrategy?.includes('merge'));
  }

  read(value: unknown, trail: Trail, known: unknown): unknown {
    if (!Array.isArray(value)) throw trail.mismatch('a list', value);
    if (this.hasEntries) trail.countEntries(value.length);
    else trail.count(value.length);
    this.compiled ??= new Slot(this.shape.item());
    const item = this.compiled;
    const canonical: readonly unknown[] = Array.isArray(known) ? known : [];
    let result: unknown[] | undefined = trail.keeps ? undefined : value.slice();
    for (let at = 0; at < value.length; at++) {
      const sent: unknown = value[at];
      const read = sent === null || sent === undefined ? item.reader.empty() : item.read(at, sent, trail, canonical);
      if (read === sent) continue;
      result ??= value.slice();
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
  private readonly shape: MapShape;
  private compiled: Slot | undefined;

  constructor(shape: MapShape) {
    this.shape = shape;
  }

  read(value: unknown, trail: Trail, known: unknown): unknown {
    if (!isObject(value)) throw trail.mismatch('an object', value);
    this.compiled ??= new Slot(this.shape.item());
    const item = this.compiled;
    const canonical = isObject(known) ? known : NOTHING;
    const keys = Object.keys(value);
    trail.countEntries(keys.length);
    const isOrdered = areInOrder(keys);
    if (!isOrdered) keys.sort();
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

function areInOrder(keys: readonly string[]): boolean {
  let last = '';
  for (const key of keys) {
    if (key < last) return false;
    last = key;
  }
  return true;
}

class UnionReader implements Reader {
  private readonly shape: UnionShape;
  private compiled: ((value: unknown) => Reader | undefined) | undefined;

  constructor(shape: UnionShape) {
    this.shape = shape;
  }

  read(value: unknown, trail: Trail, known: unknown): unknown {
    this.compiled ??= this.shape.pick(readerOf);
    const reader = this.compiled(value);
    if (!reader) throw trail.mismatch(this.expects, value);
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

  private get expects(): string {
    const forms = Object.values(this.shape.forms).map(({ takes }) => FORM_WORDS[takes]);
    return forms.join(' or ');
  }
}

const FORM_WORDS = { object: 'an object', array: 'a list', boolean: 'a boolean' };

const structReaders = new WeakMap<StructShape, StructReader>();

const COMPILE: Visitor<Reader> = {
  scalar: (shape) => new ScalarReader(shape),
  struct(shape) {
    const existing = structReaders.get(shape);
    if (existing) return existing;
    const made = new StructReader(shape);
    structReaders.set(shape, made);
    return made;
  },
  list: (shape, facts) => new ListReader(shape, facts),
  map: (shape) => new MapReader(shape),
  union: (shape) => new UnionReader(shape),
};

/** Reads values of a declaration. */
export const readerOf = (node: Node): Reader => node.accept(COMPILE);
