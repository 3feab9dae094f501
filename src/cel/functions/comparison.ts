import { equals } from '../values/equality.ts';
import { type Meter, TEXT_UNITS } from '../values/meter.ts';
import { comparable } from '../values/numbers.ts';
import { compareTexts } from '../values/text.ts';
import { Duration, Timestamp } from '../values/time.ts';
import { lookUp } from '../values/values.ts';
import {
  any,
  bool,
  bytes,
  double,
  duration,
  global,
  int,
  type Library,
  list,
  map,
  type Overload,
  text,
  timestamp,
  uint,
} from './signature.ts';

const shorter = (a: number, b: number): number => Math.ceil(Math.min(a, b) * TEXT_UNITS);

/** Negative, zero or positive; NaN where two doubles have no order. For two values of one type, or two numbers. */
export function order(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if ((a instanceof Timestamp && b instanceof Timestamp) || (a instanceof Duration && b instanceof Duration)) {
    return a.nanos < b.nanos ? -1 : Number(a.nanos > b.nanos);
  }
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  const [left, right] = [comparable(a), comparable(b)];
  if (left === undefined || right === undefined) return Number.NaN;
  if (left < right) return -1;
  if (left > right) return 1;
  // biome-ignore lint/suspicious/noDoubleEquals: compares a bigint with a number by amount
  return left == right ? 0 : Number.NaN;
}

function relation(holds: (order: number) => boolean, onNumbers: (a: number, b: number) => boolean): Overload[] {
  const run = (_: Meter, a: unknown, b: unknown): boolean => holds(order(a, b));
  const numbers = [int, uint, double];
  return [
    global([int, int], bool, (_, a, b) =>
      typeof a === 'number' && typeof b === 'number' ? onNumbers(a, b) : holds(order(a, b)),
    ),
    global([text, text], bool, run, { units: shorter }),
    ...[bool, uint, double, timestamp, duration].map((param) => global([param, param], bool, run)),
    global([bytes, bytes], bool, run, { units: shorter }),
    ...numbers.flatMap((left) =>
      numbers.filter((right) => right !== left).map((right) => global([left, right], bool, run)),
    ),
  ];
}

/** Spends by what it compares; the estimate is that of a text of the smaller size. */
const equality = { units: () => 1, estimate: shorter };

function contains(meter: Meter, item: unknown, items: readonly unknown[]): boolean {
  for (let at = 0; at < items.length; at++) {
    meter.spend(1);
    if (equals(meter, items[at], item)) return true;
  }
  return false;
}

export const comparison: Library = {
  '_==_': [global([any('A'), any('A')], bool, equals, equality)],
  '_!=_': [global([any('A'), any('A')], bool, (meter, a, b) => !equals(meter, a, b), equality)],
  '_<_': relation(
    (order) => order < 0,
    (a, b) => a < b,
  ),
  '_<=_': relation(
    (order) => order <= 0,
    (a, b) => a <= b,
  ),
  '_>_': relation(
    (order) => order > 0,
    (a, b) => a > b,
  ),
  '_>=_': relation(
    (order) => order >= 0,
    (a, b) => a >= b,
  ),
  '@in': [
    global([any('A'), list(any('A'))], bool, contains, { units: () => 1, estimate: (_, items) => items }),
    global([any('A'), map(any('A'), any('B'))], bool, (_, key, entries) => lookUp(entries, key) !== undefined),
  ],
};
