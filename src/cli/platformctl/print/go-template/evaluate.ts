import { goText } from '../go-text.ts';
import { compareCodePoints } from '../json-text.ts';
import { FUNCTIONS, isTrue } from './functions.ts';
import type { Body, Node, Operand, ParsedTemplate, Pipeline } from './syntax.ts';
import { TemplateError } from './tokens.ts';

const MOST_STEPS = 10_000_000;
const MOST_CHARACTERS = 64 * 2 ** 20;
const MOST_DEPTH = 1000;

type Variable = { readonly name: string; value: unknown };
/** Why a body ended before its end. */
type Leaves = 'break' | 'continue' | undefined;

/** The text that a template makes of a value. */
export function evaluateGoTemplate(template: ParsedTemplate, data: unknown, allowMissing: boolean): string {
  return new Evaluation(template, allowMissing).run(data);
}

class Evaluation {
  readonly #template: ParsedTemplate;
  readonly #allowMissing: boolean;
  readonly #parts: string[] = [];
  #variables: Variable[] = [];
  #characters = 0;
  #steps = 0;
  #depth = 0;

  constructor(template: ParsedTemplate, allowMissing: boolean) {
    this.#template = template;
    this.#allowMissing = allowMissing;
  }

  run(data: unknown): string {
    this.#variables = [{ name: '$', value: data }];
    this.#body(this.#template.body, data);
    return this.#parts.join('');
  }

  #write(text: string): void {
    this.#characters += text.length;
    if (this.#characters > MOST_CHARACTERS) throw new TemplateError('the template prints too much');
    this.#parts.push(text);
  }

  #count(): void {
    if (++this.#steps > MOST_STEPS) throw new TemplateError('the template takes too many steps');
  }

  /** Variables of a body are gone at its end. */
  #body(body: Body, dot: unknown): Leaves {
    const known = this.#variables.length;
    for (const node of body) {
      const leaves = this.#node(node, dot);
      if (leaves !== undefined) {
        this.#variables.length = known;
        return leaves;
      }
    }
    this.#variables.length = known;
    return undefined;
  }

  #node(node: Node, dot: unknown): Leaves {
    this.#count();
    switch (node.kind) {
      case 'text':
        this.#write(node.text);
        return undefined;
      case 'print': {
        const value = this.#pipeline(node.pipeline, dot);
        if (node.pipeline.variables.length === 0)
          this.#write(value === undefined || value === null ? '<no value>' : goText(value));
        return undefined;
      }
      case 'template':
        this.#call(node.name, node.pipeline === undefined ? undefined : this.#pipeline(node.pipeline, dot));
        return undefined;
      case 'break':
      case 'continue':
        return node.kind;
      default:
        return this.#control(node, dot);
    }
  }

  #control(node: Extract<Node, { kind: 'if' | 'with' | 'range' }>, dot: unknown): Leaves {
    const known = this.#variables.length;
    try {
      if (node.kind === 'range') return this.#range(node, dot);
      const value = this.#pipeline(node.pipeline, dot);
      if (!isTrue(value)) return this.#body(node.otherwise, dot);
      return this.#body(node.body, node.kind === 'with' ? value : dot);
    } finally {
      this.#variables.length = known;
    }
  }

  #range(node: Extract<Node, { kind: 'if' | 'with' | 'range' }>, dot: unknown): Leaves {
    const { pipeline, body, otherwise } = node;
    const over = this.#pipeline({ ...pipeline, variables: [] }, dot);
    const entries = entriesOf(over);
    if (entries.length === 0) return this.#body(otherwise, dot);
    const known = this.#variables.length;
    for (const [key, item] of entries) {
      this.#count();
      this.#setRangeVariables(pipeline, key, item);
      const leaves = this.#body(body, item);
      this.#variables.length = known;
      if (leaves === 'break') break;
    }
    return undefined;
  }

  /** One variable is the item; of two the first is its key. */
  #setRangeVariables({ variables, assigns }: Pipeline, key: unknown, item: unknown): void {
    const values = variables.length === 2 ? [key, item] : [item];
    for (const [at, name] of variables.entries()) this.#set(name, values[at], assigns);
  }

  #set(name: string, value: unknown, assigns: boolean): void {
    const known = assigns ? this.#variables.findLast((one) => one.name === name) : undefined;
    if (known) known.value = value;
    else this.#variables.push({ name, value });
  }

  #call(name: string, data: unknown): void {
    const body = this.#template.defined.get(name);
    if (!body) throw new TemplateError(`template "${name}" not defined`);
    if (++this.#depth > MOST_DEPTH) throw new TemplateError('exceeded maximum template depth');
    const outer = this.#variables;
    this.#variables = [{ name: '$', value: data }];
    this.#body(body, data);
    this.#variables = outer;
    this.#depth--;
  }

  #pipeline({ variables, assigns, commands }: Pipeline, dot: unknown): unknown {
    let value: unknown;
    for (const [at, command] of commands.entries()) value = this.#command(command, dot, at > 0, value);
    for (const name of variables) this.#set(name, value, assigns);
    return value;
  }

  #command([first, ...rest]: readonly Operand[], dot: unknown, isPiped: boolean, piped: unknown): unknown {
    this.#count();
    if (!first) return undefined;
    if (first.base.kind === 'function') {
      return this.#fields(this.#function(first.base.name, rest, dot, isPiped, piped), first.fields);
    }
    if (rest.length > 0 || isPiped) throw new TemplateError("can't give argument to non-function");
    return this.#operand(first, dot);
  }

  #function(name: string, rest: readonly Operand[], dot: unknown, isPiped: boolean, piped: unknown): unknown {
    if (name === 'and' || name === 'or') return this.#firstThat(name === 'or', rest, dot, isPiped, piped);
    const values = rest.map((operand) => this.#operand(operand, dot));
    if (isPiped) values.push(piped);
    const wanted = ARITY[name] ?? 1;
    if (values.length < wanted) {
      throw new TemplateError(`wrong number of args for ${name}: want ${wanted} got ${values.length}`);
    }
    return FUNCTIONS[name]?.(...values);
  }

  /** Only as many operands are evaluated as it takes. */
  #firstThat(truth: boolean, rest: readonly Operand[], dot: unknown, isPiped: boolean, piped: unknown): unknown {
    let value: unknown;
    for (const operand of rest) {
      value = this.#operand(operand, dot);
      if (isTrue(value) === truth) return value;
    }
    return isPiped ? piped : value;
  }

  #operand({ base, fields }: Operand, dot: unknown): unknown {
    switch (base.kind) {
      case 'dot':
        return this.#fields(dot, fields);
      case 'nil':
        return null;
      case 'literal':
        return base.value;
      case 'variable':
        return this.#fields(this.#variables.findLast(({ name }) => name === base.name)?.value, fields);
      case 'function':
        return this.#fields(this.#function(base.name, [], dot, false, undefined), fields);
      case 'pipeline':
        return this.#fields(this.#pipeline(base.pipeline, dot), fields);
    }
  }

  #fields(value: unknown, fields: readonly string[]): unknown {
    let at = value;
    for (const name of fields) {
      if (at === undefined) {
        if (!this.#allowMissing) throw new TemplateError(`nil data; no entry for key "${name}"`);
        return undefined;
      }
      if (at === null) throw new TemplateError(`nil pointer evaluating interface {}.${name}`);
      if (typeof at !== 'object' || Array.isArray(at)) {
        throw new TemplateError(`can't evaluate field ${name} in type interface {}`);
      }
      if (!Object.hasOwn(at, name) && !this.#allowMissing)
        throw new TemplateError(`map has no entry for key "${name}"`);
      at = Object.hasOwn(at, name) ? (at as Record<string, unknown>)[name] : undefined;
    }
    return at;
  }
}

const ARITY: Readonly<Record<string, number>> = {
  eq: 2,
  ne: 2,
  lt: 2,
  le: 2,
  gt: 2,
  ge: 2,
  print: 0,
  println: 0,
  html: 0,
  js: 0,
  urlquery: 0,
};

/** What a range goes through: items by index, values by key in order, or so many numbers. */
function entriesOf(value: unknown): readonly (readonly [unknown, unknown])[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.map((item, at) => [at, item] as const);
  if (typeof value === 'object') {
    const fields = value as Readonly<Record<string, unknown>>;
    return Object.keys(fields)
      .sort(compareCodePoints)
      .map((key) => [key, fields[key]] as const);
  }
  if (typeof value === 'number' && Number.isInteger(value)) {
    if (value > MOST_STEPS) throw new TemplateError('the template takes too many steps');
    return Array.from({ length: Math.max(0, value) }, (_, at) => [at, at] as const);
  }
  throw new TemplateError(`range can't iterate over ${goText(value)}`);
}
