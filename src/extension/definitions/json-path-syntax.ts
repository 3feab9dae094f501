/** Part of a path. */
export type Step =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'all' }
  | { readonly kind: 'descend' }
  | { readonly kind: 'slice'; readonly from?: number; readonly to?: number; readonly step: number }
  | { readonly kind: 'union'; readonly steps: readonly Step[] }
  | { readonly kind: 'filter'; readonly test: Test };

/** A value, or a path from the item at hand (`@`) or from the whole object (`$`). */
export type Operand = { readonly value: unknown } | { readonly from: '@' | '$'; readonly steps: readonly Step[] };

export interface Test {
  readonly left: Operand;
  readonly operator: 'exists' | '==' | '!=' | '<' | '<=' | '>' | '>=';
  readonly right?: Operand;
}

/** A text that is no path, and why. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}

const MOST_LENGTH = 4096;
const OPERATORS = ['==', '!=', '<=', '>=', '<', '>'] as const;

/** The steps of a path such as `.status.conditions[?(@.type=="Ready")].status`. Throws a `JsonPathError`. */
export function parseJsonPath(text: string): readonly Step[] {
  if (text.length > MOST_LENGTH) throw new JsonPathError(`a path has at most ${MOST_LENGTH} characters`);
  const reader = new PathReader(text);
  if (text.startsWith('$')) reader.at++;
  const steps = reader.steps();
  if (!reader.isDone) throw reader.error('is not part of a path');
  return steps;
}

class PathReader {
  readonly #text: string;
  at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isDone(): boolean {
    return this.at >= this.#text.length;
  }

  error(problem: string): JsonPathError {
    return new JsonPathError(`"${this.#text.slice(this.at, this.at + 20)}" at ${this.at} ${problem}`);
  }

  /** As many steps as there are, up to what is no step. */
  steps(): Step[] {
    const steps: Step[] = [];
    for (;;) {
      if (this.#skip('..')) steps.push({ kind: 'descend' }, ...(this.#peek() === '[' ? [] : [this.#named()]));
      else if (this.#skip('.')) {
        if (this.#peek() !== '[' && !this.isDone) steps.push(this.#named());
      } else if (this.#peek() === '[') steps.push(this.#bracket());
      else return steps;
    }
  }

  #peek(): string {
    return this.#text.charAt(this.at);
  }

  #skip(token: string): boolean {
    if (!this.#text.startsWith(token, this.at)) return false;
    this.at += token.length;
    return true;
  }

  #demand(token: string): void {
    if (!this.#skip(token)) throw this.error(`should begin with ${token}`);
  }

  #named(): Step {
    if (this.#skip('*')) return { kind: 'all' };
    let name = '';
    for (;;) {
      if (this.#skip('\\')) {
        name += this.#peek();
        this.at++;
      } else if (this.isDone || /[.[\]()=!<>,\s]/.test(this.#peek())) break;
      else {
        name += this.#peek();
        this.at++;
      }
    }
    if (name === '') throw this.error('should be the name of a field');
    return { kind: 'field', name };
  }

  #bracket(): Step {
    this.#demand('[');
    if (this.#skip('?(')) {
      const test = this.#test();
      this.#demand(')');
      this.#demand(']');
      return { kind: 'filter', test };
    }
    const steps = [this.#entry()];
    while (this.#skip(',')) steps.push(this.#entry());
    this.#demand(']');
    const [only] = steps;
    return steps.length === 1 && only ? only : { kind: 'union', steps };
  }

  #entry(): Step {
    this.#blanks();
    if (this.#skip('*')) return { kind: 'all' };
    if (this.#peek() === "'" || this.#peek() === '"') return { kind: 'field', name: this.#quoted() };
    const from = this.#integer();
    if (!this.#skip(':')) {
      if (from === undefined) throw this.error('should be an index, a name or *');
      return { kind: 'slice', from, ...(from === -1 ? {} : { to: from + 1 }), step: 1 };
    }
    const to = this.#integer();
    const step = this.#skip(':') ? (this.#integer() ?? 1) : 1;
    if (step < 1) throw this.error('follows a step that is not positive');
    return { kind: 'slice', ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }), step };
  }

  #integer(): number | undefined {
    const [digits] = /^-?\d{1,9}/.exec(this.#text.slice(this.at, this.at + 10)) ?? [];
    if (digits === undefined) return undefined;
    this.at += digits.length;
    return Number(digits);
  }

  #quoted(): string {
    const quote = this.#peek();
    const end = this.#text.indexOf(quote, this.at + 1);
    if (end < 0) throw this.error('has no closing quote');
    const name = this.#text.slice(this.at + 1, end);
    this.at = end + 1;
    return name;
  }

  #test(): Test {
    const left = this.#operand();
    this.#blanks();
    const operator = OPERATORS.find((one) => this.#skip(one));
    if (!operator) return { left, operator: 'exists' };
    const right = this.#operand();
    this.#blanks();
    return { left, operator, right };
  }

  #operand(): Operand {
    this.#blanks();
    if (this.#peek() === "'" || this.#peek() === '"') return { value: this.#quoted() };
    if (this.#skip('@')) return { from: '@', steps: this.steps() };
    if (this.#skip('$')) return { from: '$', steps: this.steps() };
    if (this.#peek() === '.') return { from: '@', steps: this.steps() };
    const [word] = /^[\w.+-]{1,40}/.exec(this.#text.slice(this.at, this.at + 40)) ?? [];
    if (word === undefined) throw this.error('should be a value or a path');
    this.at += word.length;
    return { value: literal(word) };
  }

  #blanks(): void {
    while (this.#peek() === ' ') this.at++;
  }
}

function literal(word: string): unknown {
  if (word === 'true' || word === 'false') return word === 'true';
  const number = Number(word);
  return Number.isNaN(number) ? word : number;
}
