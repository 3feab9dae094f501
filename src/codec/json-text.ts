import { OWN_ENTRY } from '../schema/document-limits.ts';

/** What the text of a JSON document shows before it is parsed. */
export interface Survey {
  /** How many keys its objects have in all, those that repeat included. */
  readonly keys: number;
  /** How many fields and list elements it has in all. */
  readonly values: number;
  /** How deep it nests. */
  readonly depth: number;
  /** The first number that parsing would change, if there is one. */
  readonly changedNumber: string | undefined;
}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];
const [ZERO, NINE] = [48, 57];
const POINT = 46;

/**
 * Goes over the text once, past what strings hold, and no further than to where it has more values or nests deeper than
 * asked for. Of text that is no JSON, the answer may be anything.
 */
export function survey(text: string, most: Pick<Survey, 'values' | 'depth'>): Survey {
  let [keys, values, depth, deepest, at] = [0, 0, 0, 0, 0];
  let changedNumber: string | undefined;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = stringEnd(text, at);
      continue;
    }
    if (code === COLON) keys++;
    else if (code === COMMA) {
      values++;
      if (values > most.values) break;
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      depth++;
      // What is in it is one more than the commas; empty ones are seen when they close.
      values++;
      if (depth > deepest) deepest = depth;
      if (depth > most.depth) break;
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      depth--;
      const before = text.charCodeAt(at - 1);
      if (before === OPEN_OBJECT || before === OPEN_LIST) values--;
    } else if (code >= ZERO && code <= NINE) {
      const end = numberEnd(text, at);
      if (end - at >= SHORTEST_CHANGED && changes(text.slice(at, end))) changedNumber ??= text.slice(at, end);
      at = end;
      continue;
    }
    at++;
  }
  return { keys, values, depth: deepest, changedNumber };
}

/** The position after a string that begins here. */
export function stringEnd(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at + 1;
  }
}

function numberEnd(text: string, start: number): number {
  let at = start + 1;
  for (const end = start + LONG_NUMBER; at < end; at++) if (!isNumeric(text.charCodeAt(at))) return at;
  NUMERIC.lastIndex = at;
  NUMERIC.test(text);
  return NUMERIC.lastIndex;
}

/** Of longer ones an expression finds the end, which takes a tenth of the time for each character, once it has begun. */
const LONG_NUMBER = 64;
const NUMERIC = /[-+.eE\d]*/y;

/** Digits, and what else a number has after its first: `+`, `-`, `.`, `e`, `E`. */
const isNumeric = (code: number): boolean =>
  (code >= ZERO && code <= NINE) || code === 43 || code === 45 || code === 46 || code === 69 || code === 101;

/** `1e309`: shorter ones are kept whatever they are. */
const SHORTEST_CHANGED = 5;
/** Digits that every number can have and be kept. */
const KEPT_DIGITS = 15;
/** The largest number that can be kept has so many; of longer ones, what is not zero must come early. */
const MOST_WHOLE_DIGITS = 309;

/** Whether a number without its sign is another one when it is parsed. That fractions lose digits is in their nature. */
export function changes(literal: string): boolean {
  if (literal.length <= KEPT_DIGITS && !/e/i.test(literal)) return false;
  const value = Number(literal);
  if (!Number.isFinite(value)) return true;
  if (value <= Number.MAX_SAFE_INTEGER) return false;
  if (literal.length <= MOST_WHOLE_DIGITS && /^\d+$/.test(literal)) return BigInt(value) !== BigInt(literal);
  return significantDigits(literal) > KEPT_DIGITS;
}

/** How many digits a number has between its first and its last that is not zero. */
function significantDigits(literal: string): number {
  let [digits, first, last] = [0, -1, -1];
  for (let at = 0; at < literal.length; at++) {
    const code = literal.charCodeAt(at);
    if (code < ZERO || code > NINE) {
      if (code === POINT) continue;
      break;
    }
    if (code !== ZERO) {
      if (first < 0) first = digits;
      last = digits;
    }
    digits++;
  }
  return first < 0 ? 0 : last - first + 1;
}

/**
 * Where in a text of JSON, which must not nest deeper than `deepest`, there is an object of more than `most` entries; those
 * that repeat count. Undefined when there is none.
 */
export function wideObject(text: string, most: number, deepest: number): (string | number)[] | undefined {
  // By level: what is a list, how many entries an object or whole items a list has so far, where its last key stands.
  const isList: boolean[] = new Array(deepest + 1).fill(false);
  const [entries, starts, ends] = [isList.map(() => 0), isList.map(() => 0), isList.map(() => 0)];
  let [depth, start, end] = [0, 0, 0];
  for (let at = 0; at < text.length && depth <= deepest; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      start = at;
      end = stringEnd(text, at);
      at = end - 1;
    } else if (code === COLON) {
      const count = (entries[depth] ?? 0) + 1;
      if (count > most + OWN_ENTRY) break;
      entries[depth] = count;
      starts[depth] = start;
      ends[depth] = end;
    } else if (code === COMMA && isList[depth]) entries[depth] = (entries[depth] ?? 0) + 1;
    else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      depth++;
      isList[depth] = code === OPEN_LIST;
      entries[depth] = 0;
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) depth--;
  }
  if (depth <= 0 || depth > deepest) return undefined;
  const around = Array.from({ length: depth - 1 }, (_, level) => level + 1);
  return around.map((level) =>
    isList[level] ? (entries[level] ?? 0) : text.slice((starts[level] ?? 0) + 1, (ends[level] ?? 0) - 1),
  );
}

/** How many keys the objects of a parsed document have in all. */
export function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') count += countKeys(item);
    return count;
  }
  for (const key in value) {
    count++;
    const inside: unknown = value[key as keyof typeof value];
    if (typeof inside === 'object') count += countKeys(inside);
  }
  return count;
}
