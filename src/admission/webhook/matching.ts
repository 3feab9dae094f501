import { notFound } from '../../api/errors.ts';
import type { Namespace } from '../../kinds/core/namespace/namespace.ts';
import type { AdmissionRequest } from '../../registry/admission.ts';
import type { Catalogue } from '../../registry/catalogue.ts';
import type { Objects } from '../../registry/objects.ts';
import type { ApiObject, ResourceType } from '../../registry/resource-type.ts';
import type { LabelSelector } from '../../selectors/label-selector.ts';
import { ruleMatches, type Subject } from './rules.ts';
import type { Webhook } from './webhook.ts';

/** A webhook that is to be asked about a request, and the version in which it wants to be. */
export interface Invocation {
  readonly webhook: Webhook;
  readonly as: ResourceType;
}

const NAMESPACES = { group: '', plural: 'namespaces' };

export const isNamespace = ({ group, plural }: ResourceType): boolean => group === '' && plural === 'namespaces';

/** The version in which the client speaks. */
export const requestedType = ({ type, requestedAs }: AdmissionRequest): ResourceType => requestedAs ?? type;

/** Finds out which webhooks a request concerns. */
export class Matcher {
  readonly #objects: Objects;
  readonly #catalogue: Catalogue;

  constructor(objects: Objects, catalogue: Catalogue) {
    this.#objects = objects;
    this.#catalogue = catalogue;
  }

  /** Undefined when the webhook is not to be asked. Throws 404 when that depends on a namespace that is not there. */
  match(webhook: Webhook, request: AdmissionRequest): Invocation | undefined {
    const as = this.#versionFor(webhook, request);
    if (!as) return undefined;
    const isSelected = this.#selectsNamespace(webhook, request) && selectsObject(webhook, request);
    return isSelected ? { webhook, as } : undefined;
  }

  /** The request's own version if the rules name it; else, of those that show the same objects, the first they name. */
  #versionFor({ rules, matchesEquivalents }: Webhook, request: AdmissionRequest): ResourceType | undefined {
    const requested = requestedType(request);
    const names = (type: ResourceType) => (rule: Webhook['rules'][number]) =>
      ruleMatches(rule, subjectOf(request, type));
    if (rules.some(names(requested))) return requested;
    if (!matchesEquivalents) return undefined;
    const { subresource } = request;
    const others = this.#othersLike(requested).filter((type) => subresource === '' || type.subresources[subresource]);
    for (const rule of rules) {
      const found = others.find((type) => names(type)(rule));
      if (found) return found;
    }
    return undefined;
  }

  #othersLike(type: ResourceType): readonly ResourceType[] {
    return this.#catalogue.kindOf(type)?.served.filter((other) => other !== type) ?? [];
  }

  /** What is in no namespace, and is none, is selected by whatever selector. */
  #selectsNamespace({ namespaceSelector }: Webhook, request: AdmissionRequest): boolean {
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

const subjectOf = ({ operation, subresource }: AdmissionRequest, type: ResourceType): Subject => ({
  operation,
  group: type.group,
  version: type.version,
  plural: type.plural,
  subresource,
  namespaced: type.namespaced,
});

function selectsObject({ objectSelector }: Webhook, { object, oldObject }: AdmissionRequest): boolean {
  return objectSelector.everything || hasLabels(objectSelector, object) || hasLabels(objectSelector, oldObject);
}

/** What cannot carry labels is never selected, not even by their absence. */
const hasLabels = (selector: LabelSelector, object: ApiObject | undefined): boolean =>
  object !== undefined && selector.matches(object.metadata.labels);
