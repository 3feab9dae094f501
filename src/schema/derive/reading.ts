import { tooManyEntries, tooManyValues } from '../../api/errors.ts';
import { countValues, MOST_ENTRIES, MOST_VALUES } from '../document-limits.ts';
import { pathText } from '../path.ts';

type Segment = string | number;

/**
 * A JSON value of the wrong type. `path` is the exact place; the message says what was wanted and of what type the value
 * is, never the value itself, which may be a secret.
 */
export class TypeMismatch extends Error {
  override readonly name = 'TypeMismatch';
  readonly path: string;
  readonly segments: readonly Segment[];
  /** What JSON calls the type that was found. */
  readonly found: string;
  /** What is wrong with a value that is of the right type and does not fit all the same. */
  readonly complaint: string | undefined;

  constructor(segments: readonly Segment[], expects: string, found: unknown, complaint?: string) {
    const path = pathText(segments);
    const type = jsonType(found);
    super(`${path}: ${complaint ?? `expected ${expects}, got ${NOUNS[type] ?? type}`}`);
    this.path = path;
    this.segments = segments;
    this.found = type;
    this.complaint = complaint;
  }
}

/** What JSON calls the type of a value. */
export function jsonType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

const NOUNS: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'an object',
  bool: 'a boolean',
  string: 'a string',
  number: 'a number',
};

/** How many characters the paths of unknown fields may have together. */
const ROOM_FOR_UNKNOWN = 64 * 1024;

/** What may become of the value that is read. */
export type Treatment =
  /** Nothing: the result shares no part with it. */
  | 'copied'
  /** Parts that are canonical already are parts of the result. */
  | 'kept'
  /** Nobody else holds it: it is changed where it stands, and its fields stay in the order they came in. */
  | 'adopted'
  /** As before, but fields are put in declared order: parts that came in another one give way to copies. */
  | 'arranged';

/** Where the reader is, what it met that no declaration knows, and what it may do with the value. */
export class Trail {
  readonly segments: Segment[] = [];
  readonly unknown: string[] = [];
  readonly keeps: boolean;
  /** What is read may be changed. */
  readonly owns: boolean;
  /** Fields come out in declared order. */
  readonly orders: boolean;
  /** Whether the map that was read last has no entries: to look at a large one again takes as long as to read it. */
  isEmptyMap = false;
  #room = ROOM_FOR_UNKNOWN;
  #values = 0;

  constructor(treatment: Treatment) {
    this.keeps = treatment !== 'copied';
    this.owns = treatment === 'adopted' || treatment === 'arranged';
    this.orders = treatment !== 'adopted';
  }

  mismatch(expects: string, found: unknown, complaint?: string): TypeMismatch {
    return new TypeMismatch([...this.segments], expects, found, complaint);
  }

  mismatchAt(segment: Segment, expects: string, found: unknown, complaint?: string): TypeMismatch {
    return new TypeMismatch([...this.segments, segment], expects, found, complaint);
  }

  /** Notes that so many values have been met, and refuses what has too many. */
  count(values: number): void {
    this.#values += values;
    if (this.#values > MOST_VALUES) throw tooManyValues(MOST_VALUES);
  }

  /** The same for the entries of the map or the fields of the object that the reader is at. */
  countEntries(entries: number): void {
    if (entries > MOST_ENTRIES) throw tooManyEntries(pathText(this.segments), MOST_ENTRIES);
    this.count(entries);
  }

  /** Of a value of any form, with all that is in it. */
  countInside(value: object): void {
    this.count(countValues(value, MOST_VALUES));
  }

  /** Nobody is told more than a few: of very many, the first are noted. */
  noteUnknown(name: string): void {
    if (this.#room <= 0) return;
    const path = pathText([...this.segments, name]);
    this.#room -= path.length + 1;
    this.unknown.push(path);
  }
}

/**
 * Reads a JSON value that is neither null nor undefined. `known` is canonical, and what stands in the same place of
 * another value, if there is one: what both have in common, being the very same, needs no second look.
 */
export interface Reader {
  read(value: unknown, trail: Trail, known: unknown): unknown;
  /** Whether the result, which was just read on this trail, is what an unset field holds. */
  isZero(value: unknown, trail: Trail): boolean;
  /** Written for an unset field that is always there; a fresh value each time. */
  zero(): unknown;
  /** Stands for a null inside a list or map. */
  empty(): unknown;
}
