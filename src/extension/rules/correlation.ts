import type { JSONSchemaProps } from '../../kinds/apiextensions/json-schema.ts';
import { isList, isObject } from '../../schema/json-object.ts';

/** The old items of a list, found by the keys that they share with the new ones. */
export class KeyedItems {
  readonly #keys: readonly KeyField[];
  readonly #items = new Map<string, unknown>();

  /** Of several items with the same keys, the first counts. */
  constructor(keys: readonly KeyField[], items: readonly unknown[]) {
    this.#keys = keys;
    for (const item of items) {
      const identity = identityOf(item, keys);
      if (identity !== undefined && !this.#items.has(identity)) this.#items.set(identity, item);
    }
  }

  /** The item that was there under the keys of this one, if any. */
  find(item: unknown): unknown {
    const identity = identityOf(item, this.#keys);
    return identity === undefined ? undefined : this.#items.get(identity);
  }
}

/** A field that tells items apart, and its value in items that leave it out. */
export interface KeyField {
  readonly name: string;
  readonly default: unknown;
}

export function keyFields(items: JSONSchemaProps, names: readonly string[]): readonly KeyField[] {
  return names.map((name) => ({ name, default: items.properties?.[name]?.default }));
}

/** Undefined for what is no object or lacks a key. */
function identityOf(item: unknown, keys: readonly KeyField[]): string | undefined {
  if (!isObject(item)) return undefined;
  const values = keys.map(({ name, default: fallback }) => (Object.hasOwn(item, name) ? item[name] : fallback) ?? null);
  return values.includes(null) ? undefined : JSON.stringify(values);
}

const NO_ITEMS: readonly unknown[] = [];

export const itemsOf = (value: unknown): readonly unknown[] => (isList(value) ? value : NO_ITEMS);
