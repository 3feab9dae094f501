import { authorizerLibrary } from '../../../cel/functions/authorizer.ts';
import { patchLibrary } from '../../../cel/functions/patches.ts';
import { standardFunctions } from '../../../cel/functions/standard.ts';
import type { PolicyName } from '../../../cel/policy/names.ts';
import { type ExpressionUse, type PolicyExpression, PolicyScope } from '../../../cel/policy/scope.ts';
import type { Type } from '../../../cel/types/type.ts';
import type { Steps } from '../../../runtime/pacing.ts';
import { Path } from '../../../schema/path.ts';
import { RULE_FORMATS } from '../../apiextensions/rule-compiler.ts';
import type { MatchCondition, ParamKind, Variable } from './expressions.ts';
import type { MutatingAdmissionPolicySpec } from './mutating-admission-policy.ts';
import type { AuditAnnotation, ValidatingAdmissionPolicySpec, Validation } from './validating-admission-policy.ts';

const FUNCTIONS = standardFunctions(RULE_FORMATS, [authorizerLibrary]);
const MUTATING_FUNCTIONS = standardFunctions(RULE_FORMATS, [authorizerLibrary, patchLibrary]);

const SPEC = Path.of('spec');

/** Told of each expression that does not compile. */
export type OnProblem = (path: Path, source: string, problem: string) => void;

export interface CompilerOptions {
  /** What is known of the objects that are matched; they can be anything where nothing is. */
  readonly types?: Readonly<Partial<Record<PolicyName, Type>>> | undefined;
  readonly makesPatches?: boolean;
}

/** What policies of all sorts have. */
interface PolicyParts {
  readonly paramKind?: ParamKind;
  readonly matchConditions?: readonly MatchCondition[];
  readonly variables?: readonly Variable[];
}

export interface CompiledCondition {
  readonly name: string;
  readonly expression: PolicyExpression;
}

export interface CompiledValidation {
  readonly source: Validation;
  readonly expression: PolicyExpression;
  readonly messageExpression: PolicyExpression | undefined;
}

export interface CompiledAuditAnnotation {
  readonly source: AuditAnnotation;
  readonly expression: PolicyExpression;
}

export interface CompiledValidatingPolicy {
  readonly variables: PolicyScope['variables'];
  readonly matchConditions: readonly CompiledCondition[];
  readonly validations: readonly CompiledValidation[];
  readonly auditAnnotations: readonly CompiledAuditAnnotation[];
}

const CONDITION: ExpressionUse = { authorizer: true, variables: false, gives: ['bool'] };
const VALIDATION: ExpressionUse = { authorizer: true, variables: true, gives: ['bool'] };
const MESSAGE: ExpressionUse = { authorizer: false, variables: true, gives: ['string'] };
const ANNOTATION: ExpressionUse = { authorizer: true, variables: true, gives: ['string', 'null'] };

/** Compiles the expressions of one policy, and tells of those that do not compile. */
export class PolicyCompiler {
  readonly scope: PolicyScope;
  readonly #onProblem: OnProblem;

  constructor(
    { paramKind }: PolicyParts,
    onProblem: OnProblem,
    { types = {}, makesPatches = false }: CompilerOptions = {},
  ) {
    const functions = makesPatches ? MUTATING_FUNCTIONS : FUNCTIONS;
    this.scope = new PolicyScope({ functions, hasParams: paramKind !== undefined, makesPatches, types });
    this.#onProblem = onProblem;
  }

  *one(source: string, path: Path, use: ExpressionUse): Steps<PolicyExpression | undefined> {
    const compiled = yield* this.scope.compile(source, use);
    if ('expression' in compiled) return compiled.expression;
    this.#onProblem(path, source, compiled.problem);
    return undefined;
  }

  *conditions(conditions: readonly MatchCondition[] = [], path: Path): Steps<readonly CompiledCondition[]> {
    const compiled: CompiledCondition[] = [];
    for (const [at, { name, expression: source }] of conditions.entries()) {
      const expression = yield* this.one(source, path.index(at).child('expression'), CONDITION);
      if (expression) compiled.push({ name, expression });
      yield;
    }
    return compiled;
  }

  *declare(variables: readonly Variable[] = [], path: Path): Steps<void> {
    for (const [at, { name, expression }] of variables.entries()) {
      const problem = yield* this.scope.declare(name, expression);
      if (problem !== undefined) this.#onProblem(path.index(at).child('expression'), expression, problem);
      yield;
    }
  }

  *validations(validations: readonly Validation[] = [], path: Path): Steps<readonly CompiledValidation[]> {
    const compiled: CompiledValidation[] = [];
    for (const [at, source] of validations.entries()) {
      const own = path.index(at);
      const expression = yield* this.one(source.expression, own.child('expression'), VALIDATION);
      const message = source.messageExpression || undefined;
      const messageExpression =
        message === undefined ? undefined : yield* this.one(message, own.child('messageExpression'), MESSAGE);
      if (expression) compiled.push({ source, expression, messageExpression });
      yield;
    }
    return compiled;
  }

  *auditAnnotations(
    annotations: readonly AuditAnnotation[] = [],
    path: Path,
  ): Steps<readonly CompiledAuditAnnotation[]> {
    const compiled: CompiledAuditAnnotation[] = [];
    for (const [at, source] of annotations.entries()) {
      const expression = yield* this.one(source.valueExpression, path.index(at).child('valueExpression'), ANNOTATION);
      if (expression) compiled.push({ source, expression });
      yield;
    }
    return compiled;
  }
}

/** A configuration of webhooks, as far as its conditions go. */
interface ConditionalWebhooks {
  readonly webhooks?: readonly { readonly name: string; readonly matchConditions?: readonly MatchCondition[] }[];
}

/** The conditions of each webhook, by its name. */
export function* compileWebhookConditions(
  { webhooks = [] }: ConditionalWebhooks,
  onProblem: OnProblem,
): Steps<ReadonlyMap<string, readonly CompiledCondition[]>> {
  const compiler = new PolicyCompiler({}, onProblem);
  const compiled = new Map<string, readonly CompiledCondition[]>();
  for (const [at, { name, matchConditions }] of webhooks.entries()) {
    const path = Path.of('webhooks').index(at).child('matchConditions');
    compiled.set(name, yield* compiler.conditions(matchConditions, path));
  }
  return compiled;
}

/** Conditions are evaluated before all else and do not see variables; the rest sees all of them. */
export function* compileValidatingPolicy(
  spec: ValidatingAdmissionPolicySpec,
  onProblem: OnProblem,
  types?: Readonly<Partial<Record<PolicyName, Type>>>,
): Steps<CompiledValidatingPolicy> {
  const compiler = new PolicyCompiler(spec, onProblem, { types });
  const matchConditions = yield* compiler.conditions(spec.matchConditions, SPEC.child('matchConditions'));
  yield* compiler.declare(spec.variables, SPEC.child('variables'));
  const validations = yield* compiler.validations(spec.validations, SPEC.child('validations'));
  const auditAnnotations = yield* compiler.auditAnnotations(spec.auditAnnotations, SPEC.child('auditAnnotations'));
  return { variables: compiler.scope.variables, matchConditions, validations, auditAnnotations };
}

export interface CompiledMutation {
  readonly patchType: string;
  readonly expression: PolicyExpression;
}

export interface CompiledMutatingPolicy {
  readonly variables: PolicyScope['variables'];
  readonly matchConditions: readonly CompiledCondition[];
  readonly mutations: readonly CompiledMutation[];
}

const APPLY: ExpressionUse = { authorizer: true, variables: true, gives: ['Object'] };
const PATCH: ExpressionUse = { authorizer: true, variables: true, gives: ['list(JSONPatch)', 'list(dyn)'] };

export function* compileMutatingPolicy(
  spec: MutatingAdmissionPolicySpec,
  onProblem: OnProblem,
): Steps<CompiledMutatingPolicy> {
  const compiler = new PolicyCompiler(spec, onProblem, { makesPatches: true });
  const matchConditions = yield* compiler.conditions(spec.matchConditions, SPEC.child('matchConditions'));
  yield* compiler.declare(spec.variables, SPEC.child('variables'));
  const mutations: CompiledMutation[] = [];
  for (const [at, { patchType, applyConfiguration, jsonPatch }] of (spec.mutations ?? []).entries()) {
    const path = SPEC.child('mutations').index(at);
    const expression =
      patchType === 'JSONPatch'
        ? yield* compiler.one(jsonPatch?.expression ?? '', path.child('jsonPatch').child('expression'), PATCH)
        : yield* compiler.one(
            applyConfiguration?.expression ?? '',
            path.child('applyConfiguration').child('expression'),
            APPLY,
          );
    if (expression) mutations.push({ patchType, expression });
    yield;
  }
  return { variables: compiler.scope.variables, matchConditions, mutations };
}
