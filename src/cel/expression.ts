import { atOnce, type Steps } from '../runtime/pacing.ts';
import type { Checked } from './check/checked.ts';
import { check } from './check/checker.ts';
import type { Environment } from './check/environment.ts';
import { compile } from './program/compiler.ts';
import { Frame } from './program/frame.ts';
import { compileInSteps as compileProgramInSteps, type StepProgram } from './program/step-compiler.ts';
import type { Issue } from './syntax/issue.ts';
import { parse } from './syntax/parser.ts';
import type { Type } from './types/type.ts';
import { Exhausted } from './values/meter.ts';
import { Failure } from './values/values.ts';

/** How an evaluation ended: with a value, a failure, or out of units. `spent` counts in each case. */
export interface Outcome {
  readonly value: unknown;
  readonly spent: number;
  readonly isExhausted: boolean;
}

/** An expression that can be evaluated any number of times. */
export class Program {
  readonly checked: Checked;
  readonly type: Type;
  readonly #code: ReturnType<typeof compile>;
  /** An evaluation never waits, so one frame serves them all. */
  readonly #frame: Frame;
  /** Made when an evaluation first takes long. */
  #steps: StepProgram | undefined;

  constructor(checked: Checked) {
    this.checked = checked;
    this.type = checked.typeOf(checked.expression);
    this.#code = compile(checked);
    this.#frame = new Frame(checked.slotCount);
  }

  /** `values` are those of the variables, in their order; undefined for one that has none. */
  evaluate(values: readonly unknown[], units: number): Outcome {
    const frame = this.#frame;
    for (let at = 0; at < values.length; at++) frame.slots[at] = values[at];
    frame.left = units;
    try {
      const value = this.#code(frame);
      return { value, spent: units - frame.left, isExhausted: false };
    } catch (error) {
      return exhausted(error, units);
    } finally {
      // What was looked at must not be held.
      for (let at = 0; at < frame.slots.length; at++) frame.slots[at] = undefined;
    }
  }

  /**
   * The same for most evaluations, which are short. One that is not gives undefined, and has to be begun again with rests.
   * Nothing is the worse for it: evaluations change nothing.
   */
  evaluateIfShort(values: readonly unknown[], units: number): Outcome | undefined {
    const short = this.evaluate(values, Math.min(units, SHORT));
    return short.isExhausted && units > SHORT ? undefined : short;
  }

  /** The same, with rests now and then where it takes long. */
  *evaluateInSteps(values: readonly unknown[], units: number): Steps<Outcome> {
    const short = this.evaluateIfShort(values, units);
    if (short) return short;
    yield;
    return yield* this.evaluateWithRests(values, units);
  }

  *evaluateWithRests(values: readonly unknown[], units: number): Steps<Outcome> {
    this.#steps ??= compileProgramInSteps(this.checked);
    const { code, slotCount } = this.#steps;
    const frame = new Frame(slotCount, units);
    for (const [at, value] of values.entries()) frame.slots[at] = value;
    try {
      const value = yield* code(frame);
      return { value, spent: units - frame.left, isExhausted: false };
    } catch (error) {
      return exhausted(error, units);
    }
  }
}

/** An evaluation of so many units is short. */
const SHORT = 20_000;

function exhausted(error: unknown, units: number): Outcome {
  if (!(error instanceof Exhausted)) throw error;
  return { value: undefined, spent: units, isExhausted: true };
}

export type Compiled = { readonly program: Program } | { readonly issues: readonly Issue[] };

/** Parses, checks and compiles; each is a step. */
export function* compileInSteps(source: string, environment: Environment): Steps<Compiled> {
  const parsed = parse(source);
  if ('issues' in parsed) return parsed;
  yield;
  const result = check(parsed.expression, environment);
  if ('issues' in result) return result;
  yield;
  return { program: new Program(result.checked) };
}

export const compileExpression = (source: string, environment: Environment): Compiled =>
  atOnce(compileInSteps(source, environment));

export const isFailure = (value: unknown): value is Failure => value instanceof Failure;
