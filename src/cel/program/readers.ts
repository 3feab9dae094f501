import { decodeBase64 } from '../functions/encoders.ts';
import type { Type } from '../types/type.ts';
import { KEY_UNITS, type Meter, textUnits } from '../values/meter.ts';
import { Double } from '../values/numbers.ts';
import { parseDuration, parseTimestamp } from '../values/time.ts';
import { Failure, isPlainObject, KeyedList, SetList, sizeOfMap } from '../values/values.ts';

/** From what a document has to the value of a type. What is one already is returned as it is. */
export type Reader = (raw: unknown, meter: Meter) => unknown;

/** What reading takes that is more than looking at a value. */
const UNITS = { double: 20, time: 150, bytes: 50 };

const asDouble: Reader = (raw, meter) => {
  if (typeof raw !== 'number') return raw;
  meter.spend(UNITS.double);
  return new Double(raw);
};
const asTimestamp: Reader = (raw, meter) => {
  if (typeof raw !== 'string') return raw;
  meter.spend(UNITS.time);
  return parseTimestamp(raw, true) ?? new Failure(`invalid timestamp: ${cut(raw)}`);
};
const asDuration: Reader = (raw, meter) => {
  if (typeof raw !== 'string') return raw;
  meter.spend(UNITS.time);
  return parseDuration(raw) ?? new Failure(`invalid duration: ${cut(raw)}`);
};
const asBytes: Reader = (raw, meter) => {
  if (typeof raw !== 'string') return raw;
  meter.spend(UNITS.bytes + textUnits(raw.length));
  return decodeBase64(raw) ?? new Failure('illegal base64 data');
};
/** A number of a document that is not whole is a double. */
const asDynamic: Reader = (raw) => (typeof raw === 'number' && !Number.isInteger(raw) ? new Double(raw) : raw);

const cut = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text);

/** Undefined where a document's value is the value. */
export function readerOf({ kind }: Type): Reader | undefined {
  switch (kind) {
    case 'double':
      return asDouble;
    case 'timestamp':
      return asTimestamp;
    case 'duration':
      return asDuration;
    case 'bytes':
      return asBytes;
    case 'dyn':
      return asDynamic;
    default:
      return undefined;
  }
}

/** Whether a value of the type may hold something that is not yet what its type says. */
const differs = new WeakMap<Type, boolean>();

export function differsInside(type: Type): boolean {
  const known = differs.get(type);
  if (known !== undefined) return known;
  const found = findDifference(type);
  differs.set(type, found);
  return found;
}

function findDifference(type: Type): boolean {
  const isRead = (inner: Type): boolean =>
    (inner.kind !== 'dyn' && readerOf(inner) !== undefined) || differsInside(inner);
  switch (type.kind) {
    case 'list':
      return type.keys !== undefined || isRead(type.item);
    case 'map':
      return isRead(type.value);
    case 'object':
      return [...type.fields.values()].some((field) => isRead(field.type));
    default:
      return false;
  }
}

/**
 * The value with everything in it read as its type says: for functions that look at it as a whole. Selections and loops
 * need not copy what they pass by.
 */
export function readWhole(meter: Meter, type: Type, raw: unknown): unknown {
  meter.spend(1);
  const inner = (of: Type, value: unknown): unknown => readWhole(meter, of, readerOf(of)?.(value, meter) ?? value);
  if (!differsInside(type)) return raw;
  if (type.kind === 'list' && Array.isArray(raw)) {
    const items = isPlainInside(type.item) ? raw : raw.map((item) => inner(type.item, item));
    if (type.keys !== undefined) meter.spend(raw.length);
    if (type.keys === 'set') return raw instanceof SetList ? raw : SetList.over(items);
    return type.keys ? KeyedList.over(items, type.keys) : items;
  }
  if (type.kind === 'map' && isPlainObject(raw)) {
    meter.spend(2 * KEY_UNITS * sizeOfMap(raw));
    return Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, inner(type.value, value)]));
  }
  if (type.kind === 'object' && isPlainObject(raw)) {
    const changed = [...type.fields.values()]
      .filter(({ name }) => Object.hasOwn(raw, name))
      .map(({ name, type: of }) => [name, inner(of, raw[name])] as const);
    return { ...raw, ...Object.fromEntries(changed) };
  }
  return raw;
}

const isPlainInside = (type: Type): boolean => readerOf(type) === undefined && !differsInside(type);
