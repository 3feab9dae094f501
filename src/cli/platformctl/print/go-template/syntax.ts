import { TemplateError, type Token, tokensOf } from './tokens.ts';

/** What stands for a value. `fields` lead on from it. */
export interface Operand {
  readonly base:
    | { readonly kind: 'dot' }
    | { readonly kind: 'nil' }
    | { readonly kind: 'literal'; readonly value: string | number | boolean }
    | { readonly kind: 'variable'; readonly name: string }
    | { readonly kind: 'function'; readonly name: string }
    | { readonly kind: 'pipeline'; readonly pipeline: Pipeline };
  readonly fields: readonly string[];
}

/** Commands, each of which is given what the one before it came to. */
export interface Pipeline {
  readonly variables: readonly string[];
  /** Variables are there already, and are set. */
  readonly assigns: boolean;
  readonly commands: readonly (readonly Operand[])[];
}

export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'print'; readonly pipeline: Pipeline }
  | {
      readonly kind: 'if' | 'with' | 'range';
      readonly pipeline: Pipeline;
      readonly body: Body;
      readonly otherwise: Body;
    }
  | { readonly kind: 'template'; readonly name: string; readonly pipeline: Pipeline | undefined }
  | { readonly kind: 'break' | 'continue' };

export type Body = readonly Node[];

/** A template and those that it defines, by their names. */
export interface ParsedTemplate {
  readonly body: Body;
  readonly defined: ReadonlyMap<string, Body>;
}

const MOST_DEPTH = 200;

/** Throws a `TemplateError` where it is none. `functions` are those that may be called. */
export function parseGoTemplate(text: string, functions: ReadonlySet<string>): ParsedTemplate {
  return new Parser(tokensOf(text), functions).parse();
}

type End = 'end' | 'else' | 'eof';

class Parser {
  readonly #tokens: readonly Token[];
  readonly #functions: ReadonlySet<string>;
  readonly #defined = new Map<string, Body>();
  #variables: string[] = ['$'];
  #depth = 0;
  #at = 0;

  constructor(tokens: readonly Token[], functions: ReadonlySet<string>) {
    this.#tokens = tokens;
    this.#functions = functions;
  }

  parse(): ParsedTemplate {
    const { body, end } = this.#body();
    if (end !== 'eof') throw this.#error(`unexpected {{${end}}}`);
    return { body, defined: this.#defined };
  }

  #error(problem: string): TemplateError {
    const token = this.#tokens[Math.min(this.#at, this.#tokens.length - 1)];
    const line = token && 'line' in token ? token.line : 1;
    return new TemplateError(`template: output:${line}: ${problem}`);
  }

  #body(): { body: Node[]; end: End } {
    if (++this.#depth > MOST_DEPTH) throw this.#error(`more than ${MOST_DEPTH} blocks inside of each other`);
    const body: Node[] = [];
    const known = this.#variables.length;
    try {
      for (;;) {
        const token = this.#tokens[this.#at++];
        if (!token) return { body, end: 'eof' };
        if (token.kind === 'text') {
          body.push({ kind: 'text', text: token.text });
          continue;
        }
        this.#skipSpace();
        const word = this.#peekWord();
        if (word === 'end' || word === 'else') {
          this.#at++;
          if (word === 'end') this.#close('end');
          return { body, end: word };
        }
        body.push(...this.#action(word));
      }
    } finally {
      this.#depth--;
      this.#variables.length = known;
    }
  }

  #peekWord(): string {
    const token = this.#tokens[this.#at];
    return token?.kind === 'word' ? token.text : '';
  }

  #skipSpace(): void {
    while (this.#tokens[this.#at]?.kind === 'space') this.#at++;
  }

  #close(context: string): void {
    this.#skipSpace();
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'close') throw this.#error(`unexpected ${shown(token)} in ${context}`);
    this.#at++;
  }

  #action(word: string): Node[] {
    switch (word) {
      case 'if':
      case 'with':
      case 'range':
        this.#at++;
        return [this.#control(word)];
      case 'define':
        this.#at++;
        this.#define(this.#name('define clause'));
        return [];
      case 'block':
        this.#at++;
        return [this.#block()];
      case 'template':
        this.#at++;
        return [this.#template()];
      case 'break':
      case 'continue':
        this.#at++;
        this.#close(word);
        return [{ kind: word }];
      default: {
        const pipeline = this.#pipeline('command');
        this.#close('command');
        return [{ kind: 'print', pipeline }];
      }
    }
  }

  #control(kind: 'if' | 'with' | 'range'): Node {
    const known = this.#variables.length;
    const pipeline = this.#pipeline(kind);
    this.#close(kind);
    const { body, end } = this.#body();
    const otherwise = end === 'else' ? this.#otherwise() : [];
    if (end === 'eof') throw this.#error('unexpected EOF');
    this.#variables.length = known;
    return { kind, pipeline, body, otherwise };
  }

  /** `{{else}}`, or `{{else if …}}` and `{{else with …}}`, which share the end. */
  #otherwise(): Node[] {
    this.#skipSpace();
    const word = this.#peekWord();
    if (word === 'if' || word === 'with') {
      this.#at++;
      return [this.#control(word)];
    }
    this.#close('else');
    const { body, end } = this.#body();
    if (end !== 'end') throw this.#error(end === 'eof' ? 'unexpected EOF' : 'unexpected {{else}}');
    return body;
  }

  #name(context: string): string {
    this.#skipSpace();
    const token = this.#tokens[this.#at++];
    if (token?.kind !== 'value' || typeof token.value !== 'string') {
      this.#at--;
      throw this.#error(`unexpected ${shown(token)} in ${context}`);
    }
    return token.value;
  }

  #define(name: string): void {
    this.#close('define clause');
    const outer = this.#variables;
    this.#variables = ['$'];
    const { body, end } = this.#body();
    this.#variables = outer;
    if (end !== 'end') throw this.#error('unexpected EOF');
    this.#defined.set(name, body);
  }

  #block(): Node {
    const name = this.#name('block clause');
    const pipeline = this.#pipeline('block clause');
    this.#define(name);
    return { kind: 'template', name, pipeline };
  }

  #template(): Node {
    const name = this.#name('template clause');
    this.#skipSpace();
    const pipeline = this.#tokens[this.#at]?.kind === 'close' ? undefined : this.#pipeline('template clause');
    this.#close('template clause');
    return { kind: 'template', name, pipeline };
  }

  #pipeline(context: string): Pipeline {
    const { variables, assigns } = this.#declarations(context);
    const commands: (readonly Operand[])[] = [];
    do commands.push(this.#command(context));
    while (this.#sign('|'));
    if (commands.some((command) => command.length === 0)) throw this.#error(`missing value for ${context}`);
    if (!assigns) this.#variables.push(...variables);
    return { variables, assigns, commands };
  }

  #sign(text: string): boolean {
    this.#skipSpace();
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'sign' || token.text !== text) return false;
    this.#at++;
    return true;
  }

  /** `$a :=`, `$a =`, and `$i, $a :=` of ranges; nothing where no sign follows. */
  #declarations(context: string): { variables: string[]; assigns: boolean } {
    const start = this.#at;
    const variables: string[] = [];
    do {
      this.#skipSpace();
      const token = this.#tokens[this.#at];
      if (token?.kind !== 'variable') break;
      variables.push(token.text);
      this.#at++;
    } while (context === 'range' && variables.length < 2 && this.#sign(','));
    if (variables.length > 0 && this.#sign(':=')) return { variables, assigns: false };
    if (variables.length > 0 && this.#sign('=')) return { variables, assigns: true };
    this.#at = start;
    return { variables: [], assigns: false };
  }

  #command(context: string): Operand[] {
    const operands: Operand[] = [];
    for (;;) {
      this.#skipSpace();
      const token = this.#tokens[this.#at];
      if (!token || token.kind === 'close' || (token.kind === 'sign' && (token.text === '|' || token.text === ')'))) {
        return operands;
      }
      operands.push(this.#operand(token, context));
    }
  }

  #operand(token: Token, context: string): Operand {
    this.#at++;
    const base = this.#base(token, context);
    const fields = token.kind === 'field' && token.text !== '.' ? [token.text.slice(1)] : [];
    for (;;) {
      const next = this.#tokens[this.#at];
      if (next?.kind !== 'field' || next.text === '.') return { base, fields };
      fields.push(next.text.slice(1));
      this.#at++;
    }
  }

  #base(token: Token, context: string): Operand['base'] {
    if (token.kind === 'field') return { kind: 'dot' };
    if (token.kind === 'value') return { kind: 'literal', value: token.value };
    if (token.kind === 'variable') {
      if (!this.#variables.includes(token.text)) throw this.#error(`undefined variable "${token.text}"`);
      return { kind: 'variable', name: token.text };
    }
    if (token.kind === 'word') return this.#word(token.text);
    if (token.kind === 'sign' && token.text === '(') {
      if (++this.#depth > MOST_DEPTH) throw this.#error(`more than ${MOST_DEPTH} parentheses inside of each other`);
      const pipeline = this.#pipeline('parenthesized pipeline');
      this.#depth--;
      if (!this.#sign(')')) throw this.#error('unclosed left paren');
      return { kind: 'pipeline', pipeline };
    }
    throw this.#error(`unexpected ${shown(token)} in ${context}`);
  }

  #word(word: string): Operand['base'] {
    if (word === 'true' || word === 'false') return { kind: 'literal', value: word === 'true' };
    if (word === 'nil') return { kind: 'nil' };
    if (!this.#functions.has(word)) throw this.#error(`function "${word}" not defined`);
    return { kind: 'function', name: word };
  }
}

function shown(token: Token | undefined): string {
  if (!token) return 'EOF';
  if (token.kind === 'close') return '"}}"';
  if ('text' in token) return `"${token.text}"`;
  return 'value' in token ? JSON.stringify(token.value) : `"${token.kind}"`;
}
