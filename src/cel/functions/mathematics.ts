import { amountOf, Double, type Int, toInt, toUint, Uint } from '../values/numbers.ts';
import { Failure } from '../values/values.ts';
import { order } from './comparison.ts';
import { bool, double, dyn, global, int, type Library, list, type Overload, uint } from './signature.ts';

const NUMBERS = [int, uint, double];
const MANY = 6;
const OVERFLOW = new Failure('integer overflow');

/** The least or greatest of a few arguments, or of a list. */
function extreme(sign: 1 | -1): Overload[] {
  const pick = (values: readonly unknown[]): unknown =>
    values.reduce((best, value) => (sign * order(value, best) < 0 ? value : best));
  const counts = Array.from({ length: MANY }, (_, at) => at + 1);
  const mixed = counts.slice(1).map((count) =>
    global(
      Array.from({ length: count }, () => dyn),
      dyn,
      (_, ...values) => onlyNumbers(values) ?? pick(values),
    ),
  );
  const alike = NUMBERS.flatMap((number) =>
    counts.map((count) =>
      global(
        Array.from({ length: count }, () => number),
        number,
        (_, ...values) => pick(values),
      ),
    ),
  );
  const lists = [...NUMBERS, dyn].map((number) =>
    global([list(number)], number, (meter, values) => {
      meter.spend(values.length);
      if (values.length === 0) return new Failure('argument must not be empty');
      return onlyNumbers(values) ?? pick(values);
    }),
  );
  return [...alike, ...lists, ...mixed];
}

const isNumber = (value: unknown): boolean =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof Uint || value instanceof Double;

const onlyNumbers = (values: readonly unknown[]): Failure | undefined =>
  values.every(isNumber) ? undefined : new Failure('no such overload');

const rounding = (round: (value: number) => number): Overload[] => [
  global([double], double, (_, { value }) => new Double(round(value))),
];

/** Half goes away from zero. */
const round = (value: number): number => Math.sign(value) * Math.round(Math.abs(value));

const MASK = 2n ** 64n - 1n;

const bits = (operate: (a: bigint, b: bigint) => bigint): Overload[] => [
  global([int, int], int, (_, a, b) => toInt(operate(amountOf(a), amountOf(b)))),
  global([uint, uint], uint, (_, a, b) => toUint(operate(a.value, b.value) & MASK)),
];

/** By a negative number of places nothing can be shifted; by 64 and more nothing is left. */
const shift = (operate: (amount: bigint, places: bigint) => bigint): Overload[] => {
  const shifted = (amount: bigint, places: Int): bigint | Failure => {
    if (places < 0) return new Failure('negative offset');
    return places >= 64 ? 0n : operate(amount & MASK, amountOf(places)) & MASK;
  };
  return [
    global([int, int], int, (_, a, places) => {
      const result = shifted(amountOf(a), places);
      return result instanceof Failure ? result : toInt(BigInt.asIntN(64, result));
    }),
    global([uint, int], uint, (_, a, places) => {
      const result = shifted(a.value, places);
      return result instanceof Failure ? result : toUint(result);
    }),
  ];
};

function squareRoot(value: number): Double {
  return new Double(Math.sqrt(value));
}

export const mathematics: Library = {
  'math.greatest': extreme(-1),
  'math.least': extreme(1),
  'math.ceil': rounding(Math.ceil),
  'math.floor': rounding(Math.floor),
  'math.round': rounding(round),
  'math.trunc': rounding(Math.trunc),
  'math.sqrt': [
    global([double], double, (_, { value }) => squareRoot(value)),
    global([int], double, (_, value) => squareRoot(Number(value))),
    global([uint], double, (_, { value }) => squareRoot(Number(value))),
  ],
  'math.abs': [
    global([int], int, (_, value) => (value < 0 ? (toInt(-amountOf(value)) ?? OVERFLOW) : value)),
    global([uint], uint, (_, value) => value),
    global([double], double, (_, { value }) => new Double(Math.abs(value))),
  ],
  'math.sign': [
    global([int], int, (_, value) => (value < 0 ? -1 : Number(value > 0))),
    global([uint], uint, (_, { value }) => new Uint(value > 0n ? 1n : 0n)),
    global([double], double, (_, { value }) => new Double(Math.sign(value))),
  ],
  'math.isNaN': [global([double], bool, (_, { value }) => Number.isNaN(value))],
  'math.isInf': [global([double], bool, (_, { value }) => Math.abs(value) === Number.POSITIVE_INFINITY)],
  'math.isFinite': [global([double], bool, (_, { value }) => Number.isFinite(value))],
  'math.bitAnd': bits((a, b) => a & b),
  'math.bitOr': bits((a, b) => a | b),
  'math.bitXor': bits((a, b) => a ^ b),
  'math.bitNot': [
    global([int], int, (_, value) => toInt(~amountOf(value))),
    global([uint], uint, (_, { value }) => toUint(~value & MASK)),
  ],
  'math.bitShiftLeft': shift((amount, places) => amount << places),
  'math.bitShiftRight': shift((amount, places) => amount >> places),
};
