import type { Loop } from '../syntax/ast.ts';
import type { Type } from '../types/type.ts';
import { MapBuilder } from '../values/map-builder.ts';
import { Failure, isMap, keysOf, lookUp } from '../values/values.ts';
import type { Code, Frame } from './frame.ts';
import { type Reader, readerOf } from './readers.ts';

const NO_OVERLOAD = new Failure('no such overload');

/** What a turn takes beside its body. */
const UNITS_A_TURN = 3;

export interface LoopParts {
  readonly range: Code;
  readonly condition: Code | undefined;
  readonly transform: Code | undefined;
  readonly slots: readonly number[];
  readonly rangeType: Type;
}

/** Does something for each turn; what is not undefined ends the loop and is its result. */
type Turn = (frame: Frame) => unknown;

/** Sets the variables of a loop for each turn. Undefined when no turn has ended it. */
function over({ slots, rangeType }: LoopParts): (frame: Frame, items: unknown, turn: Turn) => unknown {
  const [first = 0, second] = slots;
  const read: Reader | undefined = readerOf(
    rangeType.kind === 'list' ? rangeType.item : rangeType.kind === 'map' ? rangeType.value : { kind: 'dyn' },
  );
  return (frame, items, turn) => {
    if (Array.isArray(items)) {
      for (let at = 0; at < items.length; at++) {
        frame.spend(UNITS_A_TURN);
        const item: unknown = read ? read(items[at]) : items[at];
        if (item instanceof Failure) return item;
        frame.slots[second ?? first] = item;
        if (second !== undefined) frame.slots[first] = at;
        const end = turn(frame);
        if (end !== undefined) return end;
      }
      return undefined;
    }
    if (!isMap(items)) return items instanceof Failure ? items : NO_OVERLOAD;
    const keys = keysOf(items);
    frame.spend(2 * keys.length);
    for (const key of keys) {
      frame.spend(4);
      frame.slots[first] = key;
      if (second !== undefined) {
        const value = lookUp(items, key);
        frame.slots[second] = read ? read(value) : value;
      }
      const end = turn(frame);
      if (end !== undefined) return end;
    }
    return undefined;
  };
}

/** `all` ends at the first false, `exists` at the first true: a failure before that does not count. */
function deciding(parts: LoopParts, condition: Code, decisive: boolean): Code {
  const forEach = over(parts);
  const { range } = parts;
  return (frame) => {
    let failure: Failure | undefined;
    const end = forEach(frame, range(frame), (inner) => {
      const holds = condition(inner);
      if (holds === decisive) return decisive;
      if (typeof holds !== 'boolean') failure ??= holds instanceof Failure ? holds : NO_OVERLOAD;
      return undefined;
    });
    return end ?? failure ?? !decisive;
  };
}

function existsOne(parts: LoopParts, condition: Code): Code {
  const forEach = over(parts);
  const { range } = parts;
  return (frame) => {
    let count = 0;
    const end = forEach(frame, range(frame), (inner) => {
      const holds = condition(inner);
      if (holds === true) count++;
      else if (holds !== false) return holds instanceof Failure ? holds : NO_OVERLOAD;
      return undefined;
    });
    return end ?? count === 1;
  };
}

/** What building a list or a map takes for each item. */
const UNITS_AN_ITEM = 3;

/** Hands what is made of each item that meets the condition to `add`. */
function collecting(
  parts: LoopParts,
  made: Code,
  start: () => { readonly result: unknown; readonly add: (frame: Frame, value: unknown) => Failure | undefined },
): Code {
  const forEach = over(parts);
  const { range, condition } = parts;
  return (frame) => {
    const { result, add } = start();
    const end = forEach(frame, range(frame), (inner) => {
      if (condition) {
        const holds = condition(inner);
        if (holds === false) return undefined;
        if (holds !== true) return holds instanceof Failure ? holds : NO_OVERLOAD;
      }
      inner.spend(UNITS_AN_ITEM);
      const value = made(inner);
      return value instanceof Failure ? value : add(inner, value);
    });
    return end ?? result;
  };
}

const intoList = () => {
  const result: unknown[] = [];
  const add = (_: Frame, value: unknown): undefined => {
    result.push(value);
  };
  return { result, add };
};

export function compileLoop({ loop }: Loop, parts: LoopParts): Code {
  const { condition, transform, slots } = parts;
  const [first = 0] = slots;
  const variable: Code = (frame) => frame.slots[first];
  const made = transform ?? variable;
  switch (loop) {
    case 'all':
      return condition ? deciding(parts, condition, false) : () => NO_OVERLOAD;
    case 'exists':
      return condition ? deciding(parts, condition, true) : () => NO_OVERLOAD;
    case 'existsOne':
      return condition ? existsOne(parts, condition) : () => NO_OVERLOAD;
    case 'filter':
    case 'map':
    case 'transformList':
      return collecting(parts, made, intoList);
    case 'transformMap':
      return collecting(parts, made, () => {
        const map = new MapBuilder();
        return { result: map.entries, add: (frame, value) => map.add(frame.slots[first], value) };
      });
    case 'transformMapEntry':
      return collecting(parts, made, () => {
        const map = new MapBuilder();
        return { result: map.entries, add: (_, value) => addEntries(map, value) };
      });
  }
}

function addEntries(map: MapBuilder, value: unknown): Failure | undefined {
  if (!isMap(value)) return NO_OVERLOAD;
  for (const key of keysOf(value)) {
    const problem = map.add(key, lookUp(value, key));
    if (problem) return problem;
  }
  return undefined;
}
