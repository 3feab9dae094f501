import { isObject, type JsonObject, setOwn } from '../json-object.ts';
import type { Node, Visitor } from '../node.ts';
import type { ScalarType } from '../scalar-type.ts';
import type { Reader, Trail } from './reading.ts';

/** What is known to be canonical where something is read, if anything is. */
export type Holder = JsonObject | readonly unknown[] | undefined;

/** What is in a list, a map or a field. Slots of all kinds have one form, because they are looked at more than all else. */
export class Slot {
  readonly reader: Reader;
  /** Scalars are read without a detour: most values are. */
  readonly readScalar: ScalarType['read'] | undefined;
  /** Texts are canonical as they are, and most values are texts. */
  readonly isText: boolean;
  /** So are booleans. */
  readonly isFlag: boolean;
  readonly expects: string;
  readonly complain: ScalarType['complain'];
  readonly isOpen: boolean;
  readonly isZero: (value: unknown, trail: Trail) => boolean;

  constructor(node: Node, reader: Reader) {
    const scalar = node.accept(SCALAR_OF);
    this.reader = reader;
    this.readScalar = scalar?.read;
    this.isText = scalar?.plain === 'string';
    this.isFlag = scalar?.plain === 'boolean';
    this.expects = scalar?.expects ?? '';
    this.complain = scalar?.complain;
    this.isOpen = scalar?.open ?? false;
    this.isZero = scalar?.isZero ?? ((value, trail) => reader.isZero(value, trail));
  }

  /** Each of the two types by its name, which the engine compiles to a look: a call to read the value takes far longer. */
  takesAsIs(sent: unknown): boolean {
    return this.isText ? typeof sent === 'string' : this.isFlag && typeof sent === 'boolean';
  }

  /** `segment` is where the value is in what holds it. */
  read(segment: string | number, sent: unknown, trail: Trail, holder: Holder): unknown {
    if (this.takesAsIs(sent)) return sent;
    const { readScalar } = this;
    if (readScalar !== undefined) {
      const read = readScalar(sent);
      if (read === undefined) throw trail.mismatchAt(segment, this.expects, sent, this.complain?.(sent));
      if (this.isOpen && typeof read === 'object' && read !== null) trail.countInside(read);
      return read;
    }
    const known = holder && (holder as JsonObject)[segment];
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

/** A copy of what stands before a key. */
export function before(value: JsonObject, end: string): JsonObject {
  const result: JsonObject = {};
  for (const key in value) {
    if (key === end) break;
    setOwn(result, key, value[key]);
  }
  return result;
}

/** For more, a search for the place of each would take longer than `sort`. */
const FEW_KEYS = 16;

/** Sorts as `sort` does. Most maps have few keys: with those it has done before `sort` has begun. */
export function sortKeys(keys: string[]): void {
  if (keys.length > FEW_KEYS) {
    keys.sort();
    return;
  }
  for (let next = 1; next < keys.length; next++) {
    const key = keys[next] ?? '';
    let at = next;
    for (let other = keys[at - 1]; other !== undefined && other > key; other = keys[at - 1]) keys[at--] = other;
    keys[at] = key;
  }
}

export function areInOrder(keys: readonly string[]): boolean {
  let last = '';
  for (const key of keys) {
    if (key < last) return false;
    last = key;
  }
  return true;
}

const SCALAR_OF: Visitor<ScalarType | undefined> = {
  scalar: ({ scalar }) => scalar,
  struct: () => undefined,
  list: () => undefined,
  map: () => undefined,
  union: () => undefined,
  loose: () => undefined,
};
