import { pathText } from '../path.ts';
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

/**
 * Canonical form: the fields a struct declares and no others, in declared order, unset ones left out or written as
 * their declaration says, scalars in their one spelling. `JSON.stringify` of a canonical value is what the server stores
 * and sends, so two equal objects are equal bytes.
 */

/** A JSON value of the wrong type. `path` is the exact place, `text` says what was wanted and what was found. */
export class TypeMismatch extends Error {
  override readonly name = 'TypeMismatch';
  readonly path: string;
  readonly problem: string;

  constructor(path: string, expects: string, found: unknown) {
    const problem = `expected ${expects}, got ${describe(found)}`;
    super(`${path}: ${problem}`);
    this.path = path;
    this.problem = problem;
  }
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  const text = JSON.stringify(value);
  return `${typeof value} ${text.length > 40 ? `${text.slice(0, 40)}…` : text}`;
}

/** Where the reader is, and what it met that no declaration knows. */
class Trail {
  readonly segments: (string | number)[] = [];
  readonly unknown: string[] = [];

  mismatch(expects: string, found: unknown): TypeMismatch {
    return new TypeMismatch(pathText(this.segments), expects, found);
  }
}

/** Reads a JSON value that is neither null nor undefined. `zero`: the result is what an unset field holds. */
interface Reader {
  read(value: unknown, trail: Trail): unknown;
  isZero(value: unknown): boolean;
  /** Written for an unset field that is always there; a fresh value each time. */
  zero(): unknown;
  /** Stands for a null inside a list or map. */
  empty(): unknown;
}

interface FieldReader {
  readonly name: string;
  readonly reader: Reader;
  /** Scalars are read without a detour: most fields are. */
  readonly scalar: ScalarType | undefined;
  readonly written: boolean;
  readonly keepsZero: boolean;
  /** The zero of `optional` and `nullable` fields is null. */
  readonly pointer: boolean;
  /** Its name is one that objects inherit. */
  readonly shadows: boolean;
}

type JsonObject = { [key: string]: unknown };

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Plain assignment, except for the one key that would change the prototype instead. */
export function setOwn(target: JsonObject, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  else target[key] = value;
}

class StructReader implements Reader {
  private readonly shape: StructShape;
  private compiled: readonly FieldReader[] | undefined;

  constructor(shape: StructShape) {
    this.shape = shape;
  }

  /** Compiled on first use: start-up stays quick, and a type may contain itself. */
  private get fields(): readonly FieldReader[] {
    this.compiled ??= fieldReaders(this.shape);
    return this.compiled;
  }

  read(value: unknown, trail: Trail): unknown {
    if (!isObject(value)) throw trail.mismatch('an object', value);
    const result: JsonObject = {};
    let known = 0;
    for (const field of this.fields) {
      const { name } = field;
      const sent = value[name];
      if (sent === undefined || (field.shadows && !Object.hasOwn(value, name))) {
        if (field.written) result[name] = field.pointer ? null : field.reader.zero();
        continue;
      }
      known++;
      if (sent === null) {
        if (field.written) result[name] = field.pointer ? null : field.reader.zero();
        continue;
      }
      const read = field.scalar ? field.scalar.read(sent) : this.readInside(field, sent, trail);
      if (read === undefined) throw this.mismatchAt(field, sent, trail);
      if (field.keepsZero || !field.reader.isZero(read)) result[name] = read;
      else if (field.written) result[name] = field.reader.zero();
    }
    let count = 0;
    for (const _ in value) count++;
    if (known !== count) this.noteUnknown(value, trail);
    return result;
  }

  private readInside({ name, reader }: FieldReader, sent: unknown, trail: Trail): unknown {
    trail.segments.push(name);
    const read = reader.read(sent, trail);
    trail.segments.pop();
    return read;
  }

  private mismatchAt({ name, scalar }: FieldReader, sent: unknown, trail: Trail): TypeMismatch {
    trail.segments.push(name);
    return trail.mismatch(scalar?.expects ?? 'something else', sent);
  }

  isZero(): boolean {
    return false;
  }

  zero(): unknown {
    return this.read({}, new Trail());
  }

  empty(): unknown {
    return this.zero();
  }

  private noteUnknown(value: JsonObject, trail: Trail): void {
    const names = new Set(this.fields.map(({ name }) => name));
    for (const [key, sent] of Object.entries(value)) {
      if (sent !== undefined && !names.has(key)) trail.unknown.push(pathText([...trail.segments, key]));
    }
  }
}

/** Names that every object inherits: reading them finds something even when the field was not sent. */
const isInherited = (name: string): boolean => name in Object.prototype;

const TYPE_META = ['kind', 'apiVersion'];

function fieldReaders(shape: StructShape): FieldReader[] {
  const own = Object.entries(shape.fields).flatMap(([name, { node, inline }]) => {
    if (inline) return inlineReaders(node);
    const { presence } = node.facts;
    return [
      {
        name,
        reader: readerOf(node),
        scalar: node.accept(SCALAR_OF),
        written: presence === 'always' || presence === 'nullable',
        keepsZero: presence === 'optional' || presence === 'nullable',
        pointer: presence === 'optional' || presence === 'nullable',
        shadows: isInherited(name),
      },
    ];
  });
  if (!shape.typed) return own;
  const implicit = {
    reader: TEXT,
    scalar: undefined,
    written: false,
    keepsZero: false,
    pointer: false,
    shadows: false,
  };
  const meta = TYPE_META.map((name) => ({ name, ...implicit }));
  return [...meta, ...own];
}

const SCALAR_OF: Visitor<ScalarType | undefined> = {
  scalar: ({ scalar }) => scalar,
  struct: () => undefined,
  list: () => undefined,
  map: () => undefined,
  union: () => undefined,
};

const inlineReaders = (node: Node): FieldReader[] =>
  node.accept<FieldReader[]>({
    struct: fieldReaders,
    scalar: notInline,
    list: notInline,
    map: notInline,
    union: notInline,
  });

function notInline(): never {
  throw new TypeError('only a struct can be inlined');
}

class ScalarReader implements Reader {
  private readonly shape: ScalarShape;

  constructor(shape: ScalarShape) {
    this.shape = shape;
  }

  read(value: unknown, trail: Trail): unknown {
    const read = this.shape.scalar.read(value);
    if (read === undefined) throw trail.mismatch(this.shape.scalar.expects, value);
    return read;
  }

  isZero(value: unknown): boolean {
    return this.shape.scalar.isZero(value);
  }

  zero(): unknown {
    return this.shape.scalar.zero;
  }

  empty(): unknown {
    return this.shape.scalar.empty;
  }
}

const TEXT: Reader = {
  read(value, trail) {
    if (typeof value !== 'string') throw trail.mismatch('a string', value);
    return value;
  },
  isZero: (value) => value === '',
  zero: () => '',
  empty: () => '',
};

class ListReader implements Reader {
  private readonly shape: ListShape;
  private compiled: Reader | undefined;

  constructor(shape: ListShape) {
    this.shape = shape;
  }

  read(value: unknown, trail: Trail): unknown {
    if (!Array.isArray(value)) throw trail.mismatch('a list', value);
    this.compiled ??= readerOf(this.shape.item());
    const item = this.compiled;
    const result: unknown[] = [];
    for (let at = 0; at < value.length; at++) {
      const sent: unknown = value[at];
      trail.segments.push(at);
      result.push(sent === null || sent === undefined ? item.empty() : item.read(sent, trail));
      trail.segments.pop();
    }
    return result;
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

class MapReader implements Reader {
  private readonly shape: MapShape;
  private compiled: Reader | undefined;

  constructor(shape: MapShape) {
    this.shape = shape;
  }

  /** Keys are sorted, as the reference prints them; equal maps are equal bytes. */
  read(value: unknown, trail: Trail): unknown {
    if (!isObject(value)) throw trail.mismatch('an object', value);
    this.compiled ??= readerOf(this.shape.item());
    const item = this.compiled;
    const result: JsonObject = {};
    for (const key of Object.keys(value).sort()) {
      const sent = value[key];
      if (sent === undefined) continue;
      trail.segments.push(key);
      setOwn(result, key, sent === null ? item.empty() : item.read(sent, trail));
      trail.segments.pop();
    }
    return result;
  }

  isZero(value: unknown): boolean {
    for (const _ in value as JsonObject) return false;
    return true;
  }

  zero(): unknown {
    return null;
  }

  empty(): unknown {
    return {};
  }
}

class UnionReader implements Reader {
  private readonly shape: UnionShape;
  private compiled: ((value: unknown) => Reader | undefined) | undefined;

  constructor(shape: UnionShape) {
    this.shape = shape;
  }

  read(value: unknown, trail: Trail): unknown {
    this.compiled ??= this.shape.pick(readerOf);
    const reader = this.compiled(value);
    if (!reader) throw trail.mismatch(this.expects, value);
    return reader.read(value, trail);
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
  list: (shape: ListShape, _facts: Facts) => new ListReader(shape),
  map: (shape) => new MapReader(shape),
  union: (shape) => new UnionReader(shape),
};

const readerOf = (node: Node): Reader => node.accept(COMPILE);

/** A canonical value and the paths of fields that were dropped because no declaration knows them. */
export interface Canonical<T> {
  readonly value: T;
  readonly unknown: readonly string[];
}

/** Brings any JSON value into canonical form, or throws a TypeMismatch with the exact path. The input is not changed. */
export function canonicalise<T>(node: Node & { readonly shape: { readonly type: T } }, value: unknown): Canonical<T> {
  const trail = new Trail();
  const read = readerOf(node).read(value, trail);
  return { value: read as T, unknown: trail.unknown };
}
