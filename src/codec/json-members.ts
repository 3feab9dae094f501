import type { Steps } from '../runtime/pacing.ts';
import { stringEnd } from './json-text.ts';

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

/** After so many characters others may have their turn. */
const STEP = 64 * 1024;

/**
 * The members of the object that a JSON text is, each as text, in their order; of a name that repeats the last counts. What
 * members hold is not looked at: whoever parses them finds out what is wrong there. Throws when the text is no object.
 */
export function* membersOf(text: string): Steps<Map<string, string>> {
  const members = new Map<string, string>();
  let at = expect(text, 0, OPEN_OBJECT);
  if (text.charCodeAt(skipSpace(text, at)) === CLOSE_OBJECT) return members;
  let stepped = at;
  for (;;) {
    const start = skipSpace(text, at);
    if (text.charCodeAt(start) !== QUOTE) throw unexpected(start);
    const nameEnd = stringEnd(text, start);
    const valueStart = expect(text, nameEnd, COLON);
    const valueEnd = yield* endOfValue(text, valueStart);
    members.set(JSON.parse(text.slice(start, nameEnd)), text.slice(valueStart, valueEnd));
    at = valueEnd + 1;
    if (text.charCodeAt(valueEnd) === CLOSE_OBJECT) return members;
    if (text.charCodeAt(valueEnd) !== COMMA) throw unexpected(valueEnd);
    if (at - stepped > STEP) {
      stepped = at;
      yield;
    }
  }
}

/** Where a value ends: at the comma or bracket that follows it. */
function* endOfValue(text: string, start: number): Steps<number> {
  let depth = 0;
  let stepped = start;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at) - 1;
    else if (code === OPEN_OBJECT || code === OPEN_LIST) depth++;
    else if (depth === 0 && (code === COMMA || code === CLOSE_OBJECT || code === CLOSE_LIST)) return at;
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) depth--;
    if (at - stepped > STEP) {
      stepped = at;
      yield;
    }
  }
  throw unexpected(text.length);
}

/** Behind the character, which comes next. */
function expect(text: string, from: number, code: number): number {
  const at = skipSpace(text, from);
  if (text.charCodeAt(at) !== code) throw unexpected(at);
  return at + 1;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\n\r'.includes(text.charAt(at))) at++;
  return at;
}

const unexpected = (at: number): SyntaxError => new SyntaxError(`the text is no JSON object: see position ${at}`);
