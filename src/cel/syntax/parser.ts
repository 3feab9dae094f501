import type { Expression, ListLiteral, MapEntry, MessageField } from './ast.ts';
import type { Issue } from './issue.ts';
import { Lexer, type Token } from './lexer.ts';
import { expandMacro } from './macros.ts';
import { readNumber } from './numbers.ts';
import { Stop, TokenStream } from './token-stream.ts';

/** Code points of an expression, and levels of its tree: as much as the original takes. */
const LONGEST = 100_000;
const DEEPEST = 250;

const RESERVED = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);

/** Binary operators: how tightly they bind, and the function they call. Operators of one level group to the left. */
const OPERATORS: ReadonlyMap<string, { readonly level: number; readonly name: string }> = new Map([
  ['||', { level: 1, name: '_||_' }],
  ['&&', { level: 2, name: '_&&_' }],
  ...['<', '<=', '>=', '>', '==', '!='].map((text) => [text, { level: 3, name: `_${text}_` }] as const),
  ['in', { level: 3, name: '@in' }],
  ...['+', '-'].map((text) => [text, { level: 4, name: `_${text}_` }] as const),
  ...['*', '/', '%'].map((text) => [text, { level: 5, name: `_${text}_` }] as const),
]);
const TIGHTEST = 6;

const OPERAND = "'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES";
const EXPECTED_OPERAND = `{${OPERAND}, IDENTIFIER}`;

export type Parsed = { readonly expression: Expression } | { readonly issues: readonly Issue[] };

/** Reads an expression. Bounded in length and depth, linear in both. */
export function parse(source: string): Parsed {
  if (source.length > LONGEST) {
    const size = [...source].length;
    const message = `expression code point size exceeds limit: size: ${size}, limit ${LONGEST}`;
    if (size > LONGEST) return { issues: [{ at: 0, message }] };
  }
  const issues: Issue[] = [];
  const parser = new Parser(new TokenStream(new Lexer(source, issues).tokens(), issues));
  const expression = parser.whole();
  return expression && issues.length === 0 ? { expression } : { issues };
}

class Parser {
  readonly #tokens: TokenStream;
  #depth = 0;

  constructor(tokens: TokenStream) {
    this.#tokens = tokens;
  }

  whole(): Expression | undefined {
    try {
      const expression = this.#expression();
      if (this.#tokens.token.kind !== 'end')
        this.#tokens.unexpected(this.#tokens.token, '<EOF>', this.#tokens.isLast() ? 'extraneous' : 'mismatched');
      return expression;
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      return undefined;
    }
  }

  /** The height of a node over these parts, which is bounded. */
  #over(at: number, parts: readonly Expression[]): { readonly at: number; readonly height: number } {
    let height = 1;
    for (const part of parts) if (part.height >= height) height = part.height + 1;
    if (height > DEEPEST) this.#tooDeep(at);
    return { at, height };
  }

  #tooDeep(at: number): never {
    return this.#tokens.stop(at, `expression recursion limit exceeded: ${DEEPEST}`);
  }

  #expression(): Expression {
    if (++this.#depth > DEEPEST) this.#tooDeep(this.#tokens.token.at);
    const condition = this.#binary(1);
    const { at } = this.#tokens.token;
    if (!this.#tokens.take('?')) {
      this.#depth--;
      return condition;
    }
    const yes = this.#binary(1);
    this.#tokens.demand(':');
    const no = this.#expression();
    this.#depth--;
    return this.#call(at, '_?_:_', undefined, [condition, yes, no]);
  }

  #call(at: number, name: string, target: Expression | undefined, args: readonly Expression[]): Expression {
    const parts = target ? [target, ...args] : args;
    return { kind: 'call', name, target, args, ...this.#over(at, parts) };
  }

  #binary(level: number): Expression {
    if (level === TIGHTEST) return this.#unary();
    if (level <= 2) return this.#logical(level);
    let left = this.#binary(level + 1);
    for (;;) {
      const operator = this.#operator(level);
      if (operator === undefined) return left;
      const { at } = this.#tokens.advance();
      left = this.#call(at, operator, undefined, [left, this.#binary(level + 1)]);
    }
  }

  #operator(level: number): string | undefined {
    const { kind, text } = this.#tokens.token;
    if (kind !== 'symbol') return undefined;
    const operator = OPERATORS.get(text);
    return operator?.level === level ? operator.name : undefined;
  }

  /** Chains of `&&` and `||` may be long: they become a balanced tree, which means the same. */
  #logical(level: number): Expression {
    const terms = [this.#binary(level + 1)];
    const places: number[] = [];
    let name = '';
    for (let operator = this.#operator(level); operator !== undefined; operator = this.#operator(level)) {
      name = operator;
      places.push(this.#tokens.advance().at);
      terms.push(this.#binary(level + 1));
    }
    const balance = (from: number, to: number): Expression => {
      const only = terms[from];
      if (to - from === 1 && only) return only;
      const middle = Math.ceil((from + to) / 2);
      const args = [balance(from, middle), balance(middle, to)];
      return this.#call(places[middle - 1] ?? 0, name, undefined, args);
    };
    return balance(0, terms.length);
  }

  #unary(): Expression {
    const symbol = this.#tokens.token;
    const sign = this.#tokens.sees('!') ? '!' : this.#tokens.sees('-') ? '-' : undefined;
    if (sign === undefined) return this.#member(this.#primary());
    let count = 0;
    while (this.#tokens.take(sign)) count++;
    const { kind } = this.#tokens.token;
    const isNumber = kind === 'int' || kind === 'uint' || kind === 'double';
    if (sign === '-' && isNumber) {
      count--;
      const at = this.#tokens.previous?.at ?? symbol.at;
      const number = this.#number(kind, `-${this.#tokens.advance().text}`, at);
      const operand = this.#member(number);
      return count % 2 === 0 ? operand : this.#call(symbol.at, '-_', undefined, [operand]);
    }
    const operand = this.#tokens.sees('!') || this.#tokens.sees('-') ? this.#nested() : this.#member(this.#primary());
    return count % 2 === 0 ? operand : this.#call(symbol.at, `${sign}_`, undefined, [operand]);
  }

  #nested(): Expression {
    if (++this.#depth > DEEPEST) this.#tooDeep(this.#tokens.token.at);
    const operand = this.#unary();
    this.#depth--;
    return operand;
  }

  #number(kind: 'int' | 'uint' | 'double', text: string, at: number): Expression {
    const value = readNumber(kind, text);
    if (value === undefined) this.#tokens.stop(at, `invalid ${kind} literal`);
    return { kind: 'literal', type: kind, value, at, height: 1 };
  }

  #member(start: Expression): Expression {
    let operand = start;
    for (;;) {
      const { at } = this.#tokens.token;
      if (this.#tokens.take('.')) operand = this.#selection(operand, at);
      else if (this.#tokens.take('[')) operand = this.#index(operand, at);
      else if (this.#tokens.sees('{') && isMessageName(operand)) operand = this.#message(operand);
      else return operand;
    }
  }

  #selection(operand: Expression, at: number): Expression {
    const isOptional = this.#tokens.take('?');
    const name = this.#tokens.advance();
    if (name.kind !== 'identifier' && name.kind !== 'escaped') {
      if (name.kind === 'symbol' && /^[a-z]/.test(name.text)) this.#tokens.unexpected(name, 'IDENTIFIER');
      this.#tokens.stop(
        name.at,
        `Syntax error: no viable alternative at input '.${name.kind === 'end' ? '' : name.text}'`,
      );
    }
    const open = this.#tokens.token.at;
    if (name.kind === 'identifier' && !isOptional && this.#tokens.take('(')) {
      return this.#invocation(open, name.text, operand, this.#list(')'));
    }
    const field = name.kind === 'escaped' ? name.text.slice(1, -1) : name.text;
    return { kind: 'select', operand, field, isTest: false, isOptional, ...this.#over(at, [operand]) };
  }

  #invocation(at: number, name: string, target: Expression | undefined, args: readonly Expression[]): Expression {
    const measured = this.#over(at, target ? [target, ...args] : args);
    const call = { kind: 'call', name, target, args, ...measured } as const;
    const expanded = expandMacro(call);
    if (expanded === undefined) return call;
    if ('issue' in expanded) this.#tokens.stop(expanded.issue.at, expanded.issue.message);
    return expanded;
  }

  #index(operand: Expression, at: number): Expression {
    const isOptional = this.#tokens.take('?');
    const key = this.#expression();
    this.#tokens.demand(']');
    return this.#call(at, isOptional ? '_[?_]' : '_[_]', undefined, [operand, key]);
  }

  #list(close: string): readonly Expression[] {
    const items: Expression[] = [];
    if (this.#tokens.take(close)) return items;
    do items.push(this.#expression());
    while (this.#tokens.take(','));
    this.#tokens.demand(close);
    return items;
  }

  /** A name with braces after it. */
  #message(operand: Expression): Expression {
    const { at } = this.#tokens.advance();
    const fields: MessageField[] = [];
    while (!this.#tokens.sees('}')) {
      const isOptional = this.#tokens.take('?');
      const field = this.#tokens.advance();
      if (field.kind !== 'identifier' && field.kind !== 'escaped') this.#tokens.unexpected(field, FIELD_EXPECTED);
      this.#tokens.demand(':');
      const name = field.kind === 'escaped' ? field.text.slice(1, -1) : field.text;
      fields.push({ at: field.at, name, value: this.#expression(), isOptional });
      if (!this.#tokens.take(',')) break;
    }
    this.#tokens.demand('}');
    const values = fields.map(({ value }) => value);
    return { kind: 'message', name: messageName(operand) ?? '', fields, ...this.#over(at, values) };
  }

  #primary(): Expression {
    const token = this.#tokens.advance();
    switch (token.kind) {
      case 'identifier':
        return this.#named(token, '');
      case 'int':
      case 'uint':
      case 'double':
        return this.#number(token.kind, token.text, token.at);
      case 'string':
        return { kind: 'literal', type: 'string', value: token.quoted?.value, at: token.at, height: 1 };
      case 'bytes': {
        const value = Uint8Array.from(Buffer.from(token.quoted?.value ?? '', 'latin1'));
        return { kind: 'literal', type: 'bytes', value, at: token.at, height: 1 };
      }
      case 'symbol':
        return this.#fromSymbol(token);
      default:
        return this.#tokens.unexpected(token, EXPECTED_OPERAND);
    }
  }

  #named({ text, at }: Token, root: string): Expression {
    const open = this.#tokens.token.at;
    if (this.#tokens.take('(')) return this.#invocation(open, `${root}${text}`, undefined, this.#list(')'));
    if (RESERVED.has(text)) this.#tokens.stop(at, `reserved identifier: ${text}`);
    return { kind: 'identifier', name: `${root}${text}`, at, height: 1 };
  }

  #fromSymbol(token: Token): Expression {
    const { text, at } = token;
    if (text === '(') {
      const inner = this.#expression();
      this.#tokens.demand(')');
      return inner;
    }
    if (text === '[') return this.#listLiteral(at);
    if (text === '{') return this.#mapLiteral(at);
    if (text === '.' && this.#tokens.token.kind === 'identifier') return this.#named(this.#tokens.advance(), '.');
    if (text === 'true' || text === 'false') {
      return { kind: 'literal', type: 'bool', value: text === 'true', at, height: 1 };
    }
    if (text === 'null') return { kind: 'literal', type: 'null', value: null, at, height: 1 };
    return this.#tokens.unexpected(token, EXPECTED_OPERAND);
  }

  #listLiteral(at: number): Expression {
    const items: ListLiteral['items'][number][] = [];
    while (!this.#tokens.sees(']')) {
      const isOptional = this.#tokens.take('?');
      items.push({ value: this.#expression(), isOptional });
      if (!this.#tokens.take(',')) break;
    }
    this.#tokens.demand(']');
    return {
      kind: 'list',
      items,
      ...this.#over(
        at,
        items.map(({ value }) => value),
      ),
    };
  }

  #mapLiteral(at: number): Expression {
    const entries: MapEntry[] = [];
    while (!this.#tokens.sees('}')) {
      const isOptional = this.#tokens.take('?');
      const key = this.#expression();
      const colon = this.#tokens.token.at;
      this.#tokens.demand(':');
      entries.push({ at: colon, key, value: this.#expression(), isOptional });
      if (!this.#tokens.take(',')) break;
    }
    this.#tokens.demand('}');
    return {
      kind: 'map',
      entries,
      ...this.#over(
        at,
        entries.flatMap(({ key, value }) => [key, value]),
      ),
    };
  }
}

const FIELD_EXPECTED = "{'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}";

function messageName(operand: Expression): string | undefined {
  if (operand.kind === 'identifier') return operand.name;
  if (operand.kind !== 'select' || operand.isTest || operand.isOptional) return undefined;
  const before = messageName(operand.operand);
  return before === undefined ? undefined : `${before}.${operand.field}`;
}

const isMessageName = (operand: Expression): boolean => messageName(operand) !== undefined;
