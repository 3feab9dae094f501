/**
 * Numbers. An int is a JS number while that is exact and a bigint beyond, so that integers of a document are ints as they
 * are; a double is boxed, so that the two can be told apart. A uint, which no document has, is boxed too.
 */

/** `number` within the safe range, `bigint` outside of it and never within. */
export type Int = number | bigint;

export class Double {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

export class Uint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

const INT_MIN = -(2n ** 63n);
const INT_MAX = 2n ** 63n - 1n;
const UINT_MAX = 2n ** 64n - 1n;

export const isInt = (value: unknown): value is Int => typeof value === 'number' || typeof value === 'bigint';

/** The int of this amount, or undefined when it has more than 64 bits. */
export function toInt(value: bigint): Int | undefined {
  if (value >= INT_MIN && value <= INT_MAX) {
    const small = Number(value);
    return Number.isSafeInteger(small) ? small : value;
  }
  return undefined;
}

export const toUint = (value: bigint): Uint | undefined =>
  value >= 0n && value <= UINT_MAX ? new Uint(value) : undefined;

/** The exact amount; a number of a document too large to be exact counts as what it was read as. */
export const amountOf = (value: Int): bigint => (typeof value === 'bigint' ? value : BigInt(Math.trunc(value)));

/** Of a double that has no fraction and fits 64 bits: anything else is undefined, NaN and infinities included. */
export function intOfDouble(value: number): Int | undefined {
  const whole = Math.trunc(value);
  // Both ends of the range are refused, as doubles next to them are not exact.
  if (!(whole > -(2 ** 63) && whole < 2 ** 63)) return undefined;
  return Number.isSafeInteger(whole) ? whole + 0 : BigInt(whole);
}

export function uintOfDouble(value: number): Uint | undefined {
  const whole = Math.trunc(value);
  return whole >= 0 && whole < 2 ** 64 ? new Uint(BigInt(whole)) : undefined;
}

/** A number of any kind as what JS can compare exactly with any other: bigint or number. */
export function comparable(value: unknown): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (value instanceof Double || value instanceof Uint) return value.value;
  return undefined;
}

/** How a double is written: the shortest text that is read back as the same. */
export function doubleText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  if (Object.is(value, -0)) return '-0';
  const magnitude = Math.abs(value);
  if (magnitude !== 0 && (magnitude < 1e-4 || magnitude >= 1e21)) {
    return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
  }
  return String(value);
}
