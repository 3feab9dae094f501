import { KEY_UNITS, TEXT_UNITS } from '../values/meter.ts';
import { amountOf, Double, doubleText, intOfDouble, toInt, toUint, uintOfDouble } from '../values/numbers.ts';
import { codePointCount } from '../values/text.ts';
import {
  durationText,
  parseDuration,
  parseTimestamp,
  SECOND,
  split,
  timestamp as timestampOf,
  timestampText,
} from '../values/time.ts';
import { Failure, sizeOfMap, TypeValue, typeNameOf } from '../values/values.ts';
import {
  any,
  bool,
  bytes,
  double,
  duration,
  dyn,
  global,
  int,
  type Library,
  list,
  map,
  member,
  type Overload,
  text,
  timestamp,
  type,
  uint,
} from './signature.ts';

const RANGE = new Failure('range error');
const unfit = (from: string, to: string): Failure => new Failure(`type conversion error from '${from}' to '${to}'`);

/** Longer ones are no numbers of 64 bits, and take long to read. */
const LONGEST_NUMBER = 64;
const DECIMAL = /^[+-]?\d+$/;
const UNSIGNED = /^\+?\d+$/;
const FLOAT = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const SPECIAL_FLOATS: ReadonlyMap<string, number> = new Map([
  ['nan', Number.NaN],
  ['inf', Number.POSITIVE_INFINITY],
  ['+inf', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
  ['infinity', Number.POSITIVE_INFINITY],
  ['+infinity', Number.POSITIVE_INFINITY],
  ['-infinity', Number.NEGATIVE_INFINITY],
]);
const BOOLS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'true', 'TRUE', 'True'].map((word) => [word, true] as const),
  ...['0', 'f', 'F', 'false', 'FALSE', 'False'].map((word) => [word, false] as const),
]);

const integerOf = (word: string, form: RegExp): bigint | undefined =>
  word.length <= LONGEST_NUMBER && form.test(word) ? BigInt(word.replace('+', '')) : undefined;

function parseDouble(word: string): Double | Failure {
  if (word.length <= LONGEST_NUMBER && FLOAT.test(word)) {
    const value = Number(word);
    return Number.isFinite(value) ? new Double(value) : unfit('string', 'double');
  }
  const special = word.length <= LONGEST_NUMBER ? SPECIAL_FLOATS.get(word.toLowerCase()) : undefined;
  return special === undefined ? unfit('string', 'double') : new Double(special);
}

const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeText(value: Uint8Array): string | Failure {
  try {
    return DECODER.decode(value);
  } catch {
    return new Failure('invalid UTF-8 in bytes, cannot convert to string');
  }
}

const traversal = (size: number): number => Math.ceil(size * TEXT_UNITS);
/** Reading and writing numbers and times takes longer than going through their texts. */
const PARSING = 120;
const NUMBER_LENGTH = 32;
const shortText = { units: () => 12, estimate: () => 1, resultSize: () => NUMBER_LENGTH };
const parsed = { units: () => 12, estimate: () => 1 };

/** In both forms: `size(x)` and `x.size()`. */
const sizes: readonly Overload[] = [global, member].flatMap((form) => [
  form([text], int, (_, a) => codePointCount(a), { units: (size) => 1 + traversal(size), estimate: () => 1 }),
  form([list(any('A'))], int, (_, a) => a.length),
  form([map(any('A'), any('B'))], int, (meter, a) => {
    const size = sizeOfMap(a);
    meter.spend(KEY_UNITS * size);
    return size;
  }),
  form([bytes], int, (_, a) => a.length),
]);

export const conversions: Library = {
  size: sizes,
  dyn: [global([any('A')], dyn, (_, a) => a, { resultSize: (size) => size })],
  type: [global([any('A')], type(any('A')), (_, a) => new TypeValue(typeNameOf(a)))],
  int: [
    global([int], int, (_, a) => a),
    global([uint], int, (_, a) => toInt(a.value) ?? RANGE),
    global([double], int, (_, a) => intOfDouble(a.value) ?? RANGE),
    global([text], int, (_, a) => toIntOf(a), parsed),
    global([timestamp], int, (_, a) => toInt(split(a.nanos).seconds) ?? RANGE),
    global([duration], int, (_, a) => toInt(a.nanos) ?? RANGE),
  ],
  uint: [
    global([uint], uint, (_, a) => a),
    global([int], uint, (_, a) => toUint(amountOf(a)) ?? RANGE),
    global([double], uint, (_, a) => uintOfDouble(a.value) ?? RANGE),
    global([text], uint, (_, a) => {
      const amount = integerOf(a, UNSIGNED);
      return (amount !== undefined ? toUint(amount) : undefined) ?? unfit('string', 'uint');
    }),
  ],
  double: [
    global([double], double, (_, a) => a),
    global([int], double, (_, a) => new Double(Number(a)), parsed),
    global([uint], double, (_, a) => new Double(Number(a.value))),
    global([text], double, (_, a) => parseDouble(a), parsed),
  ],
  bool: [global([bool], bool, (_, a) => a), global([text], bool, (_, a) => BOOLS.get(a) ?? unfit('string', 'bool'))],
  string: [
    global([text], text, (_, a) => a, { resultSize: (size) => size }),
    global([int], text, (_, a) => String(a), shortText),
    global([uint], text, (_, a) => String(a.value), shortText),
    global([double], text, (_, a) => doubleText(a.value), shortText),
    global([bool], text, (_, a) => String(a), shortText),
    global([bytes], text, (_, a) => decodeText(a), { units: traversal, resultSize: (size) => size }),
    global([timestamp], text, (_, a) => timestampText(a), shortText),
    global([duration], text, (_, a) => durationText(a), shortText),
  ],
  bytes: [
    global([bytes], bytes, (_, a) => a, { resultSize: (size) => size }),
    global([text], bytes, (_, a) => Uint8Array.from(Buffer.from(a, 'utf8')), {
      units: traversal,
      resultSize: (size) => 4 * size,
    }),
  ],
  timestamp: [
    global([timestamp], timestamp, (_, a) => a),
    global([text], timestamp, (_, a) => parseTimestamp(a) ?? unfit('string', 'google.protobuf.Timestamp'), {
      units: () => PARSING,
      estimate: () => 1,
    }),
    global([int], timestamp, (_, a) => timestampOf(amountOf(a) * SECOND) ?? RANGE),
  ],
  duration: [
    global([duration], duration, (_, a) => a),
    global([text], duration, (_, a) => parseDuration(a) ?? unfit('string', 'google.protobuf.Duration'), {
      units: () => PARSING,
      estimate: () => 1,
    }),
    global([int], duration, (_, a) => parseDuration(`${a}ns`) ?? RANGE),
  ],
};

function toIntOf(word: string): unknown {
  const amount = integerOf(word, DECIMAL);
  return (amount === undefined ? undefined : toInt(amount)) ?? unfit('string', 'int');
}
