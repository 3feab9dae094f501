import type { Steps } from '../runtime/pacing.ts';
import { isObject, setOwn } from '../schema/json-object.ts';
import { pathText } from '../schema/path.ts';
import { stringEnd } from './json-text.ts';

/** A document some of whose objects have a key more than once. */
export interface RepeatedKeys {
  /** Where, in the order of the text; each place once. Where there are very many, the first of them. */
  readonly paths: readonly string[];
  /** The document with what is said twice put together: maps and structs merge, of anything else the last one counts. */
  readonly merged: unknown;
}

/** How many characters the paths may have together. */
const ROOM_FOR_PATHS = 64 * 1024;

/** Reads JSON, which must be valid and must not nest too deeply, in steps. Far slower than `JSON.parse`. */
export function* readRepeatedKeys(text: string): Steps<RepeatedKeys> {
  const reader = new Reader(text);
  const merged = yield* reader.value();
  return { paths: [...reader.repeated], merged };
}

/** So many values are read between two rests. */
const STEP_VALUES = 500;

type JsonObject = { [key: string]: unknown };

const [TAB, NEWLINE, RETURN, SPACE, QUOTE, COMMA, COLON] = [9, 10, 13, 32, 34, 44, 58];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

class Reader {
  readonly repeated = new Set<string>();
  readonly #text: string;
  readonly #path: (string | number)[] = [];
  #at = 0;
  #room = ROOM_FOR_PATHS;
  #values = 0;

  constructor(text: string) {
    this.#text = text;
  }

  *value(): Steps<unknown> {
    const first = this.#peek();
    if (first === OPEN_OBJECT) return yield* this.#object();
    if (first === OPEN_LIST) return yield* this.#list();
    return this.#scalar(first);
  }

  /** What is in an object or a list. */
  *#inside(): Steps<unknown> {
    if (++this.#values % STEP_VALUES === 0) yield;
    const first = this.#peek();
    return first === OPEN_OBJECT || first === OPEN_LIST ? yield* this.value() : this.#scalar(first);
  }

  #scalar(first: number): unknown {
    if (first === QUOTE) return this.#string();
    const start = this.#at;
    this.#at = this.#literalEnd();
    return JSON.parse(this.#text.slice(start, this.#at));
  }

  /** Most strings mean what they are written as. */
  #string(): string {
    const start = this.#at;
    this.#at = stringEnd(this.#text, start);
    const inside = this.#text.slice(start + 1, this.#at - 1);
    return inside.includes('\\') ? JSON.parse(this.#text.slice(start, this.#at)) : inside;
  }

  *#object(): Steps<JsonObject> {
    const result: JsonObject = {};
    let noted: Set<string> | undefined;
    this.#at++;
    while (this.#peek() !== CLOSE_OBJECT) {
      const key = this.#string();
      this.#pass(COLON);
      this.#path.push(key);
      const value = yield* this.#inside();
      const held = Object.hasOwn(result, key);
      if (held && !noted?.has(key)) {
        noted ??= new Set();
        noted.add(key);
        this.#note();
      }
      setOwn(result, key, held ? merge(result[key], value) : value);
      this.#path.pop();
      this.#pass(COMMA);
    }
    this.#at++;
    return result;
  }

  *#list(): Steps<unknown[]> {
    const result: unknown[] = [];
    this.#at++;
    while (this.#peek() !== CLOSE_LIST) {
      this.#path.push(result.length);
      result.push(yield* this.#inside());
      this.#path.pop();
      this.#pass(COMMA);
    }
    this.#at++;
    return result;
  }

  /** The code of the next character that is no space; not a number at the end. */
  #peek(): number {
    for (; ; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== SPACE && code !== NEWLINE && code !== TAB && code !== RETURN) return code;
    }
  }

  /** Goes past this character if it is the next. */
  #pass(code: number): void {
    if (this.#peek() === code) this.#at++;
  }

  #literalEnd(): number {
    let at = this.#at;
    while (at < this.#text.length && !' \t\r\n,:]}'.includes(this.#text.charAt(at))) at++;
    return at;
  }

  /** Once for each key of an object: what is around it can have a long name. */
  #note(): void {
    if (this.#room <= 0) return;
    const path = pathText(this.#path);
    this.#room -= path.length + 1;
    this.repeated.add(path);
  }
}

/** Puts the later value into the earlier one: both are of this reader's making. */
function merge(earlier: unknown, later: unknown): unknown {
  if (!isObject(earlier) || !isObject(later)) return later;
  for (const key of Object.keys(later)) {
    setOwn(earlier, key, Object.hasOwn(earlier, key) ? merge(earlier[key], later[key]) : later[key]);
  }
  return earlier;
}
