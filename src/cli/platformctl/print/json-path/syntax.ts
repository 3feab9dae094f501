/**
 * Templates of paths, `{range .items[*]}{.metadata.name}{"\n"}{end}`, in the dialect that tools of this kind share. It
 * differs from the paths in definitions of columns, which have neither text nor ranges: `$` and `@` are the value at hand,
 * unions are made of whatever brackets may hold, and what is wrong has its own words.
 */
export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'wildcard' }
  | { readonly kind: 'recursive' }
  | { readonly kind: 'slice'; readonly slice: Slice }
  | { readonly kind: 'union'; readonly members: readonly (readonly Node[])[] }
  | {
      readonly kind: 'filter';
      readonly left: readonly Node[];
      readonly operator: string;
      readonly right: readonly Node[];
    }
  | { readonly kind: 'value'; readonly value: number | boolean }
  | { readonly kind: 'word'; readonly word: string };

export interface Slice {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly step: number | undefined;
  /** An index alone: `to` is the one after it. */
  readonly isIndex: boolean;
}

/** A part of a template: what one pair of braces holds, or the text outside. */
export type Block = readonly Node[];

/** A template that cannot be read, or values that it does not fit. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}

const FILTER = /^([^!<>=]+)([!<>=]+)(.+)$/s;
const SLICE = /^(-?\d*)(?::(-?\d*))?(?::(-?\d*))?$/;
const IS_ALPHANUMERIC = /[\p{L}\p{Nd}_]/u;
const IS_TERMINATOR = /[\s.,[\]$@{}]/;

/** The blocks of a template. */
export function parseTemplate(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('{', at);
    const end = open < 0 ? text.length : open;
    if (end > at) blocks.push([{ kind: 'text', text: text.slice(at, end) }]);
    if (open < 0) break;
    const reader = new ActionReader(text, open + 1);
    blocks.push(reader.nodes());
    at = reader.at;
  }
  return blocks;
}

/** What stands between braces. */
const parseAction = (text: string): Block => new ActionReader(`${text}}`, 0).nodes();

class ActionReader {
  readonly #text: string;
  at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  /** Up to the brace that closes, and past it. */
  nodes(): Node[] {
    const nodes: Node[] = [];
    for (;;) {
      const next = this.#text.charAt(this.at);
      if (next === '' || next === '\n' || next === '\r') throw new JsonPathError('unclosed action');
      if (next === '}') {
        this.at++;
        return nodes;
      }
      nodes.push(...this.#node(next, nodes.at(-1)));
    }
  }

  #node(next: string, last: Node | undefined): readonly Node[] {
    if (this.#text.startsWith('[?(', this.at)) return [this.#filter()];
    if (this.#text.startsWith('..', this.at)) return this.#recursive(last);
    if (next === '[') return this.#brackets();
    if (next === '"' || next === "'") return [{ kind: 'text', text: this.#quoted(next) }];
    if (next === ' ' || next === '@' || next === '$') {
      this.at++;
      return [];
    }
    if (next === '.') {
      this.at++;
      return [this.#field()];
    }
    if (/[-+\d]/.test(next)) return [this.#number()];
    if (IS_ALPHANUMERIC.test(next)) return [this.#word()];
    const code = (next.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    throw new JsonPathError(`unrecognized character in action: U+${code} '${next}'`);
  }

  #recursive(last: Node | undefined): readonly Node[] {
    if (last?.kind === 'recursive') throw new JsonPathError('invalid multiple recursive descent');
    this.at += 2;
    const node: Node = { kind: 'recursive' };
    return IS_ALPHANUMERIC.test(this.#text.charAt(this.at)) ? [node, this.#field()] : [node];
  }

  /** A name up to what ends it; a backslash keeps the next character in it. */
  #field(): Node {
    let name = '';
    while (this.at < this.#text.length && !IS_TERMINATOR.test(this.#text.charAt(this.at))) {
      if (this.#text.charAt(this.at) === '\\') this.at++;
      name += this.#text.charAt(this.at++);
    }
    return name === '*' ? { kind: 'wildcard' } : { kind: 'field', name };
  }

  #number(): Node {
    const [digits = ''] = /^[-+]?[\d.]*/.exec(this.#text.slice(this.at, this.at + 64)) ?? [];
    this.at += digits.length;
    if (!/^[-+]?(\d+(\.\d*)?|\.\d+)$/.test(digits)) throw new JsonPathError(`cannot parse number ${digits}`);
    return { kind: 'value', value: Number(digits) };
  }

  #word(): Node {
    const start = this.at;
    while (this.at < this.#text.length && !IS_TERMINATOR.test(this.#text.charAt(this.at))) this.at++;
    const word = this.#text.slice(start, this.at);
    return word === 'true' || word === 'false' ? { kind: 'value', value: word === 'true' } : { kind: 'word', word };
  }

  #quoted(quote: string): string {
    let end = this.at + 1;
    while (this.#text.charAt(end) !== quote || this.#text.charAt(end - 1) === '\\') {
      const next = this.#text.charAt(end++);
      if (next === '' || next === '\n') throw new JsonPathError('unterminated quoted string');
    }
    const inside = this.#text.slice(this.at + 1, end);
    this.at = end + 1;
    return unescaped(inside);
  }

  #brackets(): readonly Node[] {
    const end = this.#text.indexOf(']', this.at);
    const text = this.#text.slice(this.at + 1, end);
    if (end < 0 || text.includes('\n')) throw new JsonPathError('unterminated array');
    this.at = end + 1;
    const members = text.split(',');
    if (members.length === 1) return [...bracketed(text)];
    return [{ kind: 'union', members: members.map((member) => bracketed(member.trim())) }];
  }

  #filter(): Node {
    this.at += '[?('.length;
    const start = this.at;
    const end = this.#endOfFilter();
    if (this.#text.charAt(end + 1) !== ']') throw new JsonPathError('unclosed array expect ]');
    this.at = end + 2;
    const text = this.#text.slice(start, end);
    const [, left = '', operator = '', right = ''] = FILTER.exec(text) ?? [];
    if (operator === '') return { kind: 'filter', left: parseAction(text), operator: 'exists', right: [] };
    return { kind: 'filter', left: parseAction(left), operator, right: parseAction(right) };
  }

  /** The parenthesis that closes, which may stand in a quoted text too. */
  #endOfFilter(): number {
    let quote = '';
    let isClosed = false;
    for (let at = this.at; ; at++) {
      const next = this.#text.charAt(at);
      if (next === '' || next === '\n') throw new JsonPathError('unterminated filter');
      if (next === ')' && (quote === '' || isClosed)) return at;
      if (next !== '"' && next !== "'") continue;
      if (quote === '') quote = next;
      else if (next === quote && this.#text.charAt(at - 1) !== '\\') isClosed = true;
    }
  }
}

/** What one pair of brackets holds: `*`, `'name'`, `2`, `1:3`, `::2`. */
function bracketed(inside: string): Block {
  const text = inside === '*' ? ':' : inside;
  const [, name] = /^'([^']*)'$/.exec(text) ?? [];
  if (name !== undefined) return parseAction(`.${name}`);
  const parts = SLICE.exec(text);
  if (!parts) throw new JsonPathError(`invalid array index ${text}`);
  const [, first = '', second, third] = parts;
  const [from, to, step] = [first, second, third].map((digits) => {
    if (digits === undefined || digits === '') return undefined;
    if (digits === '-') throw new JsonPathError(`array index ${digits} is not a number`);
    return Number(digits);
  });
  const isIndex = second === undefined;
  return [{ kind: 'slice', slice: { from, to: isIndex ? (from ?? 0) + 1 : to, step, isIndex } }];
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' };

/** A text in quotes, with what backslashes mean in it. */
function unescaped(text: string): string {
  return text.replaceAll(/\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2}|.)/gs, (_, code: string) => {
    if (code.length > 1) return String.fromCodePoint(Number.parseInt(code.slice(1), 16));
    return ESCAPES[code] ?? code;
  });
}

const RELAXED = /^\{\.?([^{}]+)\}$|^\.?([^{}]+)$/;

/** A path as flags have it: with braces or without, with a dot in front or without. */
export function parseRelaxed(text: string): readonly Block[] {
  const [, inBraces, bare] = RELAXED.exec(text) ?? [];
  const path = inBraces ?? bare;
  if (path === undefined) {
    throw new JsonPathError(
      "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'",
    );
  }
  return parseTemplate(`{.${path}}`);
}
