import type { Steps } from '../../runtime/pacing.ts';
import { EVALUATION_LIMIT } from '../cost/limits.ts';
import type { Outcome } from '../expression.ts';
import type { Budget } from '../rule.ts';
import { Failure } from '../values/values.ts';
import { POLICY_NAMES, type PolicyName, type PolicyValues } from './names.ts';
import { FIRST_VARIABLE, type PolicyExpression, type PolicyVariable } from './scope.ts';

const OUT_OF_BUDGET = new Failure(
  'validation failed due to running out of cost budget, no further validation rules will be run',
);
const TOO_COSTLY = new Failure('operation cancelled: actual cost limit exceeded');

/**
 * The expressions of one policy with the values of one request. A variable is evaluated when the first expression that
 * names it is, and once. Nearly all expressions are short: whoever wants a value asks `ifShort` first, which makes no
 * steps, and `inSteps` where that gives nothing.
 */
export class PolicyEvaluation {
  readonly #values: PolicyValues;
  /** Values of variables by their place. */
  readonly #inputs: unknown[] = [];
  readonly #variables: readonly PolicyVariable[];
  readonly #budget: Budget;

  constructor(values: PolicyValues, variables: readonly PolicyVariable[], budget: Budget) {
    this.#variables = variables;
    this.#budget = budget;
    this.#values = values;
  }

  /** The value, or a Failure; undefined where finding it out takes long. */
  ifShort(expression: PolicyExpression): unknown {
    for (const at of expression.needs) {
      const place = FIRST_VARIABLE + at;
      const variable = this.#variables[at];
      if (!variable || this.#inputs[place] !== undefined) continue;
      const value = this.#runIfShort(variable.expression);
      if (value === undefined) return undefined;
      this.#inputs[place] = ofVariable(variable, value);
    }
    return this.#runIfShort(expression);
  }

  /** The value, or a Failure. */
  *inSteps(expression: PolicyExpression): Steps<unknown> {
    for (const at of expression.needs) {
      const place = FIRST_VARIABLE + at;
      const variable = this.#variables[at];
      if (!variable || this.#inputs[place] !== undefined) continue;
      this.#inputs[place] = ofVariable(variable, yield* this.#runInSteps(variable.expression));
    }
    return yield* this.#runInSteps(expression);
  }

  #runIfShort(expression: PolicyExpression): unknown {
    const units = this.#units;
    if (units === 0) return OUT_OF_BUDGET;
    const outcome = expression.program.evaluateIfShort(this.#valuesFor(expression), units);
    return outcome && this.#paid(outcome);
  }

  *#runInSteps(expression: PolicyExpression): Steps<unknown> {
    const units = this.#units;
    if (units === 0) return OUT_OF_BUDGET;
    return this.#paid(yield* expression.program.evaluateInSteps(this.#valuesFor(expression), units));
  }

  /** What the next evaluation may spend. */
  get #units(): number {
    return Math.max(0, Math.min(EVALUATION_LIMIT, this.#budget.left));
  }

  #paid({ value, spent, isExhausted }: Outcome): unknown {
    this.#budget.left -= spent;
    if (!isExhausted) return value;
    return this.#units === 0 ? OUT_OF_BUDGET : TOO_COSTLY;
  }

  #valuesFor({ inputs }: PolicyExpression): readonly unknown[] {
    const values: unknown[] = [];
    for (let slot = 0; slot < inputs.length; slot++) values.push(this.#input(inputs[slot] ?? -1));
    return values;
  }

  /** What is not read is not even made. */
  #input(at: number): unknown {
    if (at < 0) return undefined;
    if (at >= FIRST_VARIABLE) return this.#inputs[at];
    const name = NAMES[at];
    return name === undefined || name === 'variables' ? this.#all() : this.#values[name];
  }

  #all(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(this.#variables.map(({ name }, at) => [name, this.#inputs[FIRST_VARIABLE + at]]));
  }
}

function ofVariable({ name }: PolicyVariable, value: unknown): unknown {
  if (!(value instanceof Failure)) return value;
  return new Failure(`composited variable ${JSON.stringify(name)} fails to evaluate: ${value.message}`);
}

const NAMES = Object.keys(POLICY_NAMES) as PolicyName[];
