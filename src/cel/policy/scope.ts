import type { Steps } from '../../runtime/pacing.ts';
import { compileInSteps, type Program } from '../expression.ts';
import type { Functions } from '../functions/standard.ts';
import { renderIssues } from '../syntax/issue.ts';
import { type Type, typeText } from '../types/type.ts';
import { POLICY_NAMES, type PolicyName } from './names.ts';
import { PatchMessages } from './patch-messages.ts';

export interface ScopeOptions {
  readonly functions: Functions;
  /** Whether the policy has params. */
  readonly hasParams: boolean;
  /** Whether its expressions can make changes of objects. */
  readonly makesPatches?: boolean;
  /** What names are known to be, where that is more than anyone could know without looking at what is matched. */
  readonly types?: Readonly<Partial<Record<PolicyName, Type>>>;
}

/** What may be named in an expression besides objects and the request. */
export interface ExpressionUse {
  readonly authorizer: boolean;
  readonly variables: boolean;
  /** The types that the value may be of, as messages show them; any unless given. */
  readonly gives?: readonly string[];
}

/** An expression of a policy, ready to be evaluated. */
export interface PolicyExpression {
  readonly source: string;
  readonly program: Program;
  /** Where the value of each slot comes from: a place among the names, then the variables. -1: the slot is not read. */
  readonly inputs: readonly number[];
  /** The variables of the policy that have to be known, those that others of them need included, in their order. */
  readonly needs: readonly number[];
}

export interface PolicyVariable {
  readonly name: string;
  readonly expression: PolicyExpression;
}

export type CompiledExpression = { readonly expression: PolicyExpression } | { readonly problem: string };

const NAMES = Object.keys(POLICY_NAMES) as PolicyName[];
/** Where the variables of a policy begin. */
export const FIRST_VARIABLE = NAMES.length;
const ALL_VARIABLES = NAMES.indexOf('variables');

/** Compiles the expressions of one policy. Variables are declared one after the other: each sees those before it. */
export class PolicyScope {
  readonly variables: PolicyVariable[] = [];
  readonly #options: ScopeOptions;
  readonly #messages = new PatchMessages();
  readonly #types: ReadonlyMap<PolicyName, Type>;

  constructor(options: ScopeOptions) {
    this.#options = options;
    this.#types = new Map(NAMES.map((name) => [name, options.types?.[name] ?? POLICY_NAMES[name]]));
  }

  /** The problem, if there is one: then nothing is declared. */
  *declare(name: string, source: string): Steps<string | undefined> {
    const compiled = yield* this.compile(source, { authorizer: true, variables: true });
    if ('problem' in compiled) return compiled.problem;
    this.variables.push({ name, expression: compiled.expression });
    return undefined;
  }

  *compile(source: string, use: ExpressionUse): Steps<CompiledExpression> {
    const names = this.#names(use);
    const environment = {
      functions: this.#options.functions,
      ...(this.#options.makesPatches && { messages: this.#messages }),
      variables: new Map(names.map((at) => [this.#nameOf(at), this.#typeOf(at)])),
    };
    const compiled = yield* compileInSteps(source, environment);
    if ('issues' in compiled) return { problem: `compilation failed: ${renderIssues(source, compiled.issues)}` };
    const { program } = compiled;
    const { gives } = use;
    if (gives && !gives.includes(typeText(program.type))) return { problem: wrongType(gives, program.type) };
    return { expression: { source, program, ...this.#inputsOf(program, names) } };
  }

  /** Places of what may be named. */
  #names({ authorizer, variables }: ExpressionUse): readonly number[] {
    const isNamed = (name: PolicyName): boolean => {
      if (name.startsWith('authorizer')) return authorizer;
      if (name === 'variables') return variables;
      return name !== 'params' || this.#options.hasParams;
    };
    const own = NAMES.flatMap((name, at) => (isNamed(name) ? [at] : []));
    return variables ? [...own, ...this.variables.map((_, at) => FIRST_VARIABLE + at)] : own;
  }

  #nameOf(at: number): string {
    return NAMES[at] ?? `variables.${this.variables[at - FIRST_VARIABLE]?.name}`;
  }

  #typeOf(at: number): Type {
    if (at === ALL_VARIABLES) return this.#allVariables();
    const name = NAMES[at];
    const variable = this.variables[at - FIRST_VARIABLE];
    const known = name === undefined ? variable?.expression.program.type : this.#types.get(name);
    return known ?? { kind: 'dyn' };
  }

  #allVariables(): Type {
    const fields = this.variables.map(
      ({ name, expression }) => [name, { name, type: expression.program.type }] as const,
    );
    return { kind: 'object', name: 'variables', fields: new Map(fields) };
  }

  #inputsOf({ checked }: Program, names: readonly number[]): Pick<PolicyExpression, 'inputs' | 'needs'> {
    const inputs = names.map(() => -1);
    const needs = new Set<number>();
    const need = (at: number): void => {
      for (const before of this.variables[at]?.expression.needs ?? []) needs.add(before);
      needs.add(at);
    };
    for (const reference of checked.references.values()) {
      const place = 'slot' in reference ? names[reference.slot] : undefined;
      if (place === undefined || !('slot' in reference)) continue;
      inputs[reference.slot] = place;
      if (place >= FIRST_VARIABLE) need(place - FIRST_VARIABLE);
      if (place === ALL_VARIABLES) for (const at of this.variables.keys()) need(at);
    }
    return { inputs, needs: [...needs].sort((a, b) => a - b) };
  }
}

function wrongType(gives: readonly string[], type: Type): string {
  const wanted = gives.length === 1 ? `must evaluate to ${gives[0]}` : `must evaluate to one of [${gives.join(' ')}]`;
  return `${wanted}, not ${typeText(type).slice(0, 100)}`;
}
