import { forbidden, invalid } from '../../api/errors.ts';
import type { Namespace } from '../../kinds/core/namespace/namespace.ts';
import type { Pod } from '../../kinds/core/pod/pod.ts';
import type { AdmissionRequest } from '../../registry/admission.ts';
import type { Objects } from '../../registry/objects.ts';
import type { ResourceType } from '../../registry/resource-type.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { Problems } from '../../schema/problems.ts';
import { sameJson } from '../../schema/same-json.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from '../chain.ts';
import type { CheckedPod } from './check.ts';
import { violationsOf, violationsText } from './checks.ts';
import type { PodSecurityConfiguration } from './configuration.ts';
import { warnOfExisting } from './existing-pods.ts';
import { asksNothing, isStricter, type Policies, policiesOf, policyLabels, policyText, samePolicy } from './policy.ts';
import { makesPods, podOf, templateOf } from './templates.ts';

const NAMESPACES = { group: '', plural: 'namespaces' };

export interface PodSecurityParts {
  readonly objects: Objects;
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
}

/**
 * Holds pods to the policies that the labels of their namespace name: what is enforced is refused, what is audited or
 * warned of is told. Templates of pods are never refused, only told of.
 */
export class PodSecurity implements AdmissionPlugin {
  readonly name = 'PodSecurity';
  readonly operations = ['CREATE', 'UPDATE'] as const;
  private readonly parts: PodSecurityParts;
  private readonly configuration: PodSecurityConfiguration;
  private readonly labels: ReturnType<typeof policyLabels>;

  constructor(parts: PodSecurityParts, configuration: PodSecurityConfiguration) {
    this.parts = parts;
    this.configuration = configuration;
    this.labels = policyLabels(parts.vocabulary);
  }

  concerns({ group, plural }: ResourceType, subresource: string): boolean {
    if (group === '' && plural === 'pods') return subresource === '' || subresource === 'ephemeralcontainers';
    return subresource === '' && ((group === '' && plural === 'namespaces') || makesPods(group, plural));
  }

  validate(request: AdmissionRequest): void {
    const { plural } = request.type;
    if (plural === 'namespaces') this.checkNamespace(request);
    else if (plural === 'pods') this.checkPod(request);
    else this.checkTemplate(request);
  }

  private checkPod(request: AdmissionRequest): void {
    const pod = podOf(request.object as Pod);
    if (this.isExempt(request, pod)) return;
    const policies = this.policiesFor(request);
    const { auditAnnotations } = this.parts.vocabulary;
    request.annotate(auditAnnotations.podSecurityEnforcePolicy, policyText(policies.enforce));
    if (asksNothing(policies)) return;
    if (request.oldObject && !matters(podOf(request.oldObject as Pod), pod)) return;
    const refused = violationsOf(policies.enforce, pod, this.parts.vocabulary);
    this.audit(request, pod, policies);
    if (refused.length === 0) {
      this.warn(request, pod, policies);
      return;
    }
    const { type, object, name } = request;
    const why = `violates PodSecurity "${policyText(policies.enforce)}": ${violationsText(refused)}`;
    throw forbidden({ group: type.group, resource: type.plural }, object?.metadata.name ?? name, why);
  }

  private checkTemplate(request: AdmissionRequest): void {
    const { type, object } = request;
    const pod = object && templateOf(type.group, type.plural, object);
    if (!pod || this.isExempt(request, pod)) return;
    const policies = this.policiesFor(request);
    this.audit(request, pod, policies);
    this.warn(request, pod, policies);
  }

  private audit(request: AdmissionRequest, pod: CheckedPod, { audit }: Policies): void {
    const violations = violationsOf(audit, pod, this.parts.vocabulary);
    if (violations.length === 0) return;
    const text = `would violate PodSecurity "${policyText(audit)}": ${violationsText(violations)}`;
    request.annotate(this.parts.vocabulary.auditAnnotations.podSecurityAuditViolations, text);
  }

  private warn(request: AdmissionRequest, pod: CheckedPod, { warn }: Policies): void {
    const violations = violationsOf(warn, pod, this.parts.vocabulary);
    if (violations.length === 0) return;
    request.warn(`would violate PodSecurity "${policyText(warn)}": ${violationsText(violations)}`);
  }

  /** Who asks, where, and what pods run under can each exempt them. */
  private isExempt(request: AdmissionRequest, { spec }: CheckedPod): boolean {
    const { usernames, runtimeClasses, namespaces } = this.configuration.exemptions;
    const reason = namespaces.has(request.namespace)
      ? 'namespace'
      : usernames.has(request.user.name)
        ? 'user'
        : runtimeClasses.has(spec.runtimeClassName ?? '')
          ? 'runtimeClass'
          : undefined;
    if (reason !== undefined) request.annotate(this.parts.vocabulary.auditAnnotations.podSecurityExempt, reason);
    return reason !== undefined;
  }

  private policiesFor(request: AdmissionRequest): Policies {
    const namespace = this.parts.objects.get<Namespace>(NAMESPACES, '', request.namespace);
    const { policies, problems } = policiesOf(namespace?.metadata.labels, this.labels, this.configuration.defaults);
    if (problems.length > 0) {
      const text = problems
        .map(({ key, value, message }) => `${key}: Invalid value: "${value}": ${message}`)
        .join(', ');
      request.annotate(this.parts.vocabulary.auditAnnotations.podSecurityError, `Failed to parse policy: ${text}`);
    }
    return policies;
  }

  /** Labels must make sense once they are touched. A stricter policy is not refused, but told of. */
  private checkNamespace(request: AdmissionRequest): void {
    const { type, object, oldObject } = request;
    const name = object?.metadata.name ?? '';
    const { defaults, exemptions } = this.configuration;
    const { policies, problems } = policiesOf(object?.metadata.labels, this.labels, defaults);
    const was = policiesOf(oldObject?.metadata.labels, this.labels, defaults);
    if (problems.length > 0 && !(oldObject && sameJson(problems, was.problems))) {
      const found = new Problems();
      for (const { key, value, message } of problems) found.invalid(`metadata.labels[${key}]`, value, message);
      throw invalid(type.group, type.kind, name, found.found);
    }
    if (!oldObject || exemptions.namespaces.has(name)) return;
    const [old, now] = [was.policies.enforce, policies.enforce];
    const relaxed = old.version === now.version && !isStricter(now.level, old.level);
    if (samePolicy(old, now) || now.level === 'privileged' || relaxed) return;
    warnOfExisting(request, now, exemptions.runtimeClasses, this.parts);
  }
}

/** Whether an update changed anything that a check looks at: images, tolerations and deadlines are not. */
function matters(old: CheckedPod, now: CheckedPod): boolean {
  const looked = ({ annotations, spec }: CheckedPod): unknown => {
    const { tolerations: _tolerations, activeDeadlineSeconds: _deadline, ...rest } = spec;
    const plain = <C extends { image?: string }>(containers: readonly C[] | null = []): unknown =>
      containers?.map(({ image: _image, ...container }) => container);
    return {
      ...rest,
      annotations,
      containers: plain(spec.containers),
      initContainers: plain(spec.initContainers),
      ephemeralContainers: plain(spec.ephemeralContainers),
    };
  };
  return !sameJson(looked(old), looked(now));
}
