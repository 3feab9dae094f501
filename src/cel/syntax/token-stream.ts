import type { Issue } from './issue.ts';
import type { Token } from './lexer.ts';

/** Ends parsing at the first syntax error. */
export class Stop {}

/** The tokens of an expression, from where the parser is. The last one says that it is the end. */
export class TokenStream {
  readonly #tokens: readonly Token[];
  readonly #issues: Issue[];
  #at = 0;

  constructor(tokens: readonly Token[], issues: Issue[]) {
    this.#tokens = tokens;
    this.#issues = issues;
  }

  get token(): Token {
    const token = this.#tokens[this.#at] ?? this.#tokens.at(-1);
    if (!token) throw new Stop();
    return token;
  }

  /** The token that was taken last. */
  get previous(): Token | undefined {
    return this.#tokens[this.#at - 1];
  }

  isLast(): boolean {
    return this.#tokens[this.#at + 1]?.kind === 'end';
  }

  advance(): Token {
    const { token } = this;
    this.#at++;
    return token;
  }

  sees(symbol: string): boolean {
    const { kind, text } = this.token;
    return kind === 'symbol' && text === symbol;
  }

  /** Goes on behind the symbol if it is next. */
  take(symbol: string): boolean {
    if (!this.sees(symbol)) return false;
    this.#at++;
    return true;
  }

  demand(symbol: string): void {
    if (!this.take(symbol)) this.unexpected(this.token, `'${symbol}'`);
  }

  unexpected(token: Token, expected: string, how: 'mismatched' | 'extraneous' = 'mismatched'): never {
    return this.stop(token.at, `Syntax error: ${how} input '${token.text}' expecting ${expected}`);
  }

  stop(at: number, message: string): never {
    this.#issues.push({ at, message });
    throw new Stop();
  }
}
