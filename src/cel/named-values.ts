import { EVALUATION_LIMIT } from './cost/limits.ts';
import { compileExpression, type Program } from './expression.ts';
import type { Functions } from './functions/standard.ts';
import { type Expression, partsOf } from './syntax/ast.ts';
import { renderIssues } from './syntax/issue.ts';
import { type Type, typeText } from './types/type.ts';
import { Failure } from './values/values.ts';

/** Expressions about values that have names, outside of any schema: what a token says, what a request wants. */
export class NamedValues {
  readonly #variables: ReadonlyMap<string, Type>;
  readonly #functions: Functions;

  constructor(variables: Readonly<Record<string, Type>>, functions: Functions) {
    this.#variables = new Map(Object.entries(variables));
    this.#functions = functions;
  }

  /** Throws an Error that says what is wrong with the text, or that what it gives is of none of the types. */
  compile(source: string, wanted: readonly Type[]): NamedExpression {
    const compiled = compileExpression(source, { variables: this.#variables, functions: this.#functions });
    if ('issues' in compiled) throw new Error(`compilation failed: ${renderIssues(source, compiled.issues)}`);
    const { type } = compiled.program;
    if (!wanted.some((one) => mayBe(type, one)))
      throw new Error(`must evaluate to ${wanted.map(typeText).join(' or ')}, not ${typeText(type)}`);
    return new NamedExpression(compiled.program, [...this.#variables.keys()]);
  }
}

/** Whether a value of a type, as far as that is known, may be of the wanted one. */
const mayBe = (type: Type, wanted: Type): boolean =>
  type.kind === 'dyn' ||
  typeText(type) === typeText(wanted) ||
  (type.kind === 'list' && wanted.kind === 'list' && mayBe(type.item, wanted.item));

/** Why an expression has no value for what it was asked about. */
export class NoValue extends Error {
  override readonly name = 'NoValue';
}

export class NamedExpression {
  readonly #program: Program;
  readonly #names: readonly string[];

  constructor(program: Program, names: readonly string[]) {
    this.#program = program;
    this.#names = names;
  }

  /** Throws `NoValue` where the expression fails for these values, or takes more than any expression may. */
  evaluate(values: Readonly<Record<string, unknown>>): unknown {
    const inOrder = this.#names.map((name) => values[name]);
    const { value, isExhausted } = this.#program.evaluate(inOrder, EVALUATION_LIMIT);
    if (isExhausted) throw new NoValue('the expression takes too long');
    if (value instanceof Failure) throw new NoValue(value.message);
    return value;
  }

  /** Whether it reads this field of this variable: `variable.field`, `variable.?field` or `variable["field"]`. */
  reads(variable: string, field: string): boolean {
    const isVariable = (part: Expression | undefined): boolean => part?.kind === 'identifier' && part.name === variable;
    const isRead = (part: Expression): boolean => {
      if (part.kind === 'select') return part.field === field && isVariable(part.operand);
      if (part.kind !== 'call' || !part.name.startsWith('_[')) return false;
      const [operand, key] = part.args;
      return isVariable(operand) && key?.kind === 'literal' && key.value === field;
    };
    // The height of a tree is bounded, and so is what is open here.
    const open: Expression[] = [this.#program.checked.expression];
    for (let part = open.pop(); part; part = open.pop()) {
      if (isRead(part)) return true;
      open.push(...partsOf(part));
    }
    return false;
  }
}
