import type { Steps } from '../runtime/pacing.ts';
import { type JsonObject, setOwn } from '../schema/json-object.ts';
import { stringEnd } from './json-text.ts';

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

/** So many values, or characters, are parsed between two rests. */
const STEP_VALUES = 500;
const STEP_CHARACTERS = 64 * 1024;

/**
 * As `JSON.parse`, in steps, for texts of so many values that one call would hold others up. The text is gone over once;
 * what lies between two steps is parsed by the engine and put where it belongs. Slower than one call by a half.
 */
export const parseJsonInSteps = (text: string): Steps<unknown> => new SteppedParser(text).read();

/** An object or a list that is open where the parser is. */
interface Open {
  readonly isList: boolean;
  /** What has been read of it; undefined as long as nothing has, so that it can still be parsed as a whole. */
  value: JsonObject | unknown[] | undefined;
  /** From here on its members have not been read. */
  unread: number;
  /** Where the member begins that the parser is in. */
  member: number;
  /** Where the value of that member begins; of objects only. */
  memberValue: number;
  /** Whether the last member was read by itself, so that nothing need stand before the next comma. */
  isBehindChild: boolean;
}

class SteppedParser {
  readonly #text: string;
  readonly #open: Open[] = [];
  #result: unknown;

  constructor(text: string) {
    this.#text = text;
  }

  *read(): Steps<unknown> {
    const text = this.#text;
    const start = skipBlanks(text, 0);
    const first = text.charCodeAt(start);
    if (first !== OPEN_OBJECT && first !== OPEN_LIST) return JSON.parse(text);
    let [values, stepped] = [0, start];
    for (let at = start; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) at = stringEnd(text, at) - 1;
      else if (code === COLON) this.#innermost().memberValue = at + 1;
      else if (code === COMMA) {
        if (++values >= STEP_VALUES || at - stepped >= STEP_CHARACTERS) {
          this.#readUntil(at);
          [values, stepped] = [0, at];
          yield;
        }
        this.#innermost().member = at + 1;
      } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
        this.#open.push(opened(code === OPEN_LIST, at + 1));
      } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
        this.#close(code === CLOSE_LIST, at);
        if (this.#open.length === 0) return this.#end(start, at + 1);
      }
    }
    throw unexpectedEnd();
  }

  /** Everything before the comma, in all that is open. */
  #readUntil(comma: number): void {
    for (const [depth, open] of this.#open.entries()) {
      const value = makeValue(open);
      const child = this.#open[depth + 1];
      if (!child) {
        this.#take(open, comma);
        open.unread = comma + 1;
      } else if (child.value === undefined) {
        // The comma before the member that is open belongs to what is taken.
        if (open.member > open.unread) this.#take(open, open.member - 1);
        this.#attach(open, value, child);
      }
    }
  }

  /** Puts what is open, of which nothing has been read yet, into what is around it. */
  #attach(open: Open, value: JsonObject | unknown[], child: Open): void {
    const made = makeValue(child);
    const bracket = child.unread - 1;
    if (Array.isArray(value)) {
      expectBlank(this.#text, open.member, bracket);
      value.push(made);
      return;
    }
    const key: unknown = JSON.parse(this.#text.slice(open.member, open.memberValue - 1));
    if (typeof key !== 'string') throw new SyntaxError('a key is not a text');
    expectBlank(this.#text, open.memberValue, bracket);
    setOwn(value, key, made);
  }

  #close(isList: boolean, at: number): void {
    const inner = this.#innermost();
    if (inner.isList !== isList) throw new SyntaxError(`another bracket closes at ${at}`);
    this.#open.pop();
    if (inner.value === undefined) {
      if (this.#open.length === 0) this.#result = JSON.parse(this.#text.slice(inner.unread - 1, at + 1));
      return;
    }
    this.#take(inner, at);
    const around = this.#open.at(-1);
    if (around) [around.unread, around.isBehindChild] = [at + 1, true];
    else this.#result = inner.value;
  }

  /** The members that were not read yet, up to a comma or bracket. */
  #take(open: Open, end: number): void {
    const { isList, value, unread, isBehindChild } = open;
    const members = this.#text.slice(unread, end);
    open.isBehindChild = false;
    if (isBehindChild) {
      // Nothing, or a comma and more members.
      const comma = skipBlanks(members, 0);
      if (comma === members.length) return;
      if (members.charCodeAt(comma) !== COMMA) throw new SyntaxError(`no comma at ${unread + comma}`);
      this.#add(value, isList, members.slice(comma + 1));
    } else this.#add(value, isList, members);
  }

  #add(value: Open['value'], isList: boolean, members: string): void {
    const read: unknown = JSON.parse(isList ? `[${members}]` : `{${members}}`);
    let count = 0;
    if (Array.isArray(value) && Array.isArray(read)) {
      for (const item of read) value.push(item);
      count = read.length;
    } else {
      for (const [key, item] of Object.entries(read as JsonObject)) {
        setOwn(value as JsonObject, key, item);
        count++;
      }
    }
    if (count === 0) throw new SyntaxError('a comma without a member');
  }

  #end(start: number, end: number): unknown {
    expectBlank(this.#text, 0, start);
    expectBlank(this.#text, end, this.#text.length);
    return this.#result;
  }

  #innermost(): Open {
    const inner = this.#open.at(-1);
    if (!inner) throw unexpectedEnd();
    return inner;
  }
}

const opened = (isList: boolean, at: number): Open => ({
  isList,
  value: undefined,
  unread: at,
  member: at,
  memberValue: at,
  isBehindChild: false,
});

function makeValue(open: Open): JsonObject | unknown[] {
  open.value ??= open.isList ? [] : {};
  return open.value;
}

const isBlank = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (isBlank(text.charCodeAt(at))) at++;
  return at;
}

function expectBlank(text: string, from: number, to: number): void {
  if (skipBlanks(text, from) < to) throw new SyntaxError(`unexpected text at ${from}`);
}

const unexpectedEnd = (): SyntaxError => new SyntaxError('the text ends too soon');
