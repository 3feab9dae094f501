import { BoundedCache, textBytes } from '../bounds/bounded-cache.ts';

/**
 * Quantities: an exact decimal number with a unit. The canonical spelling has the largest unit of its family (decimal,
 * binary or exponent) that leaves no fraction, and no more than three digits after the point in all.
 */

const PATTERN = /^([+-]?)(\d+)?(?:\.(\d*))?(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]|[eE][+-]?\d+)?$/;

type Family = 'decimal' | 'binary' | 'exponent';

const DECIMAL_POWERS: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const BINARY_UNITS = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const NANO = 1_000_000_000n;
const KIBI = 1024n;

/** A parsed quantity in billionths, the smallest amount that is kept. */
export interface Quantity {
  readonly nanos: bigint;
  readonly family: Family;
}

/** No amount that can be kept needs more characters. */
const LONGEST = 64;
/** 2^63 - 1 in billionths: what is larger counts as this. */
const LARGEST = (2n ** 63n - 1n) * NANO;

/** Undefined when the text is no quantity. Anything finer than a billionth is rounded up, away from zero. */
export function parseQuantity(text: string): Quantity | undefined {
  if (text.length > LONGEST) return undefined;
  const known = amounts.get(text);
  if (known !== undefined) return known;
  const quantity = parsed(text);
  if (quantity) amounts.set(text, quantity);
  return quantity;
}

function parsed(text: string): Quantity | undefined {
  if (isPlainInteger(text)) return { nanos: BigInt(text) * NANO, family: 'decimal' };
  const parts = PATTERN.exec(text);
  if (!parts) return undefined;
  const [, sign, whole = '', fraction = '', suffix = ''] = parts;
  if (whole === '' && fraction === '') return undefined;
  const digits = BigInt(`${whole}${fraction}`);
  const magnitude = scale(digits, fraction.length, suffix);
  if (magnitude === undefined) return undefined;
  const nanos = atMost(LARGEST, magnitude);
  return { nanos: sign === '-' ? -nanos : nanos, family: familyOf(suffix) };
}

function familyOf(suffix: string): Family {
  if (BINARY_UNITS.includes(suffix) && suffix !== '') return 'binary';
  return DECIMAL_POWERS[suffix] === undefined ? 'exponent' : 'decimal';
}

function scale(digits: bigint, fractionDigits: number, suffix: string): bigint | undefined {
  const binary = BINARY_UNITS.indexOf(suffix);
  if (binary > 0) return divideUp(digits * KIBI ** BigInt(binary) * NANO, 10n ** BigInt(fractionDigits));
  const power = DECIMAL_POWERS[suffix] ?? Number(suffix.slice(1));
  const exponent = power + 9 - fractionDigits;
  if (Math.abs(exponent) > 1000) return undefined;
  return exponent >= 0 ? digits * 10n ** BigInt(exponent) : divideUp(digits, 10n ** BigInt(-exponent));
}

const atMost = (largest: bigint, amount: bigint): bigint => {
  if (amount > largest) return largest;
  return amount;
};

const divideUp = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;

/** The canonical spelling, or undefined when the text is no quantity. Common spellings return without arithmetic. */
export function canonicalQuantity(text: string): string | undefined {
  if (isPlainInteger(text)) return text;
  if (text.length > LONGEST) return undefined;
  const known = spellings.get(text);
  if (known !== undefined) return known;
  const quantity = parseQuantity(text);
  if (!quantity) return undefined;
  const spelling = formatQuantity(quantity);
  spellings.set(text, spelling);
  return spelling;
}

/** Amounts repeat: the same few limits stand in every pod, and each is asked for by several who count. */
const amounts = new BoundedCache<string, Quantity>({
  name: 'amounts',
  capacity: 512 << 10,
  sizeOf: (text) => textBytes(text) + QUANTITY_BYTES,
});

/** A number of at most 20 digits among it. */
const QUANTITY_BYTES = 96;

/** The same for their canonical spellings. */
const spellings = new BoundedCache<string, string>({
  name: 'quantities',
  capacity: 512 << 10,
  sizeOf: (text, spelling) => textBytes(text) + textBytes(spelling),
});

const MILLI = 1_000_000n;

/** The canonical spelling of an amount in whole thousandths: what is finer is rounded up, away from zero. */
export function canonicalAmount(text: string): string | undefined {
  const quantity = canonicalQuantity(text);
  return quantity && isFinerThanMilli(quantity) ? roundedToMilli(quantity) : quantity;
}

/** Of canonical spellings, only those with these endings can hold anything finer. */
function isFinerThanMilli(canonical: string): boolean {
  const last = canonical.charAt(canonical.length - 1);
  return last === 'n' || last === 'u' || canonical.endsWith('e-6') || canonical.endsWith('e-9');
}

function roundedToMilli(canonical: string): string | undefined {
  const quantity = parseQuantity(canonical);
  if (!quantity) return undefined;
  const { nanos, family } = quantity;
  const magnitude = divideUp(nanos < 0n ? -nanos : nanos, MILLI) * MILLI;
  return formatQuantity({ nanos: nanos < 0n ? -magnitude : magnitude, family });
}

/** At most three digits without a leading zero: already canonical. */
function isPlainInteger(text: string): boolean {
  if (text.length === 0 || text.length > 3) return false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 48 || code > 57) return false;
  }
  return text === '0' || text.charCodeAt(0) !== 48;
}

export function formatQuantity({ nanos, family }: Quantity): string {
  if (nanos === 0n) return '0';
  const negative = nanos < 0n;
  const magnitude = negative ? -nanos : nanos;
  const text =
    family === 'binary' ? (formatBinary(magnitude) ?? formatDecimal(magnitude)) : formatTens(magnitude, family);
  return negative ? `-${text}` : text;
}

/** Binary units only fit whole numbers of at least 1024; others fall back to decimal. */
function formatBinary(magnitude: bigint): string | undefined {
  if (magnitude % NANO !== 0n || magnitude < KIBI * NANO) return undefined;
  let value = magnitude / NANO;
  let unit = 0;
  while (value % KIBI === 0n && unit < BINARY_UNITS.length - 1) {
    value /= KIBI;
    unit++;
  }
  return `${value}${BINARY_UNITS[unit]}`;
}

const formatDecimal = (magnitude: bigint): string => formatTens(magnitude, 'decimal');

const UNIT_OF_POWER = new Map(Object.entries(DECIMAL_POWERS).map(([unit, power]) => [power, unit]));

function formatTens(magnitude: bigint, family: Family): string {
  let value = magnitude;
  let power = -9;
  while (value % 1000n === 0n && power < 18) {
    value /= 1000n;
    power += 3;
  }
  if (family === 'decimal') return `${value}${UNIT_OF_POWER.get(power)}`;
  return power === 0 ? `${value}` : `${value}e${power}`;
}

/** -1, 0 or 1. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  return a.nanos === b.nanos ? 0 : a.nanos < b.nanos ? -1 : 1;
}
