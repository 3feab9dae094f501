import { type Meter, TEXT_UNITS, textUnits } from '../values/meter.ts';
import type { Int } from '../values/numbers.ts';
import { codePointCount, hasSurrogates, unitOffset } from '../values/text.ts';
import { Failure } from '../values/values.ts';
import { formatText } from './format-text.ts';
import { bool, dyn, global, int, type Library, list, member, text, texts } from './signature.ts';

const traversal = (size: number): number => Math.ceil(size * TEXT_UNITS);
const twice = (size: number): number => Math.ceil(2 * size * TEXT_UNITS);
/** Each call takes this at least, whatever the sizes. */
const CHANGE = 10;
const same = {
  units: (size: number) => CHANGE + traversal(size),
  estimate: traversal,
  resultSize: (size: number) => size,
};
/** Looking for one text in another may take as long as the product of their sizes. */
const search = (size: number, part: number): number => traversal(size) * traversal(part);
const searching = {
  units: (size: number, part: number) => 3 + Math.ceil(size / 2) + search(size, part),
  estimate: traversal,
};
const outOfRange = (index: Int): Failure => new Failure(`index out of range: ${index}`);

const offsetOf = (value: string, index: Int): number | undefined =>
  typeof index === 'number' ? unitOffset(value, index) : undefined;

function charAt(value: string, index: Int): unknown {
  const at = offsetOf(value, index);
  if (at === undefined) return outOfRange(index);
  return at === value.length ? '' : String.fromCodePoint(value.codePointAt(at) ?? 0);
}

const pointIndex = (value: string, at: number): number =>
  at > 0 && hasSurrogates(value) ? codePointCount(value.slice(0, at)) : at;

function indexOf(value: string, part: string, from: Int): unknown {
  if (part === '') return from;
  const at = offsetOf(value, from);
  return at === undefined ? outOfRange(from) : pointIndex(value, value.indexOf(part, at));
}

function lastIndexOf(value: string, part: string, from: Int | undefined): unknown {
  if (from === undefined) return part === '' ? codePointCount(value) : pointIndex(value, value.lastIndexOf(part));
  if (part === '') return from;
  const at = offsetOf(value, from);
  return at === undefined ? outOfRange(from) : pointIndex(value, value.lastIndexOf(part, at));
}

function substring(value: string, from: Int, to: Int | undefined): unknown {
  const start = offsetOf(value, from);
  if (start === undefined) return outOfRange(from);
  if (to === undefined) return value.slice(start);
  const end = offsetOf(value, to);
  if (end === undefined) return outOfRange(to);
  return end < start ? new Failure(`invalid substring range. start: ${from}, end: ${to}`) : value.slice(start, end);
}

const isAscii = (value: string): boolean => !/\P{ASCII}/u.test(value);
const lower = (value: string): string =>
  isAscii(value) ? value.toLowerCase() : value.replace(/[A-Z]+/g, (part) => part.toLowerCase());
const upper = (value: string): string =>
  isAscii(value) ? value.toUpperCase() : value.replace(/[a-z]+/g, (part) => part.toUpperCase());

/** White space of Unicode, to which the byte order mark of JS does not belong while the next line does. */
const isSpace = (code: number): boolean =>
  code === 32 ||
  (code >= 9 && code <= 13) ||
  code === 0x85 ||
  code === 0xa0 ||
  code === 0x1680 ||
  (code >= 0x2000 && code <= 0x200a) ||
  code === 0x2028 ||
  code === 0x2029 ||
  code === 0x202f ||
  code === 0x205f ||
  code === 0x3000;

function trim(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && isSpace(value.charCodeAt(start))) start++;
  while (end > start && isSpace(value.charCodeAt(end - 1))) end--;
  return value.slice(start, end);
}

/** Each of the first `limit` occurrences, or all of them below zero. */
function replace(meter: Meter, value: string, part: string, by: string, limit: number): string {
  if (limit === 0) return value;
  meter.spend(part === '' ? 6 * value.length : Math.ceil((2 * value.length) / part.length));
  const pieces = part === '' ? betweenCharacters(value) : value.split(part);
  const kept = limit < 0 || limit >= pieces.length - 1 ? pieces.length - 1 : limit;
  meter.spend(pieces.length + textUnits(value.length + kept * by.length));
  if (kept === pieces.length - 1) return pieces.join(by);
  return [pieces.slice(0, kept).join(by), pieces.slice(kept).join(part)].join(by);
}

/** An empty text is found before each character and at the end. */
const betweenCharacters = (value: string): string[] => ['', ...value, ''];

function split(value: string, separator: string, limit: number): readonly string[] {
  if (limit === 0) return [];
  const pieces = separator === '' ? [...value] : value.split(separator);
  if (limit < 0 || pieces.length <= limit) return pieces;
  return [...pieces.slice(0, limit - 1), pieces.slice(limit - 1).join(separator)];
}

const isText = (item: unknown): item is string => typeof item === 'string';

function join(meter: Meter, items: readonly unknown[], separator: string): unknown {
  if (!items.every(isText)) return new Failure('no such overload');
  const joined = items.join(separator);
  meter.spend(items.length + twice(joined.length));
  return joined;
}

const QUOTES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};
const quote = (value: string): string => `"${Array.from(value, (letter) => QUOTES[letter] ?? letter).join('')}"`;

const limitOf = (limit: Int): number => (typeof limit === 'number' ? limit : -1);
const replacedSize = (size: number, _: number, by: number): number => size + (size + 1) * by;
const replacing = {
  units: (size: number, part: number) => 2 * CHANGE + twice(size) + search(size, part),
  estimate: twice,
  resultSize: replacedSize,
};
const splitting = {
  units: (size: number, part: number) => CHANGE + 2 * size + search(size, part),
  estimate: twice,
  resultSize: (size: number) => size,
};
const joining = { units: () => 1, resultSize: (items: number, separator: number) => items * (64 + separator) };

export const strings: Library = {
  contains: [
    member([text, text], bool, (_, a, b) => a.includes(b), {
      units: searching.units,
      estimate: search,
    }),
  ],
  startsWith: [member([text, text], bool, (_, a, b) => a.startsWith(b), { units: (_, b) => traversal(b) })],
  endsWith: [member([text, text], bool, (_, a, b) => a.endsWith(b), { units: (_, b) => traversal(b) })],
  charAt: [
    member([text, int], text, (_, a, at) => charAt(a, at), {
      units: traversal,
      estimate: () => 1,
      resultSize: () => 2,
    }),
  ],
  indexOf: [
    member([text, text], int, (_, a, b) => indexOf(a, b, 0), searching),
    member([text, text, int], int, (_, a, b, from) => indexOf(a, b, from), searching),
  ],
  lastIndexOf: [
    member([text, text], int, (_, a, b) => lastIndexOf(a, b, undefined), searching),
    member([text, text, int], int, (_, a, b, from) => lastIndexOf(a, b, from), searching),
  ],
  lowerAscii: [member([text], text, (_, a) => lower(a), same)],
  upperAscii: [member([text], text, (_, a) => upper(a), same)],
  trim: [member([text], text, (_, a) => trim(a), same)],
  substring: [
    member([text, int], text, (_, a, from) => substring(a, from, undefined), same),
    member([text, int, int], text, (_, a, from, to) => substring(a, from, to), same),
  ],
  replace: [
    member([text, text, text], text, (meter, a, part, by) => replace(meter, a, part, by, -1), replacing),
    member(
      [text, text, text, int],
      text,
      (meter, a, part, by, limit) => replace(meter, a, part, by, limitOf(limit)),
      replacing,
    ),
  ],
  split: [
    member([text, text], texts, (_, a, by) => split(a, by, -1), splitting),
    member([text, text, int], texts, (_, a, by, limit) => split(a, by, limitOf(limit)), splitting),
  ],
  join: [
    member([list(text)], text, (meter, items) => join(meter, items, ''), joining),
    member([list(text), text], text, (meter, items, by) => join(meter, items, by), joining),
  ],
  reverse: [
    member([text], text, (_, a) => [...a].reverse().join(''), {
      units: (size) => 1 + 2 * size,
      estimate: traversal,
      resultSize: (size) => size,
    }),
  ],
  format: [
    member([text, list(dyn)], text, formatText, {
      units: (a, b) => 1 + traversal(a) + b,
      resultSize: (a, b) => a + 100 * b,
    }),
  ],
  'strings.quote': [
    global([text], text, (_, a) => quote(a), {
      units: (size) => 3 * CHANGE + 6 * size,
      estimate: traversal,
      resultSize: (size) => 2 * size + 2,
    }),
  ],
};
