import { notFound } from '../../api/errors.ts';
import type { NamedRuleWithOperations } from '../../kinds/admissionregistration/policy/match-resources.ts';
import type { Namespace } from '../../kinds/core/namespace/namespace.ts';
import type { AdmissionRequest } from '../../registry/admission.ts';
import type { Catalogue } from '../../registry/catalogue.ts';
import type { Objects } from '../../registry/objects.ts';
import type { ApiObject, ResourceType } from '../../registry/resource-type.ts';
import type { LabelSelector } from '../../selectors/label-selector.ts';
import { mayMatch, ruleMatches, type Subject } from './rules.ts';

/** Which requests a webhook or a policy is interested in. */
export interface Criteria {
  /** One is enough. Undefined: all requests. */
  readonly rules: readonly NamedRuleWithOperations[] | undefined;
  /** What is left out of these. */
  readonly excludedRules?: readonly NamedRuleWithOperations[] | undefined;
  /** Other versions of what the rules name count as well. */
  readonly matchesEquivalents: boolean;
  readonly namespaceSelector: LabelSelector;
  readonly objectSelector: LabelSelector;
}

const NAMESPACES = { group: '', plural: 'namespaces' };

export const isNamespace = ({ group, plural }: ResourceType): boolean => group === '' && plural === 'namespaces';

/** The version in which the client speaks. */
export const requestedType = ({ type, requestedAs }: AdmissionRequest): ResourceType => requestedAs ?? type;

/** Finds out whether somebody is interested in a request. */
export class Matcher {
  readonly #objects: Objects;
  readonly #catalogue: Catalogue;

  constructor(objects: Objects, catalogue: Catalogue) {
    this.#objects = objects;
    this.#catalogue = catalogue;
  }

  /**
   * The version in which the request is of interest; undefined when it is not. Throws 404 when that depends on a
   * namespace that is not there.
   */
  match(criteria: Criteria, request: AdmissionRequest): ResourceType | undefined {
    const { rules, excludedRules = [], matchesEquivalents } = criteria;
    if (this.#versionFor(excludedRules, matchesEquivalents, request)) return undefined;
    const as = rules ? this.#versionFor(rules, matchesEquivalents, request) : requestedType(request);
    if (!as) return undefined;
    return this.#selectsNamespace(criteria, request) && selectsObject(criteria, request) ? as : undefined;
  }

  /** Whether any request for objects of a type can be of interest, whichever version it is in. */
  canMatch({ rules }: Criteria, type: ResourceType): boolean {
    const versions = this.#catalogue.kindOf(type)?.versions ?? [type];
    return !rules || rules.some((rule) => versions.some(({ group, plural }) => mayMatch(rule, group, plural)));
  }

  /** The request's own version if the rules name it; else, of those that show the same objects, the first they name. */
  #versionFor(
    rules: readonly NamedRuleWithOperations[],
    matchesEquivalents: boolean,
    request: AdmissionRequest,
  ): ResourceType | undefined {
    if (rules.length === 0) return undefined;
    const requested = requestedType(request);
    const subject = subjectOf(request, requested);
    for (const rule of rules) if (ruleMatches(rule, subject)) return requested;
    if (!matchesEquivalents) return undefined;
    const { subresource } = request;
    const others = this.#othersLike(requested)
      .filter((type) => subresource === '' || type.subresources[subresource])
      .map((type) => ({ type, subject: subjectOf(request, type) }));
    for (const rule of rules) {
      const found = others.find((other) => ruleMatches(rule, other.subject));
      if (found) return found.type;
    }
    return undefined;
  }

  #othersLike(type: ResourceType): readonly ResourceType[] {
    return this.#catalogue.kindOf(type)?.served.filter((other) => other !== type) ?? [];
  }

  /** What is in no namespace, and is none, is selected by whatever selector. */
  #selectsNamespace({ namespaceSelector }: Criteria, request: AdmissionRequest): boolean {
    if (namespaceSelector.everything) return true;
    const { operation, type, subresource, namespace, name, object } = request;
    if (!isNamespace(type)) return !type.namespaced || this.#isIn(namespaceSelector, namespace);
    // A namespace counts as what it is about to be.
    const isWritten = subresource === '' && (operation === 'CREATE' || operation === 'UPDATE');
    return isWritten ? hasLabels(namespaceSelector, object) : this.#isIn(namespaceSelector, name);
  }

  #isIn(selector: LabelSelector, namespace: string): boolean {
    const found = this.#objects.get<Namespace>(NAMESPACES, '', namespace);
    if (!found) throw notFound({ group: '', resource: 'namespaces' }, namespace);
    return selector.matches(found.metadata.labels);
  }
}

const subjectOf = ({ operation, subresource, name }: AdmissionRequest, type: ResourceType): Subject => ({
  operation,
  group: type.group,
  version: type.version,
  plural: type.plural,
  subresource,
  namespaced: type.namespaced,
  name,
});

function selectsObject({ objectSelector }: Criteria, { object, oldObject }: AdmissionRequest): boolean {
  return objectSelector.everything || hasLabels(objectSelector, object) || hasLabels(objectSelector, oldObject);
}

/** What cannot carry labels is never selected, not even by their absence. */
const hasLabels = (selector: LabelSelector, object: ApiObject | undefined): boolean =>
  object !== undefined && selector.matches(object.metadata.labels);
