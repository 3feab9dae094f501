import { createRequire } from 'node:module';
import type { AnyObject } from '../plane-client.ts';
import type { Indexes, ObjectStore } from './object-store.ts';

// The package has no entry for modules.
const { default: BTree }: typeof import('sorted-btree') = createRequire(import.meta.url)('sorted-btree');

/** How objects are kept: parsed, which is quick to read, or as text, which takes a fraction of the memory. */
export type Holding = 'objects' | 'text';

/** One version of an object. */
export interface Held<T extends AnyObject> {
  readonly key: string;
  readonly uid: string;
  /** Tells versions of one object apart. */
  readonly version: string;
  readonly content: T | string;
  /** Its values in each index. */
  readonly values: readonly (readonly string[])[];
}

/** `namespace/name`, or `/name` where there is no namespace. */
const keyOf = (namespace: string, name: string): string => `${namespace}/${name}`;
export const keyIn = ({ metadata }: AnyObject): string => keyOf(metadata.namespace ?? '', metadata.name ?? '');
/** Comes right after the slash. */
const AFTER_SLASH = '0';

export const contentOf = <T extends AnyObject>({ content }: Held<T>): T =>
  typeof content === 'string' ? (JSON.parse(content) as T) : content;

const versionOf = ({ apiVersion, metadata }: AnyObject): string => `${apiVersion} ${metadata.resourceVersion}`;

/** Objects of one kind in the order of their namespaces and names, with their indexes. */
export class HeldObjects<T extends AnyObject, Index extends string> implements ObjectStore<T, Index> {
  readonly #holding: Holding;
  readonly #indexes: readonly (readonly [Index, Indexes<T, Index>[Index]])[];
  readonly #byKey = new BTree<string, Held<T>>();
  /** By index and value, the keys. */
  readonly #byValue: ReadonlyMap<string, Map<string, Set<string>>>;
  readonly #onError: (error: unknown) => void;
  #textLength = 0;

  constructor(holding: Holding, indexes: Indexes<T, Index>, onError: (error: unknown) => void) {
    this.#holding = holding;
    this.#indexes = Object.entries(indexes) as [Index, Indexes<T, Index>[Index]][];
    this.#byValue = new Map(Object.keys(indexes).map((index) => [index, new Map()]));
    this.#onError = onError;
  }

  get size(): number {
    return this.#byKey.size;
  }

  get textLength(): number {
    if (this.#holding === 'text') return this.#textLength;
    return this.#byKey.valuesArray().reduce((sum, { content }) => sum + JSON.stringify(content).length, 0);
  }

  get(name: string, namespace = ''): T | undefined {
    const held = this.#byKey.get(keyOf(namespace, name));
    return held && contentOf(held);
  }

  list(namespace = ''): T[] {
    return this.#within(namespace).map(contentOf);
  }

  *mentioning(text: string, namespace = ''): Iterable<T> {
    for (const held of this.#within(namespace)) if (textOf(held).includes(text)) yield contentOf(held);
  }

  by(index: Index, value: string): T[] {
    const keys = this.#byValue.get(index);
    if (!keys) throw new Error(`there is no index ${index}`);
    return [...(keys.get(value) ?? [])].sort().flatMap((key) => {
      const held = this.#byKey.get(key);
      return held ? [contentOf(held)] : [];
    });
  }

  held(key: string): Held<T> | undefined {
    return this.#byKey.get(key);
  }

  /** What would be held of an object; what is held already when that is this very version. */
  holding(object: T, text?: string): Held<T> {
    const key = keyIn(object);
    const version = versionOf(object);
    const uid = object.metadata.uid ?? '';
    const before = this.#byKey.get(key);
    if (before?.version === version && before.uid === uid) return before;
    const content = this.#holding === 'text' ? (text ?? JSON.stringify(object)) : object;
    return { key, uid, version, content, values: this.#indexes.map(([, valuesOf]) => this.#values(valuesOf, object)) };
  }

  set(held: Held<T>): void {
    this.remove(held.key);
    this.#byKey.set(held.key, held);
    this.#textLength += lengthOf(held);
    this.#indexes.forEach(([index], at) => {
      const keys = this.#byValue.get(index);
      for (const value of held.values[at] ?? []) keys?.set(value, (keys.get(value) ?? new Set()).add(held.key));
    });
  }

  /** What was there. */
  remove(key: string): Held<T> | undefined {
    const held = this.#byKey.get(key);
    if (!held) return undefined;
    this.#byKey.delete(key);
    this.#textLength -= lengthOf(held);
    this.#indexes.forEach(([index], at) => {
      for (const value of held.values[at] ?? []) this.#removeFrom(index, value, key);
    });
    return held;
  }

  all(): Held<T>[] {
    return this.#byKey.valuesArray();
  }

  #within(namespace: string): Held<T>[] {
    if (namespace === '') return this.#byKey.valuesArray();
    const range = this.#byKey.getRange(`${namespace}/`, `${namespace}${AFTER_SLASH}`, false);
    return range.map(([, held]) => held);
  }

  #removeFrom(index: Index, value: string, key: string): void {
    const byValue = this.#byValue.get(index);
    const keys = byValue?.get(value);
    keys?.delete(key);
    if (keys?.size === 0) byValue?.delete(value);
  }

  /** An object that an index cannot read is not in it. */
  #values(valuesOf: Indexes<T, Index>[Index], object: T): readonly string[] {
    try {
      const values = valuesOf(object) ?? [];
      return typeof values === 'string' ? [values] : [...new Set(values)];
    } catch (error) {
      this.#onError(error);
      return [];
    }
  }
}

const textOf = <T extends AnyObject>({ content }: Held<T>): string =>
  typeof content === 'string' ? content : JSON.stringify(content);

/** What is held parsed is measured when somebody asks. */
const lengthOf = <T extends AnyObject>({ content }: Held<T>): number =>
  typeof content === 'string' ? content.length : 0;
