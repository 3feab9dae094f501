import { Double, intOfDouble, Uint } from '../values/numbers.ts';
import { Failure, isMap, isPlainObject, lookUp, Optional } from '../values/values.ts';
import type { Code, Frame } from './frame.ts';
import type { Reader } from './readers.ts';

const NO_OVERLOAD = new Failure('no such overload');
const INVALID_TYPE = new Failure('type mismatch');

const LONGEST_KEY = 100;
/** A failure that names a key is made each time. */
const UNITS_OF_FAILURE = 10;
const noSuchKey = (key: unknown): Failure => {
  const text = key instanceof Uint || key instanceof Double ? String(key.value) : String(key);
  return new Failure(`no such key: ${text.length > LONGEST_KEY ? `${text.slice(0, LONGEST_KEY)}…` : text}`);
};

/** Names that every JS object answers to, whether it has them or not. */
const isInherited = (name: string): boolean => name in Object.prototype;

/** `operand.name`; `shown` is the name as the expression spells it. */
export function member(operand: Code, name: string, shown: string, read: Reader | undefined, isObject: boolean): Code {
  const missing = noSuchKey(shown);
  const isPlain = isObject && !isInherited(name);
  return (frame) => {
    const container = operand(frame);
    frame.spend(1);
    let value: unknown;
    if (isPlain && isPlainObject(container)) value = container[name];
    else if (isMap(container)) value = lookUp(container, name);
    else return container instanceof Failure ? container : container === null ? missing : NO_OVERLOAD;
    if (value === undefined) return missing;
    return read ? read(value, frame) : value;
  };
}

/** `has(operand.name)` */
export function isPresent(operand: Code, name: string): Code {
  return (frame) => {
    const found = operand(frame);
    frame.spend(1);
    const container = found instanceof Optional && found.hasValue ? found.value : found;
    if (isMap(container)) return lookUp(container, name) !== undefined;
    if (container === Optional.none) return false;
    return container instanceof Failure ? container : NO_OVERLOAD;
  };
}

/** Something that was found or not; `operand` may be optional itself, and is none where that is. */
function optionally(
  frame: Frame,
  found: unknown,
  find: (container: unknown) => unknown,
  read: Reader | undefined,
): unknown {
  if (found instanceof Failure || found === Optional.none) return found;
  const value = find(found instanceof Optional ? found.value : found);
  if (value instanceof Failure) return value;
  if (value === undefined) return Optional.none;
  const result = read ? read(value, frame) : value;
  return result instanceof Failure ? result : Optional.of(result);
}

/** `operand.?name` */
export function optionalMember(operand: Code, name: string, read: Reader | undefined): Code {
  const find = (container: unknown): unknown => {
    if (isMap(container)) return lookUp(container, name);
    return container === null ? noSuchKey(name) : NO_OVERLOAD;
  };
  return (frame) => {
    const found = operand(frame);
    frame.spend(1);
    return optionally(frame, found, find, read);
  };
}

/** The place in a list that a number means; undefined when it is not whole. */
function position(key: unknown): number | undefined {
  if (typeof key === 'number') return key;
  const number = key instanceof Double ? intOfDouble(key.value) : key instanceof Uint ? Number(key.value) : undefined;
  if (key instanceof Double && Number(number) !== key.value) return undefined;
  return number === undefined ? undefined : Number(number);
}

/** The item or entry, undefined when there is none, or a failure. */
function find(container: unknown, key: unknown): unknown {
  if (key instanceof Failure) return key;
  if (Array.isArray(container)) {
    const at = position(key);
    if (at === undefined) return typeof key === 'bigint' ? undefined : INVALID_TYPE;
    return at >= 0 && at < container.length ? container[at] : undefined;
  }
  if (isMap(container)) return lookUp(container, key);
  return NO_OVERLOAD;
}

/** `operand[key]` */
export function itemAt(operand: Code, key: Code, read: Reader | undefined): Code {
  return (frame) => {
    const container = operand(frame);
    if (container instanceof Failure) return container;
    const wanted = key(frame);
    frame.spend(Array.isArray(container) ? 1 : 4);
    const value = find(container, wanted);
    if (value === undefined) {
      frame.spend(UNITS_OF_FAILURE);
      return Array.isArray(container)
        ? new Failure(`index out of bounds: ${String(position(wanted))}`)
        : noSuchKey(wanted);
    }
    return read && !(value instanceof Failure) ? read(value, frame) : value;
  };
}

/** `operand[?key]` */
export function optionalItem(operand: Code, key: Code, read: Reader | undefined): Code {
  return (frame) => {
    const container = operand(frame);
    const wanted = key(frame);
    frame.spend(1);
    return optionally(frame, container, (inner) => find(inner, wanted), read);
  };
}
