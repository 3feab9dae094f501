/**
 * Which texts can stand in YAML as they are. Readers of YAML 1.1 take `yes`, `1e3`, `0x1` or `2026-01-01` for something
 * else than text, and indicators at some places for structure.
 */

const WORDS: ReadonlySet<string> = new Set(
  [
    ['', '~', 'null', 'Null', 'NULL'],
    ['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'],
    ['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'],
    ['.nan', '.NaN', '.NAN', '.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF', '-.inf', '-.Inf', '-.INF'],
  ].flat(),
);

const INTEGER = /^[-+]?(0|[1-9]\d*|0[0-7]+|0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)$/;
const FLOAT = /^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$/;
const SEXAGESIMAL = /^[-+]?\d[\d_]*(:[0-5]?\d)+(\.[\d_]*)?$/;
const TIME =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.\d+)?(?:Z|[-+]\d\d:\d\d))|(?: (\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.\d+)?))?$/;
/** No number is longer: longer texts are not looked at. */
const MOST_NUMBER_LENGTH = 400;

/** Whether a reader takes the bare text for text. */
export function readsAsText(text: string): boolean {
  if (WORDS.has(text)) return false;
  if (!/^[-+.\d]/.test(text) || text.length > MOST_NUMBER_LENGTH) return true;
  if (text.startsWith('.')) return !isFiniteFloat(text);
  if (isTime(text)) return false;
  const digits = text.replaceAll('_', '');
  return !(isSmallInteger(digits) || isFiniteFloat(digits) || SEXAGESIMAL.test(text));
}

/** Of 64 bits, with a sign or without; what is larger is no integer, though it may be a float. */
function isSmallInteger(digits: string): boolean {
  if (!INTEGER.test(digits)) return false;
  const magnitude = digits.replace(/^[-+]/, '');
  const octal = /^0[0-7]+$/.test(magnitude);
  const value = BigInt(octal ? `0o${magnitude}` : magnitude);
  return value < (digits.startsWith('-') ? 2n ** 63n + 1n : 2n ** 64n);
}

const isFiniteFloat = (digits: string): boolean => FLOAT.test(digits) && Number.isFinite(Number(digits));

/** A day that is in the calendar, alone or with a time of it. */
function isTime(text: string): boolean {
  const parts = TIME.exec(text);
  if (!parts) return false;
  const [year = 0, month = 0, day = 0, ...clock] = parts.slice(1).map((part) => Number(part ?? 0));
  const date = new Date(Date.UTC(year, month - 1, day));
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  const [hours = 0, minutes = 0, seconds = 0] = [0, 1, 2].map((at) => (clock[at] ?? 0) + (clock[at + 3] ?? 0));
  return isDay && hours < 24 && minutes < 60 && seconds < 60;
}

/** What styles a text can be written in. */
export interface ScalarAnalysis {
  readonly plain: boolean;
  readonly singleQuoted: boolean;
  readonly literal: boolean;
  readonly hasBreaks: boolean;
}

const FIRST_INDICATORS = /^[#,[\]{}&*!|>'"%@`]/;
/**
 * All but these are escaped, which needs double quotes. So are the two separators of Unicode, whose lines only some readers
 * take for lines.
 */
const UNPRINTABLE = /[^\n\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;

export const isPrintable = (character: string): boolean => !UNPRINTABLE.test(character);

/** Finds out how a text may be written. */
export function analyzeScalar(text: string): ScalarAnalysis {
  if (text === '') return { plain: true, singleQuoted: true, literal: false, hasBreaks: false };
  const hasBreaks = /[\n\r]/.test(text);
  const impossible = UNPRINTABLE.test(text) || text.includes(' \n');
  const breakThenSpace = text.includes('\n ');
  const atAnEnd = /^[ \n]|[ \n]$/.test(text);
  return {
    plain: !(impossible || hasBreaks || atAnEnd || hasIndicators(text)),
    singleQuoted: !(impossible || breakThenSpace),
    literal: !(impossible || text.endsWith(' ')),
    hasBreaks,
  };
}

/** Whether some part of the text is structure at its place. */
const hasIndicators = (text: string): boolean =>
  text.startsWith('---') ||
  text.startsWith('...') ||
  FIRST_INDICATORS.test(text) ||
  /^[?:-]([ \t]|$)/.test(text) ||
  /.:([ \t]|$)/.test(text) ||
  /[ \t]#/.test(text);
