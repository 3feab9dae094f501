import { ItemIndex, itemKey } from '../values/equality.ts';
import { type Meter, TEXT_UNITS } from '../values/meter.ts';
import { amountOf, Double, type Int, toInt, toUint, type Uint } from '../values/numbers.ts';
import { duration as durationOf, timestamp as timestampOf } from '../values/time.ts';
import { Failure, KeyedList, SetList } from '../values/values.ts';
import { any, bytes, double, duration, global, int, type Library, list, text, timestamp, uint } from './signature.ts';

const INT_OVERFLOW = new Failure('integer overflow');
const UINT_OVERFLOW = new Failure('unsigned integer overflow');
const DIVISION_BY_ZERO = new Failure('division by zero');
const MODULUS_BY_ZERO = new Failure('modulus by zero');
const TIME_OVERFLOW = new Failure('timestamp overflow');
const DURATION_OVERFLOW = new Failure('duration overflow');

/** Amounts that are no JS numbers take longer, and so do doubles, each of which is an object. */
const LARGE_UNITS = 12;
const DOUBLE_UNITS = 6;

/** JS numbers as long as the result is exact, which it is where it is within the safe range. */
const onInts =
  (small: (a: number, b: number) => number, large: (a: bigint, b: bigint) => bigint) =>
  (meter: Meter, a: Int, b: Int): Int | Failure => {
    if (typeof a === 'number' && typeof b === 'number') {
      const result = small(a, b);
      if (Number.isSafeInteger(result)) return result + 0;
    }
    meter.spend(LARGE_UNITS);
    return toInt(large(amountOf(a), amountOf(b))) ?? INT_OVERFLOW;
  };

const onUints =
  (operate: (a: bigint, b: bigint) => bigint) =>
  (_: Meter, a: Uint, b: Uint): Uint | Failure =>
    toUint(operate(a.value, b.value)) ?? UINT_OVERFLOW;

const onDoubles =
  (operate: (a: number, b: number) => number) =>
  (meter: Meter, a: Double, b: Double): Double => {
    meter.spend(DOUBLE_UNITS);
    return new Double(operate(a.value, b.value));
  };

const isZero = (value: Int): boolean => value === 0;
const divideInts = onInts(
  (a, b) => Math.trunc(a / b),
  (a, b) => a / b,
);
const remainderOfInts = onInts(
  (a, b) => a % b,
  (a, b) => a % b,
);

const sum = (a: number, b: number): number => a + b;
const textCosts = { units: (a: number, b: number) => Math.ceil((a + b) * TEXT_UNITS), resultSize: sum };

/** Lists of a set gain what they do not have; of a keyed list, items take the place of those with their key. */
function addLists(meter: Meter, a: readonly unknown[], b: readonly unknown[]): readonly unknown[] {
  meter.spend(a.length + b.length);
  if (a instanceof SetList) {
    const known = new ItemIndex(meter, a);
    return SetList.over(a.concat(b.filter((item) => !known.has(item))));
  }
  if (a instanceof KeyedList) {
    const { keyFields } = a;
    const merged = new Map(a.map((item) => [itemKey(meter, item, keyFields), item]));
    for (const item of b) merged.set(itemKey(meter, item, keyFields), item);
    return KeyedList.over([...merged.values()], keyFields);
  }
  return a.concat(b);
}

export const arithmetic: Library = {
  '_+_': [
    global(
      [int, int],
      int,
      onInts(sum, (a, b) => a + b),
    ),
    global([text, text], text, (_, a, b) => a + b, textCosts),
    global([double, double], double, onDoubles(sum)),
    global(
      [uint, uint],
      uint,
      onUints((a, b) => a + b),
    ),
    global([list(any('A')), list(any('A'))], list(any('A')), addLists, { estimate: () => 1, resultSize: sum }),
    global([bytes, bytes], bytes, (_, a, b) => Uint8Array.from(Buffer.concat([a, b])), textCosts),
    global([timestamp, duration], timestamp, (_, a, b) => timestampOf(a.nanos + b.nanos) ?? TIME_OVERFLOW),
    global([duration, timestamp], timestamp, (_, a, b) => timestampOf(a.nanos + b.nanos) ?? TIME_OVERFLOW),
    global([duration, duration], duration, (_, a, b) => durationOf(a.nanos + b.nanos) ?? DURATION_OVERFLOW),
  ],
  '_-_': [
    global(
      [int, int],
      int,
      onInts(
        (a, b) => a - b,
        (a, b) => a - b,
      ),
    ),
    global(
      [double, double],
      double,
      onDoubles((a, b) => a - b),
    ),
    global(
      [uint, uint],
      uint,
      onUints((a, b) => a - b),
    ),
    global([timestamp, timestamp], duration, (_, a, b) => durationOf(a.nanos - b.nanos) ?? DURATION_OVERFLOW),
    global([timestamp, duration], timestamp, (_, a, b) => timestampOf(a.nanos - b.nanos) ?? TIME_OVERFLOW),
    global([duration, duration], duration, (_, a, b) => durationOf(a.nanos - b.nanos) ?? DURATION_OVERFLOW),
  ],
  '_*_': [
    global(
      [int, int],
      int,
      onInts(
        (a, b) => a * b,
        (a, b) => a * b,
      ),
    ),
    global(
      [double, double],
      double,
      onDoubles((a, b) => a * b),
    ),
    global(
      [uint, uint],
      uint,
      onUints((a, b) => a * b),
    ),
  ],
  '_/_': [
    global([int, int], int, (meter, a, b) => (isZero(b) ? DIVISION_BY_ZERO : divideInts(meter, a, b))),
    global(
      [double, double],
      double,
      onDoubles((a, b) => a / b),
    ),
    global([uint, uint], uint, (_, a, b) => (b.value === 0n ? DIVISION_BY_ZERO : toUint(a.value / b.value))),
  ],
  '_%_': [
    global([int, int], int, (meter, a, b) => (isZero(b) ? MODULUS_BY_ZERO : remainderOfInts(meter, a, b))),
    global([uint, uint], uint, (_, a, b) => (b.value === 0n ? MODULUS_BY_ZERO : toUint(a.value % b.value))),
  ],
  '-_': [
    global([int], int, (_, a) => (typeof a === 'number' ? 0 - a : (toInt(-a) ?? INT_OVERFLOW))),
    global([double], double, (_, a) => new Double(-a.value)),
    global([duration], duration, (_, a) => durationOf(-a.nanos) ?? DURATION_OVERFLOW),
  ],
};
