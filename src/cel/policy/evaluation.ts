import type { Steps } from '../../runtime/pacing.ts';
import { EVALUATION_LIMIT } from '../cost/limits.ts';
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
 * names it is, and once.
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

  /** The value, or a Failure. */
  *value(expression: PolicyExpression): Steps<unknown> {
    for (const at of expression.needs) {
      const place = FIRST_VARIABLE + at;
      const variable = this.#variables[at];
      if (variable && this.#inputs[place] === undefined) this.#inputs[place] = yield* this.#variable(variable);
    }
    return yield* this.#run(expression);
  }

  *#variable({ name, expression }: PolicyVariable): Steps<unknown> {
    const value = yield* this.#run(expression);
    if (!(value instanceof Failure)) return value;
    return new Failure(`composited variable ${JSON.stringify(name)} fails to evaluate: ${value.message}`);
  }

  *#run({ program, inputs }: PolicyExpression): Steps<unknown> {
    const budget = this.#budget;
    if (budget.left <= 0) return OUT_OF_BUDGET;
    const values = inputs.map((at) => this.#input(at));
    const { value, spent, isExhausted } = yield* program.evaluateInSteps(
      values,
      Math.min(EVALUATION_LIMIT, budget.left),
    );
    budget.left -= spent;
    if (!isExhausted) return value;
    return budget.left <= 0 ? OUT_OF_BUDGET : TOO_COSTLY;
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

const NAMES = Object.keys(POLICY_NAMES) as PolicyName[];
