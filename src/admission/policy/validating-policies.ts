import { Budget } from '../../cel/rule.ts';
import { compileValidatingPolicy } from '../../kinds/admissionregistration/policy/policy-compiler.ts';
import type { ValidatingAdmissionPolicy } from '../../kinds/admissionregistration/policy/validating-admission-policy.ts';
import type { ValidatingAdmissionPolicyBinding } from '../../kinds/admissionregistration/policy/validating-admission-policy-binding.ts';
import type { AdmissionRequest } from '../../registry/admission.ts';
import type { Catalogue } from '../../registry/catalogue.ts';
import type { Informer } from '../../registry/informer.ts';
import type { ResourceType } from '../../registry/resource-type.ts';
import { inSteps, restEveryTurn, type Steps } from '../../runtime/pacing.ts';
import { CompiledExpressions } from '../expressions/compiled-expressions.ts';
import { untilKnown } from '../expressions/lookup.ts';
import { MisconfiguredError } from '../expressions/misconfigured.ts';
import { RequestValues, type ValueSources } from '../expressions/request-values.ts';
import { Matcher } from '../matching/matcher.ts';
import { withConversions } from '../matching/shown-request.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { onAny } from '../rule.ts';
import { BoundPolicies, type BoundPolicy, stepOf } from './bound-policies.ts';
import { Enforcement } from './enforcement.ts';
import { judge } from './judgement.ts';
import { NO_PARAMS, Params } from './params.ts';

type Policy = BoundPolicy<ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding>;

/** What policies of all sorts are evaluated with. */
export interface PolicyPluginSources extends ValueSources {
  readonly informer: Informer;
  readonly catalogue: Catalogue;
}

/** Holds requests to the policies that are in effect: expressions that have to be true of them. */
export class ValidatingPolicies implements AdmissionPlugin {
  // No policy can keep anyone from mending policies, and what is asked of the server about rights is not written.
  readonly rules = [
    onAny(({ group }) => !this.#exempt.has(group)).validate({
      write: (request) => this.#ask(request),
      delete: (request) => this.#ask(request),
      connect: (request) => this.#ask(request),
    }),
  ];
  readonly #sources: PolicyPluginSources;
  readonly #exempt: ReadonlySet<string>;
  readonly #matcher: Matcher;
  readonly #policies: BoundPolicies<ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding>;
  readonly #params: Params;
  readonly #compiled = new CompiledExpressions(
    'validating admission policies',
    ({ spec }: ValidatingAdmissionPolicy, on) => compileValidatingPolicy(spec, on),
  );

  constructor(sources: PolicyPluginSources) {
    const { objects, catalogue, vocabulary } = sources;
    const { admissionregistration: group, authentication, authorization } = vocabulary.groups;
    this.#sources = sources;
    this.#exempt = new Set([group, authentication, authorization]);
    this.#matcher = new Matcher(objects, catalogue);
    this.#params = new Params(objects, catalogue);
    this.#policies = new BoundPolicies(
      { ...sources, matcher: this.#matcher },
      { group, plural: 'validatingadmissionpolicies' },
      { group, plural: 'validatingadmissionpolicybindings' },
    );
  }

  close(): void {
    this.#policies.close();
  }

  #ask(request: AdmissionRequest): Promise<void> | void {
    const policies = this.#policies.concerning(request.type);
    if (policies.length === 0) return;
    const { runtime, vocabulary } = this.#sources;
    const values = new RequestValues(request, this.#sources);
    const judged = withConversions(request, () =>
      untilKnown(() => inSteps(this.#judgeAll(policies, request, values), restEveryTurn(runtime))),
    );
    if (judged instanceof Promise) return judged.then((enforcement) => enforcement.enforce(request, vocabulary));
    judged.enforce(request, vocabulary);
  }

  *#judgeAll(policies: readonly Policy[], request: AdmissionRequest, values: RequestValues): Steps<Enforcement> {
    const enforcement = new Enforcement();
    for (const policy of policies) {
      const as = this.#matcher.match(policy.criteria, request);
      for (const { binding, criteria } of policy.bindings) {
        const isMeant = as && (!criteria || this.#matcher.match(criteria, request));
        if (isMeant) yield* this.#judgeOne(policy, binding, as, request, values, enforcement);
        else request.steps?.passedOver(stepOf(policy.policy, binding));
      }
    }
    return enforcement;
  }

  /** The policy and one of its bindings are about the request, which they see in the version `as`. */
  *#judgeOne(
    { policy, generation }: Policy,
    binding: ValidatingAdmissionPolicyBinding,
    as: ResourceType,
    request: AdmissionRequest,
    values: RequestValues,
    enforcement: Enforcement,
  ): Steps<void> {
    const failsOpen = policy.spec.failurePolicy === 'Ignore';
    const step = request.steps?.begin(stepOf(policy, binding), request);
    const actions = binding.spec.validationActions ?? [];
    const by = { policy: policy.metadata.name ?? '', binding: binding.metadata.name ?? '', actions, failsOpen };
    try {
      const compiled = this.#compiled.known(generation) ?? (yield* this.#compiled.of(policy));
      const { paramKind } = policy.spec;
      const { paramRef } = binding.spec;
      const found = paramKind ? yield* this.#params.find(paramKind, paramRef, request, values) : NO_PARAMS;
      const budget = new Budget();
      for (const params of found) {
        const judgement = yield* judge(compiled, values.in(as, params), failsOpen, budget);
        for (const { message } of judgement.violations) step?.found(message);
        enforcement.add(by, judgement);
        yield;
      }
      step?.end();
    } catch (error) {
      if (!(error instanceof MisconfiguredError)) throw error;
      step?.end(error, !failsOpen);
      enforcement.misconfigured(by, error.message);
    }
  }
}
