import { atOnce, type Steps } from '../runtime/pacing.ts';
import type { Environment } from './check/environment.ts';
import { type Estimate, estimate } from './cost/estimate.ts';
import { EVALUATION_LIMIT, OBJECT_LIMIT } from './cost/limits.ts';
import { compileInSteps, type Outcome, type Program } from './expression.ts';
import { type Functions, standardFunctions } from './functions/standard.ts';
import { renderIssues } from './syntax/issue.ts';
import { type ExtensionNames, type RuleSchema, SchemaTypes } from './types/schema-types.ts';
import { DYN, optionalOf, type Type } from './types/type.ts';
import { Failure, Optional } from './values/values.ts';

/** A rule of a schema: an expression about the value that it stands at. */
export interface RuleSource {
  readonly rule: string;
  readonly message?: string | undefined;
  readonly messageExpression?: string | undefined;
  /** Whether the rule also runs where there is no old value, and sees it as an optional value. */
  readonly optionalOldSelf?: boolean | undefined;
}

/** What is wrong with a rule, and with which of its fields. */
export interface RuleProblem {
  readonly field: 'rule' | 'messageExpression';
  readonly message: string;
}

/** How a value fares with a rule. `exhausted`: no further rule may be evaluated for the object. */
export type Verdict =
  | { readonly outcome: 'holds' }
  | { readonly outcome: 'fails' | 'error' | 'exhausted'; readonly message: string };

/** What rules may yet spend on one object. */
export class Budget {
  left: number;

  constructor(units = OBJECT_LIMIT) {
    this.left = units;
  }
}

export interface CompiledRule {
  /** Whether the rule is about a change: it runs only where there is an old value, or an optional one. */
  readonly usesOldSelf: boolean;
  /** The most that one evaluation can cost, its message included. */
  readonly estimate: Estimate;
  /** How many values of this schema one request has room for. */
  readonly mostInRequest: number;
  /**
   * Whether the rule holds, where that can be said in one go, as it nearly always can. False says nothing and spends
   * nothing: then the verdict has to be asked for.
   */
  holdsAtOnce(self: unknown, oldSelf: unknown, budget: Budget): boolean;
  /** `self` and `oldSelf` are values of a document; undefined where there is no old one. */
  evaluate(self: unknown, oldSelf: unknown, budget: Budget): Verdict;
  /** The same, with rests in between where it takes long. The values must not change meanwhile. */
  evaluateInSteps(self: unknown, oldSelf: unknown, budget: Budget): Steps<Verdict>;
}

export type RuleResult = { readonly compiled: CompiledRule } | { readonly problems: readonly RuleProblem[] };

const HOLDS: Verdict = { outcome: 'holds' };
const OUT_OF_BUDGET = 'validation failed due to running out of cost budget, no further validation rules will be run';
const TOO_COSTLY = 'operation cancelled: actual cost limit exceeded';
/** A message of more characters, or of more than one line, is not used. */
const LONGEST_MESSAGE = 5 * 1024;

export interface RuleCompilerOptions {
  /** The names of the extensions in schemas. */
  readonly names: ExtensionNames;
  /** What rules may call; the standard functions unless given. */
  readonly functions?: Functions;
}

/** Compiles the rules of schemas. Types of schemas are shared by all rules that one compiler has seen. */
export class RuleCompiler {
  readonly #types: SchemaTypes;
  readonly #functions: Functions;

  constructor({ names, functions = standardFunctions() }: RuleCompilerOptions) {
    this.#types = new SchemaTypes(names);
    this.#functions = functions;
  }

  /** `isResource`: `self` is a whole object, or an embedded one, with kind and metadata whatever its schema says. */
  compileRule(source: RuleSource, schema: RuleSchema, isResource = false): RuleResult {
    return atOnce(this.compileInSteps(source, schema, isResource));
  }

  *compileInSteps(source: RuleSource, schema: RuleSchema, isResource: boolean): Steps<RuleResult> {
    const type = this.#types.typeOf(schema, isResource) ?? DYN;
    const environment = this.#environment(type, source.optionalOldSelf === true);
    const problems: RuleProblem[] = [];
    const rule = yield* compiledPart(source.rule, 'bool', environment);
    if ('problem' in rule) problems.push({ field: 'rule', message: rule.problem });
    const { messageExpression } = source;
    const message =
      messageExpression === undefined ? undefined : yield* compiledPart(messageExpression, 'string', environment);
    if (message && 'problem' in message) problems.push({ field: 'messageExpression', message: message.problem });
    if ('problem' in rule || (message && 'problem' in message)) return { problems };
    yield;
    const mostInRequest = this.#types.mostInRequest(schema, isResource);
    return { compiled: new Rule(source, rule.program, message?.program, mostInRequest) };
  }

  #environment(self: Type, isOptional: boolean): Environment {
    const variables = new Map([
      ['self', self],
      ['oldSelf', isOptional ? optionalOf(self) : self],
    ]);
    return { variables, functions: this.#functions };
  }
}

type Part = { readonly program: Program } | { readonly problem: string };

function* compiledPart(source: string, wanted: 'bool' | 'string', environment: Environment): Steps<Part> {
  const compiled = yield* compileInSteps(source, environment);
  if ('issues' in compiled) return { problem: `compilation failed: ${renderIssues(source, compiled.issues)}` };
  const { kind } = compiled.program.type;
  if (kind === wanted) return compiled;
  return {
    problem:
      wanted === 'bool' ? 'cel expression must evaluate to a bool' : 'messageExpression must evaluate to a string',
  };
}

/** Variables are handed in in the order in which they are declared. */
const OLD_SELF = 1;

const usesOldSelf = ({ checked }: Program): boolean =>
  [...checked.references.values()].some((reference) => 'slot' in reference && reference.slot === OLD_SELF);

const optionalOldSelf = (oldSelf: unknown): Optional => (oldSelf === undefined ? Optional.none : Optional.of(oldSelf));

function* run(program: Program, values: readonly unknown[], budget: Budget): Steps<Outcome> {
  const outcome = yield* program.evaluateInSteps(values, Math.min(EVALUATION_LIMIT, budget.left));
  budget.left -= outcome.spent;
  return outcome;
}

class Rule implements CompiledRule {
  readonly usesOldSelf: boolean;
  readonly estimate: Estimate;
  readonly mostInRequest: number;
  readonly #source: RuleSource;
  readonly #rule: Program;
  readonly #message: Program | undefined;

  constructor(source: RuleSource, rule: Program, message: Program | undefined, mostInRequest: number) {
    this.mostInRequest = mostInRequest;
    this.#source = source;
    this.#rule = rule;
    this.#message = message;
    this.usesOldSelf = usesOldSelf(rule);
    const [ofRule, ofMessage] = [estimate(rule.checked), message && estimate(message.checked)];
    this.estimate = {
      cost: ofRule.cost + (ofMessage?.cost ?? 0),
      drivers: [...ofRule.drivers, ...(ofMessage?.drivers ?? [])],
    };
  }

  holdsAtOnce(self: unknown, oldSelf: unknown, budget: Budget): boolean {
    if (budget.left <= 0) return false;
    const outcome = this.#rule.evaluateIfShort(this.#values(self, oldSelf), Math.min(EVALUATION_LIMIT, budget.left));
    if (outcome?.value !== true) return false;
    budget.left -= outcome.spent;
    return true;
  }

  evaluate(self: unknown, oldSelf: unknown, budget: Budget): Verdict {
    return atOnce(this.evaluateInSteps(self, oldSelf, budget));
  }

  *evaluateInSteps(self: unknown, oldSelf: unknown, budget: Budget): Steps<Verdict> {
    if (budget.left <= 0) return { outcome: 'exhausted', message: OUT_OF_BUDGET };
    const values = this.#values(self, oldSelf);
    const { value, isExhausted } = yield* run(this.#rule, values, budget);
    if (value === true) return HOLDS;
    if (isExhausted) return { outcome: 'exhausted', message: this.#exhaustedText(budget) };
    if (value === false) return { outcome: 'fails', message: yield* this.#failureText(values, budget) };
    return { outcome: 'error', message: this.#errorText(value) };
  }

  #values(self: unknown, oldSelf: unknown): readonly unknown[] {
    return [self, this.#source.optionalOldSelf ? optionalOldSelf(oldSelf) : oldSelf];
  }

  /** The rule as messages name it: by its own message, or as it is written. */
  get #name(): string {
    const message = this.#source.message?.trim() ?? '';
    return message === '' ? this.#source.rule.trim() : message;
  }

  #exhaustedText(budget: Budget): string {
    if (budget.left <= 0) return OUT_OF_BUDGET;
    return `'${TOO_COSTLY}': no further validation rules will be run due to call cost exceeds limit for rule: ${this.#name}`;
  }

  #errorText(value: unknown): string {
    const text = value instanceof Failure ? value.message : 'no such overload';
    if (!text.startsWith('no such overload')) return `${text} evaluating rule: ${this.#name}`;
    return `'${text}': call arguments did not match a supported operator, function or macro signature for rule: ${this.#name}`;
  }

  *#failureText(values: readonly unknown[], budget: Budget): Steps<string> {
    const written = this.#message && (yield* this.#messageOf(this.#message, values, budget));
    if (written !== undefined) return written;
    const message = this.#source.message?.trim() ?? '';
    return message === '' ? `failed rule: ${this.#source.rule.trim()}` : message;
  }

  /** Undefined when the expression gives no message that can be shown. */
  *#messageOf(program: Program, values: readonly unknown[], budget: Budget): Steps<string | undefined> {
    const { value } = yield* run(program, values, budget);
    const text = typeof value === 'string' ? value.trim() : '';
    return text === '' || text.length > LONGEST_MESSAGE || text.includes('\n') ? undefined : text;
  }
}
