import { createRequire } from 'node:module';
import type { AnyObject } from './plane-client.ts';

// The package has no entry for modules.
const { default: BTree }: typeof import('sorted-btree') = createRequire(import.meta.url)('sorted-btree');

/** An object as text, which takes a fraction of the memory of its parts. */
interface Held {
  readonly text: string;
  readonly version: string;
}

/** `namespace/name`, or `/name` where there is no namespace. */
const keyOf = (namespace: string, name: string): string => `${namespace}/${name}`;
export const keyIn = ({ metadata }: AnyObject): string => keyOf(metadata.namespace ?? '', metadata.name ?? '');
/** Comes right after the slash. */
const AFTER_SLASH = '0';

/** Objects of one kind in the order of their namespaces and names. */
export class HeldObjects {
  readonly #byKey = new BTree<string, Held>();

  get<T extends AnyObject>(namespace: string, name: string): T | undefined {
    const held = this.#byKey.get(keyOf(namespace, name));
    return held && read<T>(held);
  }

  /** Of all namespaces when none is given; those alone that have the text in them. As they are when this is called. */
  *each<T extends AnyObject>(namespace: string, mentions: string): Iterable<T> {
    const all = namespace === '';
    const entries = all
      ? this.#byKey.toArray()
      : this.#byKey.getRange(`${namespace}/`, `${namespace}${AFTER_SLASH}`, false);
    for (const [, held] of entries) {
      if (held.text.includes(mentions)) yield read<T>(held);
    }
  }

  /** False when this very version is held already. */
  set(object: AnyObject, text: string): boolean {
    const key = keyIn(object);
    const version = `${object.apiVersion} ${object.metadata.resourceVersion}`;
    if (this.#byKey.get(key)?.version === version) return false;
    this.#byKey.set(key, { text, version });
    return true;
  }

  /** The text of what is held of the object, in whatever version. */
  textOf(object: AnyObject): string | undefined {
    return this.#byKey.get(keyIn(object))?.text;
  }

  remove(object: AnyObject): void {
    this.#byKey.delete(keyIn(object));
  }

  /** Removes and gives all that are not among these. */
  removeOthers(kept: ReadonlySet<string>): AnyObject[] {
    const others = [...this.#byKey.keys()].filter((key) => !kept.has(key));
    return others.map((key) => {
      const object = read<AnyObject>(this.#byKey.get(key) as Held);
      this.#byKey.delete(key);
      return object;
    });
  }
}

const read = <T extends AnyObject>({ text }: Held): T => JSON.parse(text) as T;
