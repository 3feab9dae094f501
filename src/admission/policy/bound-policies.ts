import type { MatchResources } from '../../kinds/admissionregistration/policy/match-resources.ts';
import type { ParamRef } from '../../kinds/admissionregistration/policy/param-ref.ts';
import type { StepName } from '../../registry/admission.ts';
import type { Resource } from '../../registry/catalogue.ts';
import type { Informer } from '../../registry/informer.ts';
import type { Objects } from '../../registry/objects.ts';
import type { ApiObject, ResourceType } from '../../registry/resource-type.ts';
import { EVERY_LABEL, fromStructured } from '../../selectors/label-selector.ts';
import { generationOf } from '../expressions/compiled-expressions.ts';
import type { Criteria, Matcher } from '../matching/matcher.ts';

/** What policies of all sorts say. */
export interface PolicyObject extends ApiObject {
  readonly spec: { readonly matchConstraints?: MatchResources; readonly failurePolicy?: string };
}

export interface BindingObject extends ApiObject {
  readonly spec: {
    readonly policyName?: string;
    readonly matchResources?: MatchResources;
    readonly paramRef?: ParamRef;
  };
}

/** A binding of a policy, ready to be held against requests. */
export interface Bound<B> {
  readonly binding: B;
  /** What it narrows the policy down to; undefined: nothing. */
  readonly criteria: Criteria | undefined;
}

/** What holding a request to a policy is called by those who follow admission. */
export const stepOf = (policy: PolicyObject, binding: BindingObject): StepName => ({
  type: 'Policy',
  name: policy.metadata.name ?? '',
  within: binding.metadata.name ?? '',
});

/** A policy that is in effect. */
export interface BoundPolicy<P, B> {
  readonly policy: P;
  readonly generation: string;
  readonly criteria: Criteria;
  readonly bindings: readonly Bound<B>[];
}

export interface PolicySources {
  readonly objects: Objects;
  readonly informer: Informer;
  readonly matcher: Matcher;
}

/**
 * The policies of one sort that are in effect, by name. Which of them can be about a resource is found out once for each
 * type, until a policy or a binding changes: a request that none is about costs one lookup.
 */
export class BoundPolicies<P extends PolicyObject, B extends BindingObject> {
  readonly #sources: PolicySources;
  readonly #resources: { readonly policies: Resource; readonly bindings: Resource };
  readonly #subscriptions: readonly { close(): void }[];
  #all: readonly BoundPolicy<P, B>[] | undefined;
  #byType = new WeakMap<ResourceType, readonly BoundPolicy<P, B>[]>();

  constructor(sources: PolicySources, policies: Resource, bindings: Resource) {
    this.#sources = sources;
    this.#resources = { policies, bindings };
    const listener = { onSet: () => this.#forget(), onRemove: () => this.#forget() };
    this.#subscriptions = [policies, bindings].map((resource) => sources.informer.follow(resource, listener));
  }

  /** Those that can be about requests for objects of the type. */
  concerning(type: ResourceType): readonly BoundPolicy<P, B>[] {
    return this.#byType.get(type) ?? this.#find(type);
  }

  close(): void {
    for (const subscription of this.#subscriptions) subscription.close();
  }

  #forget(): void {
    this.#all = undefined;
    this.#byType = new WeakMap();
  }

  #find(type: ResourceType): readonly BoundPolicy<P, B>[] {
    this.#all ??= this.#read();
    const found = this.#all.filter(({ criteria }) => this.#sources.matcher.canMatch(criteria, type));
    this.#byType.set(type, found);
    return found;
  }

  #read(): readonly BoundPolicy<P, B>[] {
    const { objects } = this.#sources;
    const bindings = new Map<string | undefined, B[]>();
    for (const binding of objects.list<B>(this.#resources.bindings)) {
      const { policyName } = binding.spec;
      const others = bindings.get(policyName);
      if (others) others.push(binding);
      else bindings.set(policyName, [binding]);
    }
    return objects.list<P>(this.#resources.policies).flatMap((policy) => {
      const own = bindings.get(policy.metadata.name);
      if (!own) return [];
      const criteria = criteriaOf(policy.spec.matchConstraints);
      return { policy, generation: generationOf(policy), criteria, bindings: own.map(bound) };
    });
  }
}

function bound<B extends BindingObject>(binding: B): Bound<B> {
  const { matchResources } = binding.spec;
  if (!matchResources) return { binding, criteria: undefined };
  const criteria = criteriaOf(matchResources);
  // A binding without rules is about whatever its policy is about.
  return { binding, criteria: criteria.rules?.length ? criteria : { ...criteria, rules: undefined } };
}

const criteriaOf = (match: MatchResources | undefined): Criteria => ({
  rules: match?.resourceRules ?? [],
  excludedRules: match?.excludeResourceRules,
  matchesEquivalents: match?.matchPolicy !== 'Exact',
  namespaceSelector: fromStructured(match?.namespaceSelector) ?? EVERY_LABEL,
  objectSelector: fromStructured(match?.objectSelector) ?? EVERY_LABEL,
});
