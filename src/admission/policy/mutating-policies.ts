import { PolicyEvaluation } from '../../cel/policy/evaluation.ts';
import { Budget } from '../../cel/rule.ts';
import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
} from '../../kinds/admissionregistration/policy/mutating-admission-policy.ts';
import {
  type CompiledMutatingPolicy,
  type CompiledMutation,
  compileMutatingPolicy,
} from '../../kinds/admissionregistration/policy/policy-compiler.ts';
import type { AdmissionRequest, MutatingRequest } from '../../registry/admission.ts';
import type { ApiObject, ResourceType } from '../../registry/resource-type.ts';
import { inSteps, restEveryTurn, type Steps } from '../../runtime/pacing.ts';
import { sameJson } from '../../schema/same-json.ts';
import { CompiledExpressions } from '../expressions/compiled-expressions.ts';
import { conditionsMet } from '../expressions/conditions.ts';
import { untilKnown } from '../expressions/lookup.ts';
import { MisconfiguredError } from '../expressions/misconfigured.ts';
import { RequestValues } from '../expressions/request-values.ts';
import { Matcher } from '../matching/matcher.ts';
import { Reinvocations } from '../matching/reinvocations.ts';
import { schemaIn, show, takeBack, withConversions } from '../matching/shown-request.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import type { Rounds } from '../rounds.ts';
import { onAny } from '../rule.ts';
import { BoundPolicies, type BoundPolicy, stepOf } from './bound-policies.ts';
import { denied } from './enforcement.ts';
import { mutated } from './mutation.ts';
import { Params } from './params.ts';
import type { PolicyPluginSources } from './validating-policies.ts';

type Policy = BoundPolicy<MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding>;

/** A policy that is about a request, with one of the objects that it is evaluated with. */
interface Evaluated {
  readonly request: MutatingRequest;
  readonly as: ResourceType;
  readonly compiled: CompiledMutatingPolicy;
  readonly params: ApiObject | null;
  /** What all evaluations of a binding may spend. */
  readonly budget: Budget;
}

/** Changes objects as the policies that are in effect say, one after another, each with what the one before left. */
export class MutatingPolicies implements AdmissionPlugin {
  // As with policies that refuse.
  readonly rules = [
    onAny(({ group }) => !this.#exempt.has(group)).mutate({
      write: (request, rounds) => this.#ask(request, rounds),
      connect: (request, rounds) => this.#ask(request, rounds),
    }),
  ];
  readonly #sources: PolicyPluginSources;
  readonly #exempt: ReadonlySet<string>;
  readonly #matcher: Matcher;
  readonly #policies: BoundPolicies<MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding>;
  readonly #params: Params;
  readonly #compiled = new CompiledExpressions('mutating admission policies', ({ spec }: MutatingAdmissionPolicy, on) =>
    compileMutatingPolicy(spec, on),
  );
  readonly #reinvocations = new WeakMap<AdmissionRequest, Reinvocations>();

  constructor(sources: PolicyPluginSources) {
    const { objects, catalogue, vocabulary } = sources;
    const { admissionregistration: group, authentication, authorization } = vocabulary.groups;
    this.#sources = sources;
    this.#exempt = new Set([group, authentication, authorization]);
    this.#matcher = new Matcher(objects, catalogue);
    this.#params = new Params(objects, catalogue);
    this.#policies = new BoundPolicies(
      { ...sources, matcher: this.#matcher },
      { group, plural: 'mutatingadmissionpolicies' },
      { group, plural: 'mutatingadmissionpolicybindings' },
    );
  }

  close(): void {
    this.#policies.close();
  }

  #ask(request: MutatingRequest, rounds: Rounds): Promise<void> | void {
    const policies = this.#policies.concerning(request.type);
    if (policies.length > 0) return this.#askInTurn(policies, request, rounds);
  }

  async #askInTurn(policies: readonly Policy[], request: MutatingRequest, rounds: Rounds): Promise<void> {
    const reinvocations = this.#reinvocations.get(request) ?? new Reinvocations();
    this.#reinvocations.set(request, reinvocations);
    if (rounds.isRepeated) reinvocations.compare(request.object);
    for (const { policy, criteria, bindings } of policies) {
      const isReinvoked = policy.spec.reinvocationPolicy === 'IfNeeded';
      for (const { binding, criteria: narrower } of bindings) {
        const as = this.#matcher.match(criteria, request);
        const id = `${policy.metadata.name}/${binding.metadata.name}`;
        const isMeant = as && !(rounds.isRepeated && !reinvocations.wants({ id }));
        if (!isMeant || (narrower && !this.#matcher.match(narrower, request))) {
          request.steps?.passedOver(stepOf(policy, binding));
          continue;
        }
        if (await this.#apply(policy, binding, request, as)) {
          reinvocations.changed();
          rounds.again();
        }
        reinvocations.asked({ id, isReinvoked });
      }
    }
    reinvocations.left(request.object);
  }

  /** Whether the policy changed the object. */
  async #apply(
    policy: MutatingAdmissionPolicy,
    binding: MutatingAdmissionPolicyBinding,
    request: MutatingRequest,
    as: ResourceType,
  ): Promise<boolean> {
    const step = request.steps?.begin(stepOf(policy, binding), request);
    try {
      const compiled = await this.#inSteps(this.#compiled.of(policy));
      const budget = new Budget();
      let isChanged = false;
      for (const params of await this.#paramsOf(policy, binding, request)) {
        const evaluated = { request, as, compiled, params, budget };
        if (!(await this.#isConcerned(evaluated))) continue;
        for (const mutation of compiled.mutations) {
          if (await this.#change(evaluated, mutation)) isChanged = true;
        }
      }
      step?.end();
      return isChanged;
    } catch (error) {
      step?.end(error, policy.spec.failurePolicy !== 'Ignore');
      if (!(error instanceof MisconfiguredError)) throw error;
      if (policy.spec.failurePolicy === 'Ignore') return false;
      const who = `policy '${policy.metadata.name}' with binding '${binding.metadata.name}'`;
      throw denied(request, `${who} denied request: ${error.message}`, '');
    } finally {
      if (step) await request.steps?.settle();
    }
  }

  #paramsOf(
    { spec: { paramKind } }: MutatingAdmissionPolicy,
    { spec: { paramRef } }: MutatingAdmissionPolicyBinding,
    request: MutatingRequest,
  ): Promise<readonly (ApiObject | null)[]> | readonly (ApiObject | null)[] {
    const values = new RequestValues(request, this.#sources);
    return untilKnown(() => this.#inSteps(this.#params.find(paramKind, paramRef, request, values)));
  }

  async #isConcerned(evaluated: Evaluated): Promise<boolean> {
    const { matchConditions } = evaluated.compiled;
    if (matchConditions.length === 0) return true;
    const met = await this.#evaluate(evaluated, (evaluation) => conditionsMet(matchConditions, evaluation));
    if (typeof met === 'string') throw new MisconfiguredError(met);
    return met;
  }

  /** Whether a mutation changed the object. */
  async #change(evaluated: Evaluated, mutation: CompiledMutation): Promise<boolean> {
    const { request, as } = evaluated;
    const value = await this.#evaluate(evaluated, (evaluation) => evaluation.inSteps(mutation.expression));
    return withConversions(request, () => {
      const { object } = show(request, as, this.#sources);
      if (!object) return false;
      const changed = mutated(schemaIn(request, as), object, mutation, value);
      if (sameJson(object, changed)) return false;
      this.#takeBack(request, as, changed);
      return true;
    });
  }

  #takeBack(request: MutatingRequest, as: ResourceType, changed: unknown): void {
    try {
      takeBack(request, as, changed, this.#sources);
    } catch (error) {
      // One that is no object of the kind any more; what is an ApiError, or has to be converted first, is for others.
      if (error instanceof Error && error.name === 'Error') throw new MisconfiguredError(error.message);
      throw error;
    }
  }

  /** Evaluates with the object as it is now. An attempt that is broken off spends nothing. */
  #evaluate<T>(evaluated: Evaluated, work: (evaluation: PolicyEvaluation) => Steps<T>): Promise<T> | T {
    const { request, as, compiled, params, budget } = evaluated;
    const values = new RequestValues(request, this.#sources);
    const attempt = function* (): Steps<T> {
      const own = new Budget(budget.left);
      const result = yield* work(new PolicyEvaluation(values.in(as, params), compiled.variables, own));
      budget.left = own.left;
      return result;
    };
    return withConversions(request, () => untilKnown(() => this.#inSteps(attempt())));
  }

  #inSteps<T>(steps: Steps<T>): Promise<T> | T {
    return inSteps(steps, restEveryTurn(this.#sources.runtime));
  }
}
