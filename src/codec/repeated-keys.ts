import { setOwn } from '../schema/json-object.ts';
import { pathText } from '../schema/path.ts';
import { stringEnd } from './json-text.ts';

/** A document some of whose objects have a key more than once. */
export interface RepeatedKeys {
  /** Where, in the order of the text; each place once. Where there are very many, the first of them. */
  readonly paths: readonly string[];
  /** The document with what is said twice put together: maps and structs merge, of anything else the last one counts. */
  readonly merged: unknown;
}

const MOST_PATHS = 1000;

/** Reads JSON, which must be valid and must not nest too deeply. Far slower than `JSON.parse`. */
export const readRepeatedKeys = (text: string): RepeatedKeys => {
  const reader = new Reader(text);
  const merged = reader.value();
  return { paths: [...reader.repeated], merged };
};

type JsonObject = { [key: string]: unknown };

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

class Reader {
  readonly repeated = new Set<string>();
  private readonly text: string;
  private readonly path: (string | number)[] = [];
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  value(): unknown {
    const first = this.peek();
    if (first === '{') return this.object();
    if (first === '[') return this.list();
    const start = this.at;
    this.at = first === '"' ? stringEnd(this.text, start) : this.literalEnd();
    return JSON.parse(this.text.slice(start, this.at));
  }

  private object(): JsonObject {
    const result: JsonObject = {};
    this.at++;
    while (this.peek() !== '}') {
      const key = String(this.value());
      this.pass(':');
      this.path.push(key);
      const value = this.value();
      const held = Object.hasOwn(result, key);
      if (held) this.note();
      setOwn(result, key, held ? merge(result[key], value) : value);
      this.path.pop();
      this.pass(',');
    }
    this.at++;
    return result;
  }

  private list(): unknown[] {
    const result: unknown[] = [];
    this.at++;
    while (this.peek() !== ']') {
      this.path.push(result.length);
      result.push(this.value());
      this.path.pop();
      this.pass(',');
    }
    this.at++;
    return result;
  }

  /** The next character that is no space; '' at the end. */
  private peek(): string {
    while (' \t\r\n'.includes(this.text.charAt(this.at)) && this.at < this.text.length) this.at++;
    return this.text.charAt(this.at);
  }

  /** Goes past this character if it is the next. */
  private pass(character: string): void {
    if (this.peek() === character) this.at++;
  }

  private literalEnd(): number {
    let at = this.at;
    while (at < this.text.length && !' \t\r\n,:]}'.includes(this.text.charAt(at))) at++;
    return at;
  }

  private note(): void {
    if (this.repeated.size < MOST_PATHS) this.repeated.add(pathText(this.path));
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
