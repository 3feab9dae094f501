import { equals } from '../values/equality.ts';
import { type Meter, textUnits } from '../values/meter.ts';
import { Double, Uint } from '../values/numbers.ts';
import { Duration } from '../values/time.ts';
import { Failure } from '../values/values.ts';
import { arithmetic } from './arithmetic.ts';
import { order } from './comparison.ts';
import {
  any,
  bool,
  bytes,
  double,
  duration,
  int,
  type Library,
  list,
  member,
  type Overload,
  type Param,
  text,
  timestamp,
  uint,
} from './signature.ts';

/** One unit an item, and what its text takes. */
const perItem = { units: () => 1, estimate: (items: number) => items };

const itemUnits = (item: unknown): number => (typeof item === 'string' ? 8 + textUnits(item.length) : 2);

function isSorted(meter: Meter, items: readonly unknown[]): boolean {
  for (let at = 1; at < items.length; at++) {
    meter.spend(itemUnits(items[at]));
    if (!(order(items[at - 1], items[at]) <= 0)) return false;
  }
  return true;
}

const extreme =
  (name: string, sign: 1 | -1) =>
  (meter: Meter, items: readonly unknown[]): unknown => {
    if (items.length === 0) return new Failure(`${name} called on empty list`);
    let best = items[0];
    for (let at = 1; at < items.length; at++) {
      meter.spend(itemUnits(items[at]));
      if (sign * order(items[at], best) < 0) best = items[at];
    }
    return best;
  };

const ADDITIONS = arithmetic['_+_'] ?? [];

/** The sum of items of one type; `zero` is that of none. */
const summing =
  (item: Param<unknown>, zero: unknown) =>
  (meter: Meter, items: readonly unknown[]): unknown => {
    const addition = ADDITIONS.find(({ params: [first, second] }) => first === item.type && second === item.type);
    let sum = zero;
    for (const value of items) {
      meter.spend(2);
      sum = addition?.run(meter, sum, value);
      if (sum instanceof Failure) return sum;
    }
    return sum;
  };

function indexOf(meter: Meter, items: readonly unknown[], item: unknown): number {
  for (let at = 0; at < items.length; at++) {
    meter.spend(1);
    if (equals(meter, items[at], item)) return at;
  }
  return -1;
}

function lastIndexOf(meter: Meter, items: readonly unknown[], item: unknown): number {
  for (let at = items.length - 1; at >= 0; at--) {
    meter.spend(1);
    if (equals(meter, items[at], item)) return at;
  }
  return -1;
}

const ORDERED = [int, uint, double, bool, duration, timestamp, text, bytes];
const onOrdered = (make: (item: Param<unknown>) => Overload): Overload[] => ORDERED.map(make);

const SUMMED: readonly (readonly [Param<unknown>, unknown])[] = [
  [int, 0],
  [uint, new Uint(0n)],
  [double, new Double(0)],
  [duration, new Duration(0n)],
];

export const lists: Library = {
  isSorted: onOrdered((item) => member([list(item)], bool, isSorted, perItem)),
  min: onOrdered((item) => member([list(item)], item, extreme('min', 1), perItem)),
  max: onOrdered((item) => member([list(item)], item, extreme('max', -1), perItem)),
  sum: SUMMED.map(([item, zero]) => member([list(item)], item, summing(item, zero), perItem)),
  indexOf: [member([list(any('A')), any('A')], int, indexOf, perItem)],
  lastIndexOf: [member([list(any('A')), any('A')], int, lastIndexOf, perItem)],
};
