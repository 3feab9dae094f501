import type { Issue } from './issue.ts';
import { type Quoted, readQuoted } from './quoted.ts';

export type TokenKind = 'identifier' | 'escaped' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'symbol' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** As written; of literals in quotes, the value is in `quoted`. */
  readonly text: string;
  readonly at: number;
  readonly quoted?: Quoted;
}

const WORDS = new Set(['in', 'true', 'false', 'null']);
const DOUBLE_SYMBOLS = new Set(['==', '!=', '<=', '>=', '&&', '||']);
const SINGLE_SYMBOLS = new Set('?:<>+-*/%!.,()[]{}');

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isHexDigit = (code: number): boolean => isDigit(code) || ((code | 32) >= 97 && (code | 32) <= 102);
const isLetter = (code: number): boolean => ((code | 32) >= 97 && (code | 32) <= 122) || code === 95;
const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13 && code !== 11);
const isEscapedName = (code: number): boolean =>
  isLetter(code) || isDigit(code) || code === 46 || code === 45 || code === 47 || code === 32;

/** Cuts an expression into tokens, in one pass. What is no token is an issue, and left out. */
export class Lexer {
  readonly #source: string;
  readonly #issues: Issue[];
  readonly #tokens: Token[] = [];
  #at = 0;

  constructor(source: string, issues: Issue[]) {
    this.#source = source;
    this.#issues = issues;
  }

  tokens(): readonly Token[] {
    while (this.#at < this.#source.length) this.#next();
    this.#tokens.push({ kind: 'end', text: '<EOF>', at: this.#source.length });
    return this.#tokens;
  }

  #code(offset = 0): number {
    return this.#source.charCodeAt(this.#at + offset);
  }

  #next(): void {
    const code = this.#code();
    if (isSpace(code)) this.#at++;
    else if (code === 47 && this.#code(1) === 47) this.#comment();
    else if (isDigit(code) || (code === 46 && isDigit(this.#code(1)))) this.#number();
    else if (code === 34 || code === 39) this.#quoted(0);
    else if (isLetter(code)) this.#word();
    else if (code === 96) this.#escapedName();
    else this.#symbol();
  }

  #comment(): void {
    const end = this.#source.indexOf('\n', this.#at);
    this.#at = end < 0 ? this.#source.length : end;
  }

  #skip(is: (code: number) => boolean): void {
    while (this.#at < this.#source.length && is(this.#code())) this.#at++;
  }

  #push(kind: TokenKind, start: number): void {
    this.#tokens.push({ kind, text: this.#source.slice(start, this.#at), at: start });
  }

  #number(): void {
    const start = this.#at;
    if (this.#code() === 48 && (this.#code(1) | 32) === 120 && isHexDigit(this.#code(2))) {
      this.#at += 2;
      this.#skip(isHexDigit);
      this.#integer(start);
      return;
    }
    this.#skip(isDigit);
    let isDouble = false;
    if (this.#code() === 46 && isDigit(this.#code(1))) {
      isDouble = true;
      this.#at++;
      this.#skip(isDigit);
    }
    if ((this.#code() | 32) === 101) {
      const sign = this.#code(1) === 43 || this.#code(1) === 45 ? 1 : 0;
      if (isDigit(this.#code(1 + sign))) {
        isDouble = true;
        this.#at += 1 + sign;
        this.#skip(isDigit);
      }
    }
    if (isDouble) this.#push('double', start);
    else this.#integer(start);
  }

  #integer(start: number): void {
    const isUnsigned = (this.#code() | 32) === 117;
    if (isUnsigned) this.#at++;
    this.#push(isUnsigned ? 'uint' : 'int', start);
  }

  #word(): void {
    const start = this.#at;
    const prefix = this.#quotePrefix();
    if (prefix > 0) {
      this.#quoted(prefix);
      return;
    }
    this.#skip((code) => isLetter(code) || isDigit(code));
    this.#push(WORDS.has(this.#source.slice(start, this.#at)) ? 'symbol' : 'identifier', start);
  }

  /** How many letters stand before a quote: `r`, `b`, `br` or `rb` in either case. */
  #quotePrefix(): number {
    const isQuote = (code: number) => code === 34 || code === 39;
    const first = this.#code() | 32;
    if (first !== 98 && first !== 114) return 0;
    if (isQuote(this.#code(1))) return 1;
    const second = this.#code(1) | 32;
    return (second === 98 || second === 114) && second !== first && isQuote(this.#code(2)) ? 2 : 0;
  }

  #quoted(prefixLength: number): void {
    const start = this.#at;
    const quoted = readQuoted(this.#source, start, prefixLength);
    this.#at = quoted.end;
    if (quoted.isComplete) {
      if (quoted.problem !== undefined) this.#issues.push({ at: start, message: quoted.problem });
      const kind = quoted.isBytes ? 'bytes' : 'string';
      this.#tokens.push({ kind, text: this.#source.slice(start, quoted.end), at: start, quoted });
    } else this.#unrecognised(start);
  }

  #escapedName(): void {
    const start = this.#at++;
    this.#skip(isEscapedName);
    if (this.#code() !== 96 || this.#at === start + 1) {
      this.#at = Math.min(this.#at + 1, this.#source.length);
      this.#unrecognised(start);
      return;
    }
    this.#at++;
    this.#push('escaped', start);
  }

  #symbol(): void {
    const start = this.#at;
    if (DOUBLE_SYMBOLS.has(this.#source.slice(start, start + 2))) this.#at += 2;
    else this.#at += 1;
    if (this.#at === start + 2 || SINGLE_SYMBOLS.has(this.#source[start] ?? '')) {
      this.#push('symbol', start);
      return;
    }
    // A character may be two units; a single & or | is told with what follows it.
    const code = this.#source.codePointAt(start) ?? 0;
    this.#at = start + (code > 0xffff ? 2 : 1);
    if (code === 38 || code === 124 || code === 61) this.#at = Math.min(this.#at + 1, this.#source.length);
    this.#unrecognised(start);
  }

  #unrecognised(start: number): void {
    const text = this.#source.slice(start, this.#at);
    const shown = text.length > 100 ? `${text.slice(0, 100)}…` : text;
    this.#issues.push({ at: start, message: `Syntax error: token recognition error at: '${shown}'` });
  }
}
