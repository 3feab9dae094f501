import { KEY_UNITS, type Meter, textUnits } from './meter.ts';
import { comparable, Double } from './numbers.ts';
import { Duration, Timestamp } from './time.ts';
import {
  isMap,
  isPlainObject,
  KeyedList,
  keysOf,
  lookUp,
  type MapValue,
  OpaqueValue,
  Optional,
  SetList,
  sizeOfMap,
  TypeValue,
} from './values.ts';

/** Whether two values are equal. Numbers are compared by amount, whatever their types. Spends as much as it looks at. */
export function equals(meter: Meter, a: unknown, b: unknown): boolean {
  if (typeof a === 'string') {
    if (typeof b !== 'string' || a.length !== b.length) return false;
    if (a.length > 16) meter.spend(textUnits(a.length));
    return a === b;
  }
  if (typeof a === 'number' && typeof b === 'number') return a === b;
  if (a === b && !(a instanceof Double)) return true;
  if (a === null || b === null || typeof a === 'boolean') return false;
  const left = comparable(a);
  if (left !== undefined) {
    const right = comparable(b);
    // biome-ignore lint/suspicious/noDoubleEquals: compares a bigint with a number by amount
    return right !== undefined && left == right;
  }
  return equalObjects(meter, a, b);
}

function equalObjects(meter: Meter, a: unknown, b: unknown): boolean {
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(meter, a, b);
  if (isMap(a)) return isMap(b) && equalMaps(meter, a, b);
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanos === b.nanos;
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  if (a instanceof Uint8Array) return b instanceof Uint8Array && equalBytes(meter, a, b);
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name;
  if (a instanceof OpaqueValue) return b instanceof OpaqueValue && a.name === b.name && a.key === b.key;
  if (a instanceof Optional) {
    return b instanceof Optional && a.hasValue === b.hasValue && (!a.hasValue || equals(meter, a.value, b.value));
  }
  return false;
}

function equalBytes(meter: Meter, a: Uint8Array, b: Uint8Array): boolean {
  meter.spend(textUnits(Math.min(a.length, b.length)));
  return Buffer.compare(a, b) === 0;
}

function equalLists(meter: Meter, a: readonly unknown[], b: readonly unknown[]): boolean {
  meter.spend(1);
  if (a instanceof SetList) return equalSets(meter, a, b);
  if (a.length !== b.length) return false;
  if (a instanceof KeyedList) return equalKeyed(meter, a, b);
  for (let at = 0; at < a.length; at++) {
    meter.spend(1);
    if (!equals(meter, a[at], b[at])) return false;
  }
  return true;
}

/** What finding a key takes. */
const UNITS_A_LOOKUP = 10;

function equalMaps(meter: Meter, a: MapValue, b: MapValue): boolean {
  const keys = keysOf(a);
  meter.spend(KEY_UNITS * keys.length);
  const size = sizeOfMap(b);
  meter.spend(KEY_UNITS * size);
  if (keys.length !== size) return false;
  for (const key of keys) {
    meter.spend(UNITS_A_LOOKUP);
    const other = lookUp(b, key);
    if (other === undefined || !equals(meter, lookUp(a, key), other)) return false;
  }
  return true;
}

/**
 * What an item is found by: two are equal when theirs are. Undefined for those that must be compared one by one: whatever
 * has parts, and numbers that JS is not exact with.
 */
function simpleKey(item: unknown): unknown {
  if (typeof item === 'string' || typeof item === 'boolean') return item;
  const amount = comparable(item);
  if (amount === undefined) return undefined;
  const number = Number(amount);
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : undefined;
}

const ITEM_UNITS = 30;

/** The items of a list, so that simple ones can be found without looking at all. */
export class ItemIndex {
  readonly #simple = new Set<unknown>();
  readonly #others: unknown[] = [];
  readonly #meter: Meter;

  constructor(meter: Meter, items: readonly unknown[] = []) {
    this.#meter = meter;
    for (const item of items) this.add(item);
  }

  add(item: unknown): void {
    const key = this.#keyOf(item);
    if (key === undefined) this.#others.push(item);
    else this.#simple.add(key);
  }

  has(item: unknown): boolean {
    const key = this.#keyOf(item);
    if (key !== undefined) return this.#simple.has(key);
    return this.#others.some((candidate) => {
      this.#meter.spend(1);
      return equals(this.#meter, candidate, item);
    });
  }

  #keyOf(item: unknown): unknown {
    this.#meter.spend(ITEM_UNITS + (typeof item === 'string' ? textUnits(item.length) : 0));
    return simpleKey(item);
  }
}

function equalSets(meter: Meter, a: readonly unknown[], b: readonly unknown[]): boolean {
  const inA = new ItemIndex(meter, a);
  const inB = new ItemIndex(meter, b);
  return a.every((item) => inB.has(item)) && b.every((item) => inA.has(item));
}

/** Which item of a keyed list a value is: a text of its key fields. */
export function itemKey(meter: Meter, item: unknown, keyFields: readonly string[]): string {
  const values = keyFields.map((field) =>
    isPlainObject(item) && Object.hasOwn(item, field) ? (item[field] ?? null) : null,
  );
  const text = JSON.stringify(values);
  meter.spend(30 + textUnits(text.length));
  return text;
}

function equalKeyed(meter: Meter, a: KeyedList, b: readonly unknown[]): boolean {
  const byKey = new Map(b.map((item) => [itemKey(meter, item, a.keyFields), item]));
  return a.every((item) => {
    const other = byKey.get(itemKey(meter, item, a.keyFields));
    return other !== undefined && equals(meter, item, other);
  });
}
