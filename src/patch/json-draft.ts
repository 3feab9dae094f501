import { countValues, DEEPEST, depthOf, MOST_VALUES } from '../schema/document-limits.ts';
import { isObject, type JsonObject, setOwn } from '../schema/json-object.ts';

/** A patch of more operations, or with more copied by them, than anyone needs: 413. */
export class PatchTooLong extends Error {
  override readonly name = 'PatchTooLong';
}

/** A patch that does not fit the document, or whose `test` failed: 422. */
export class PatchFailed extends Error {
  override readonly name = 'PatchFailed';
}

/** Copies can grow a document with every step: together they may take as much room as the largest body. */
const MOST_COPIED = 3 * 1024 * 1024;

/** An element that is put into a list or taken out of it moves all that come after it: so many times in all. */
const MOST_MOVED = 20_000_000;

/** How deep a document may nest before the patch is at its end: no deeper than the stack of whoever walks it allows. */
const DEEPEST_MEANWHILE = 1_000;

interface Location {
  readonly holder: unknown;
  readonly key: string;
  /** How many levels are above. */
  readonly level: number;
}

/**
 * A document while it is changed. What is on the way to a change is copied when it is first met; from then on the copy,
 * which nobody else has, is changed in place.
 */
export class Draft {
  readonly #root: JsonObject;
  readonly #own = new Set<object>();
  #copiedBytes = 0;
  #copiedValues = 0;
  #moved = 0;
  /** No part that was put in nests deeper; it may well be less deep. */
  #depth = 0;

  constructor(document: unknown) {
    this.#root = { '': document };
    this.#own.add(this.#root);
  }

  get result(): unknown {
    if (this.#depth > DEEPEST) this.#checkDepth();
    return this.#root[''];
  }

  valueAt(path: string): unknown {
    let value: unknown = this.#root;
    for (const segment of segmentsOf(path)) value = child(value, segment, path);
    return value;
  }

  /** As `valueAt`, where a field that is not there is null. */
  testedAt(path: string): unknown {
    const segments = segmentsOf(path);
    const last = segments.pop() ?? '';
    let holder: unknown = this.#root;
    for (const segment of segments) holder = child(holder, segment, path);
    return isObject(holder) && !Object.hasOwn(holder, last) ? null : child(holder, last, path);
  }

  /** Puts a value of the patch in, before what is in its place in a list or instead of it. */
  place(path: string, value: unknown, insert: boolean): void {
    this.#place(path, value, depthOf(value), insert);
  }

  move(from: string, path: string): void {
    const value = this.valueAt(from);
    this.take(from);
    this.#place(path, value, Math.max(DEEPEST, this.#depth), true);
  }

  copy(from: string, path: string): void {
    this.#place(path, this.#copyOf(from), Math.max(DEEPEST, this.#depth), true);
  }

  #place(path: string, value: unknown, depth: number, insert: boolean): void {
    const { holder, key, level } = this.#locate(path);
    this.#depth = Math.max(this.#depth, level + depth);
    if (Array.isArray(holder)) {
      const at = indexIn(holder, key, path, insert);
      if (insert) this.#insert(holder, at, value);
      else holder[at] = value;
    } else if (isObject(holder)) setOwn(holder, key, value);
    else throw new PatchFailed(`path "${path}" does not exist`);
    if (this.#depth > DEEPEST_MEANWHILE) this.#checkDepth();
  }

  take(path: string): void {
    const { holder, key } = this.#locate(path);
    if (Array.isArray(holder)) {
      const at = indexIn(holder, key, path, false);
      this.#countMoved(holder.length - at);
      holder.splice(at, 1);
    } else if (isObject(holder) && Object.hasOwn(holder, key)) delete holder[key];
    else throw new PatchFailed(`path "${path}" does not exist`);
  }

  #copyOf(path: string): unknown {
    const value = this.valueAt(path);
    this.#copiedValues += countValues(value, MOST_VALUES);
    if (this.#copiedValues > MOST_VALUES) throw new PatchTooLong(`the patch copies more than ${MOST_VALUES} values`);
    const text = JSON.stringify(value);
    this.#copiedBytes += text.length;
    if (this.#copiedBytes > MOST_COPIED) throw new PatchTooLong(`the patch copies more than ${MOST_COPIED} bytes`);
    return JSON.parse(text);
  }

  /** Looks how deep the document really is. All that is looked at counts as moved. */
  #checkDepth(): void {
    this.#depth = depthOf(this.#root['']);
    if (this.#depth > DEEPEST)
      throw new PatchTooLong(`the patch makes the document nest deeper than ${DEEPEST} levels`);
    this.#countMoved(countValues(this.#root[''], MOST_MOVED));
  }

  #insert(list: unknown[], at: number, value: unknown): void {
    this.#countMoved(list.length - at);
    if (at === list.length) list.push(value);
    else list.splice(at, 0, value);
  }

  #countMoved(elements: number): void {
    this.#moved += elements;
    if (this.#moved > MOST_MOVED) {
      throw new PatchTooLong(`the patch moves more than ${MOST_MOVED} list elements by adding and removing others`);
    }
  }

  /** Where a change is to be made: the draft's own. */
  #locate(path: string): Location {
    const segments = segmentsOf(path);
    const key = segments.pop() ?? '';
    let holder: unknown = this.#root;
    for (const segment of segments) holder = this.#ownChild(holder, segment, path);
    return { holder, key, level: segments.length };
  }

  #ownChild(holder: unknown, key: string, path: string): unknown {
    const value = child(holder, key, path);
    if (typeof value !== 'object' || value === null || this.#own.has(value)) return value;
    const copy: unknown[] | JsonObject = Array.isArray(value) ? value.slice() : { ...value };
    this.#own.add(copy);
    if (Array.isArray(holder)) holder[indexIn(holder, key, path, false)] = copy;
    else if (isObject(holder)) setOwn(holder, key, copy);
    return copy;
  }
}

function segmentsOf(path: string): string[] {
  if (path !== '' && !path.startsWith('/')) throw new PatchFailed(`path "${path}" must start with "/"`);
  return path.split('/').map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function child(holder: unknown, key: string, path: string): unknown {
  if (Array.isArray(holder)) return holder[indexIn(holder, key, path, false)];
  if (isObject(holder) && Object.hasOwn(holder, key)) return holder[key];
  throw new PatchFailed(`path "${path}" does not exist`);
}

function indexIn(list: readonly unknown[], key: string, path: string, end: boolean): number {
  if (end && key === '-') return list.length;
  const index = /^(0|-?[1-9]\d{0,9})$/.test(key) ? Number(key) : Number.NaN;
  const at = index < 0 ? index + list.length : index;
  if (!(at >= 0 && at < list.length + (end ? 1 : 0))) throw new PatchFailed(`path "${path}": no element "${key}"`);
  return at;
}
