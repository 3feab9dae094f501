import { badRequest } from '../api/errors.ts';

/** What a scalar of YAML is in JSON. */
export type ScalarValue = string | number | boolean | null;

/**
 * What a scalar without quotes is: YAML 1.1 as the clients of the original rely on. `y`, `n`, `on` and `off` are booleans,
 * `012` is 10; dates and `22:22` stay text.
 */
export function plainValue(text: string): ScalarValue {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  if (NOT_FINITE.test(text)) throw badRequest(`${text} is no number that can be kept`);
  return STARTS_NUMBER.test(text) ? (numberIn(text) ?? text) : text;
}

const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['true', 'True', 'TRUE', 'y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE', 'n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
]);

const NOT_FINITE = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const STARTS_NUMBER = /^[-+.0-9]/;
const WHOLE = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|([0-9]+))$/;
const FRACTIONAL = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

/** Digits may be grouped by underscores. Undefined: it is no number. */
function numberIn(text: string): number | undefined {
  const digits = text.replaceAll('_', '');
  const whole = WHOLE.exec(digits);
  if (whole) return wholeNumber(whole, text);
  if (!FRACTIONAL.test(digits)) return undefined;
  const value = Number(digits);
  if (!Number.isFinite(value)) throw tooLarge(text);
  return value;
}

/** No number that can be kept has more digits. */
const MOST_DIGITS = 1100;

function wholeNumber([all, sign, hex, binary, octal, decimal]: RegExpExecArray, text: string): number {
  if (all.length > MOST_DIGITS) throw tooLarge(text);
  const exact = BigInt(
    hex ? `0x${hex}` : binary ? `0b${binary}` : octal ? `0o${octal}` : (decimal ?? '').replace(/^0+(?=.)/, ''),
  );
  const value = Number(exact);
  if (!Number.isFinite(value) || BigInt(value) !== exact) throw tooLarge(text);
  return sign === '-' && value !== 0 ? -value : value;
}

const tooLarge = (text: string) => badRequest(`the number ${text.slice(0, 100)} is too large to be kept exactly`);

/** What a tag makes of a scalar, quoted or not. Tags that nobody knows make a text of it. */
export function taggedValue(tag: string, text: string): ScalarValue {
  const type = tag.startsWith(CORE) ? tag.slice(CORE.length) : '';
  if (type === 'binary') return textInBase64(text);
  const isOfType = TAGGED.get(type);
  if (!isOfType) return text;
  const value = plainValue(text);
  if (!isOfType(value)) throw notOfType(type, text);
  return value;
}

const CORE = 'tag:yaml.org,2002:';

const TAGGED: ReadonlyMap<string, (value: ScalarValue) => boolean> = new Map([
  ['int', (value: ScalarValue) => Number.isInteger(value)],
  ['float', (value: ScalarValue) => typeof value === 'number'],
  ['bool', (value: ScalarValue) => typeof value === 'boolean'],
  ['null', (value: ScalarValue) => value === null],
]);

function textInBase64(text: string): string {
  const letters = text.replaceAll(/\s/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(letters)) throw notOfType('binary', text);
  return Buffer.from(letters, 'base64').toString('utf8');
}

const notOfType = (type: string, text: string) =>
  badRequest(`the body is not valid YAML: ${JSON.stringify(text.slice(0, 100))} is no !!${type}`);
