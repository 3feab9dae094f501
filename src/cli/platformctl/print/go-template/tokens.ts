/** A template that cannot be read, or that does not fit what it is given. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

/** A piece of a template: text outside of actions, or a word of one. */
export type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open' | 'close' | 'space'; readonly line: number }
  | { readonly kind: 'field' | 'variable' | 'word' | 'sign'; readonly text: string; readonly line: number }
  | { readonly kind: 'value'; readonly value: string | number; readonly line: number };

const WORD = /[\p{L}\p{Nd}_]+/uy;
const NUMBER = /[-+]?(0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(\d[\d_]*(\.\d*)?|\.\d+)([eE][-+]?\d+)?)/y;
const SIGNS = [':=', '|', '(', ')', ',', '='];

/** The tokens of a template in order. */
export function tokensOf(template: string): Token[] {
  return new Scanner(template).scan();
}

class Scanner {
  readonly #text: string;
  readonly #tokens: Token[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): Token[] {
    let trimsNext = false;
    while (this.#at < this.#text.length) {
      const open = this.#text.indexOf('{{', this.#at);
      const text = this.#text.slice(this.#at, open < 0 ? undefined : open);
      const trimsBefore = open >= 0 && /^-\s/.test(this.#text.slice(open + 2, open + 4));
      this.#pushText(text, trimsNext, trimsBefore);
      if (open < 0) break;
      this.#at = open + 2 + (trimsBefore ? 1 : 0);
      trimsNext = this.#action();
    }
    return this.#tokens;
  }

  #pushText(text: string, trimsStart: boolean, trimsEnd: boolean): void {
    const started = trimsStart ? text.trimStart() : text;
    const trimmed = trimsEnd ? started.trimEnd() : started;
    if (trimmed !== '') this.#tokens.push({ kind: 'text', text: trimmed });
  }

  get #line(): number {
    return this.#text.slice(0, this.#at).split('\n').length;
  }

  #error(problem: string): TemplateError {
    return new TemplateError(`template: output:${this.#line}: ${problem}`);
  }

  /** Reads an action to its end; whether space after it is trimmed. */
  #action(): boolean {
    const comment = /^\s*\/\*[\s\S]*?\*\/\s?(-?)\}\}/.exec(this.#text.slice(this.#at));
    if (comment) {
      this.#at += comment[0].length;
      return comment[1] === '-';
    }
    this.#tokens.push({ kind: 'open', line: this.#line });
    for (;;) {
      const [trimming] = /^\s+-\}\}/.exec(this.#text.slice(this.#at, this.#at + 64)) ?? [];
      if (trimming !== undefined || this.#text.startsWith('}}', this.#at)) {
        this.#at += trimming?.length ?? 2;
        this.#tokens.push({ kind: 'close', line: this.#line });
        return trimming !== undefined;
      }
      this.#token();
    }
  }

  #token(): void {
    const line = this.#line;
    const next = this.#text.charAt(this.#at);
    if (next === '') throw this.#error('unclosed action');
    if (/\s/.test(next)) {
      this.#at++;
      if (this.#tokens.at(-1)?.kind !== 'space') this.#tokens.push({ kind: 'space', line });
      return;
    }
    if (next === '"' || next === '`' || next === "'") {
      this.#tokens.push({ kind: 'value', value: this.#quoted(next), line });
      return;
    }
    const number = /[-+\d.]/.test(next) ? this.#match(NUMBER) : undefined;
    if (number !== undefined) {
      this.#tokens.push({ kind: 'value', value: numberIn(number), line });
      return;
    }
    this.#name(next, line);
  }

  #name(next: string, line: number): void {
    if (next === '.' || next === '$') {
      this.#at++;
      const name = this.#match(WORD) ?? '';
      this.#tokens.push({ kind: next === '.' ? 'field' : 'variable', text: next + name, line });
      return;
    }
    const word = this.#match(WORD);
    if (word !== undefined) {
      this.#tokens.push({ kind: 'word', text: word, line });
      return;
    }
    const sign = SIGNS.find((one) => this.#text.startsWith(one, this.#at));
    if (sign === undefined) throw this.#error(`unexpected ${JSON.stringify(next)} in command`);
    this.#at += sign.length;
    this.#tokens.push({ kind: 'sign', text: sign, line });
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  /** A text in quotes, or the number of a character. */
  #quoted(quote: string): string | number {
    let end = this.#at + 1;
    for (; this.#text.charAt(end) !== quote; end++) {
      const next = this.#text.charAt(end);
      if (next === '' || (next === '\n' && quote !== '`')) throw this.#error('unterminated quoted string');
      if (next === '\\' && quote !== '`') end++;
    }
    const inside = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    if (quote === '`') return inside;
    const text = unescaped(inside);
    return quote === "'" ? (text.codePointAt(0) ?? 0) : text;
  }
}

const numberIn = (text: string): number => {
  const digits = text.replaceAll('_', '').replace(/^[-+]/, '');
  return (text.startsWith('-') ? -1 : 1) * Number(/^0[0-7]+$/.test(digits) ? `0o${digits}` : digits);
};

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' };

const unescaped = (text: string): string =>
  text.replaceAll(/\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2}|[0-7]{3}|.)/gs, (_, code: string) => {
    if (/^[0-7]{3}$/.test(code)) return String.fromCodePoint(Number.parseInt(code, 8));
    return code.length > 1 ? String.fromCodePoint(Number.parseInt(code.slice(1), 16)) : (ESCAPES[code] ?? code);
  });
