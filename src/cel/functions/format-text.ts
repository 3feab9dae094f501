import { KEY_UNITS, type Meter, textUnits } from '../values/meter.ts';
import { amountOf, Double, doubleText, isInt, Uint } from '../values/numbers.ts';
import { Duration, durationText, Timestamp, timestampText } from '../values/time.ts';
import { Failure, isMap, keysOf, lookUp, TypeValue, typeNameOf } from '../values/values.ts';

/** More digits than these help nobody. */
const MOST_DIGITS = 100;
const DEFAULT_DIGITS = 6;
const DEEPEST = 300;

class Unfit extends Error {}

/** `'%s is %d'.format([name, count])`. */
export function formatText(meter: Meter, form: string, args: readonly unknown[]): string | Failure {
  const parts: string[] = [];
  let at = 0;
  let next = 0;
  try {
    for (let percent = form.indexOf('%'); percent >= 0; percent = form.indexOf('%', at)) {
      parts.push(form.slice(at, percent));
      const clause = readClause(form, percent + 1);
      at = clause.end;
      if (clause.letter === '%') {
        parts.push('%');
        continue;
      }
      const write = CLAUSES[clause.letter];
      if (!write) {
        throw new Unfit(`could not parse formatting clause: unrecognized formatting clause "${clause.letter}"`);
      }
      if (next >= args.length) return new Failure(`index ${next} out of range`);
      const text = write(args[next++], clause.digits, meter);
      meter.spend(10 + textUnits(text.length));
      parts.push(text);
    }
  } catch (error) {
    if (error instanceof Unfit) return new Failure(error.message);
    throw error;
  }
  parts.push(form.slice(at));
  return parts.join('');
}

interface Clause {
  readonly letter: string;
  readonly digits: number | undefined;
  readonly end: number;
}

function readClause(form: string, start: number): Clause {
  let at = start;
  let digits: number | undefined;
  if (form.charAt(at) === '.') {
    const from = ++at;
    while (/^[0-9]$/.test(form.charAt(at))) at++;
    digits = Number(form.slice(from, Math.min(at, from + 9)));
    if (at === from || digits > MOST_DIGITS) throw new Unfit('could not parse formatting clause: invalid precision');
  }
  const letter = form.charAt(at);
  if (letter === '') throw new Unfit('could not parse formatting clause: unexpected end of format string');
  return { letter, digits, end: at + 1 };
}

type Writer = (value: unknown, digits: number | undefined, meter: Meter) => string;

const fail = (rule: string, value: unknown): never => {
  throw new Unfit(`error during formatting: ${rule}, was given ${typeNameOf(value)}`);
};

const special = (value: number): string | undefined => {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return undefined;
  return value > 0 ? 'Infinity' : '-Infinity';
};

function decimal(value: unknown): string {
  if (isInt(value)) return String(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Double) return special(value.value) ?? doubleText(value.value);
  return fail('decimal clause can only be used on ints, uints, and doubles', value);
}

const numberOf = (value: unknown): number | undefined => {
  if (isInt(value)) return Number(value);
  return value instanceof Uint || value instanceof Double ? Number(value.value) : undefined;
};

function fixed(value: unknown, digits = DEFAULT_DIGITS): string {
  if (value instanceof Double) return special(value.value) ?? fixedDouble(value.value, digits);
  const amount = isInt(value) ? amountOf(value) : value instanceof Uint ? value.value : undefined;
  if (amount === undefined) return fail('fixed-point clause can only be used on ints, uints, and doubles', value);
  return digits === 0 ? String(amount) : `${amount}.${'0'.repeat(digits)}`;
}

/** JS writes what is 1e21 and more with an exponent, and rounds a half up, where others go to the even digit. */
const fixedDouble = (value: number, digits: number): string =>
  Math.abs(value) < 1e21 ? evenly(value, digits) : `${BigInt(value)}${digits === 0 ? '' : `.${'0'.repeat(digits)}`}`;

function evenly(value: number, digits: number): string {
  const exact = value.toFixed(MOST_DIGITS);
  const cut = exact.length - MOST_DIGITS + digits;
  const kept = exact.slice(0, digits === 0 ? cut - 1 : cut);
  const isHalf = /^\.?50*$/.test(exact.slice(kept.length));
  return isHalf && /[02468]$/.test(kept) ? kept : value.toFixed(digits);
}

function scientific(value: unknown, digits = DEFAULT_DIGITS): string {
  const number = numberOf(value);
  if (number === undefined) return fail('scientific clause can only be used on ints, uints, and doubles', value);
  return special(number) ?? number.toExponential(digits).replace(/e([+-])(\d)$/, 'e$10$2');
}

const inBase = (value: unknown, base: number): string | undefined => {
  if (isInt(value)) return amountOf(value).toString(base);
  return value instanceof Uint ? value.value.toString(base) : undefined;
};

function hex(value: unknown): string {
  if (typeof value === 'string') return Buffer.from(value, 'utf8').toString('hex');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return inBase(value, 16) ?? fail('only ints, uints, bytes, and strings can be formatted as hex', value);
}

const binary = (value: unknown): string =>
  typeof value === 'boolean'
    ? String(Number(value))
    : (inBase(value, 2) ?? fail('only ints, uints, and bools can be formatted as binary', value));

const octal = (value: unknown): string =>
  inBase(value, 8) ?? fail('octal clause can only be used on ints and uints', value);

function plain(value: unknown, meter: Meter, depth: number): string {
  meter.spend(20);
  if (depth > DEEPEST) return fail('value is nested too deep', value);
  if (typeof value === 'string') return value;
  if (value === null || typeof value === 'boolean') return String(value);
  if (isInt(value) || value instanceof Uint || value instanceof Double) return decimal(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof Duration) return durationText(value);
  if (value instanceof TypeValue) return value.name;
  const inner = (part: unknown): string => plain(part, meter, depth + 1);
  if (Array.isArray(value)) return `[${value.map(inner).join(', ')}]`;
  if (isMap(value)) {
    const keys = keysOf(value);
    // They are listed and sorted.
    meter.spend(2 * KEY_UNITS * keys.length);
    const entries = keys.map((key) => [inner(key), inner(lookUp(value, key))] as const);
    const sorted = entries.sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
    return `{${sorted.map(([key, text]) => `${key}: ${text}`).join(', ')}}`;
  }
  return fail(
    'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
    value,
  );
}

const CLAUSES: Readonly<Record<string, Writer>> = {
  s: (value, _, meter) => plain(value, meter, 0),
  d: decimal,
  f: fixed,
  e: scientific,
  x: hex,
  X: (value) => hex(value).toUpperCase(),
  b: binary,
  o: octal,
};
