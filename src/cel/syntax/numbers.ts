import { Double, toInt, toUint } from '../values/numbers.ts';

/** Few digits, which JS reads exactly. */
const SHORT = /^-?\d{1,15}$/;

/** The value of a number as it is written, sign included; undefined when it does not fit its type. */
export function readNumber(kind: 'int' | 'uint' | 'double', text: string): unknown {
  if (kind === 'double') {
    const value = Number(text);
    return Number.isFinite(value) ? new Double(value) : undefined;
  }
  if (kind === 'int' && SHORT.test(text)) return Number(text) + 0;
  const isNegative = text.startsWith('-');
  const digits = text.replace(/[uU]$/, '').slice(isNegative ? 1 : 0);
  // Longer ones are out of range, and reading them takes more than linear time.
  if (digits.replace(/^0+/, '').length > 24) return undefined;
  const magnitude = BigInt(digits.toLowerCase());
  const amount = isNegative ? -magnitude : magnitude;
  return kind === 'int' ? toInt(amount) : toUint(amount);
}
