import { forbidden, invalid } from '../../api/errors.ts';
import { Namespace } from '../../kinds/core/namespace/namespace.ts';
import { Pod } from '../../kinds/core/pod/pod.ts';
import type { AdmissionRequest } from '../../registry/admission.ts';
import type { Objects } from '../../registry/objects.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { Problems } from '../../schema/problems.ts';
import { sameJson } from '../../schema/same-json.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { onKind, onSubresource, type WriteRequest } from '../rule.ts';
import type { CheckedPod } from './check.ts';
import { violationsOf, violationsText } from './checks.ts';
import type { PodSecurityConfiguration } from './configuration.ts';
import { warnOfExisting } from './existing-pods.ts';
import type { PodSecurityMetrics } from './pod-security-metrics.ts';
import { asksNothing, isStricter, type Policies, policiesOf, policyLabels, policyText, samePolicy } from './policy.ts';
import { onTemplates, podOf } from './templates.ts';

const NAMESPACES = { group: '', plural: 'namespaces' };

type Labels = Readonly<Record<string, string>>;

type FoundPolicies = ReturnType<typeof policiesOf>;

/**
 * Holds pods to the policies that the labels of their namespace name: what is enforced is refused, what is audited or
 * warned of is told. Templates of pods are never refused, only told of.
 */
export class PodSecurity implements AdmissionPlugin {
  readonly rules = [
    onKind(Pod).validate({
      write: (request) => this.#checkPod(request),
    }),
    onSubresource(Pod, 'ephemeralcontainers').validate({ update: (request) => this.#checkPod(request) }),
    onKind(Namespace).validate({
      write: (request) => this.#checkNamespace(request),
    }),
    ...onTemplates((request, pod) => this.#checkTemplate(request, pod)),
  ];
  readonly #objects: Objects;
  readonly #runtime: Runtime;
  readonly #vocabulary: Vocabulary;
  readonly #configuration: PodSecurityConfiguration;
  readonly #labels: ReturnType<typeof policyLabels>;
  /** By the labels of a namespace, which are a value: found out once for all pods that are made there. */
  readonly #found = new WeakMap<Labels, FoundPolicies>();
  readonly #metrics: PodSecurityMetrics;

  constructor(
    objects: Objects,
    runtime: Runtime,
    vocabulary: Vocabulary,
    configuration: PodSecurityConfiguration,
    metrics: PodSecurityMetrics,
  ) {
    this.#objects = objects;
    this.#runtime = runtime;
    this.#vocabulary = vocabulary;
    this.#configuration = configuration;
    this.#labels = policyLabels(vocabulary);
    this.#metrics = metrics;
  }

  #checkPod(request: WriteRequest<Pod>): void {
    const pod = podOf(request.object);
    if (this.#isExempt(request, pod)) return;
    const policies = this.#policiesFor(request);
    const { auditAnnotations } = this.#vocabulary;
    request.annotate(auditAnnotations.podSecurityEnforcePolicy, policyText(policies.enforce));
    if (asksNothing(policies)) {
      this.#metrics.evaluated(request, 'enforce', policies.enforce, true);
      return;
    }
    if (request.oldObject && !matters(podOf(request.oldObject), pod)) return;
    const refused = violationsOf(policies.enforce, pod, this.#vocabulary);
    this.#metrics.evaluated(request, 'enforce', policies.enforce, refused.length === 0);
    this.#audit(request, pod, policies);
    if (refused.length === 0) {
      this.#warn(request, pod, policies);
      return;
    }
    const { type, object, name } = request;
    const why = `violates PodSecurity "${policyText(policies.enforce)}": ${violationsText(refused)}`;
    throw forbidden({ group: type.group, resource: type.plural }, object.metadata.name ?? name, why);
  }

  #checkTemplate(request: AdmissionRequest, pod: CheckedPod): void {
    if (this.#isExempt(request, pod)) return;
    const policies = this.#policiesFor(request);
    this.#audit(request, pod, policies);
    this.#warn(request, pod, policies);
  }

  #audit(request: AdmissionRequest, pod: CheckedPod, { audit }: Policies): void {
    const violations = violationsOf(audit, pod, this.#vocabulary);
    if (violations.length === 0) return;
    this.#metrics.evaluated(request, 'audit', audit, false);
    const text = `would violate PodSecurity "${policyText(audit)}": ${violationsText(violations)}`;
    request.annotate(this.#vocabulary.auditAnnotations.podSecurityAuditViolations, text);
  }

  #warn(request: AdmissionRequest, pod: CheckedPod, { warn }: Policies): void {
    const violations = violationsOf(warn, pod, this.#vocabulary);
    if (violations.length === 0) return;
    this.#metrics.evaluated(request, 'warn', warn, false);
    request.warn(`would violate PodSecurity "${policyText(warn)}": ${violationsText(violations)}`);
  }

  /** Who asks, where, and what pods run under can each exempt them. */
  #isExempt(request: AdmissionRequest, { spec }: CheckedPod): boolean {
    const { usernames, runtimeClasses, namespaces } = this.#configuration.exemptions;
    const reason = namespaces.has(request.namespace)
      ? 'namespace'
      : usernames.has(request.user.name)
        ? 'user'
        : runtimeClasses.has(spec.runtimeClassName ?? '')
          ? 'runtimeClass'
          : undefined;
    if (reason === undefined) return false;
    this.#metrics.exempted(request);
    request.annotate(this.#vocabulary.auditAnnotations.podSecurityExempt, reason);
    return true;
  }

  #policiesFor(request: AdmissionRequest): Policies {
    const namespace = this.#objects.get<Namespace>(NAMESPACES, '', request.namespace);
    const { policies, problems } = this.#policiesOf(namespace?.metadata.labels);
    if (problems.length > 0) {
      const text = problems
        .map(({ key, value, message }) => `${key}: Invalid value: "${value}": ${message}`)
        .join(', ');
      request.annotate(this.#vocabulary.auditAnnotations.podSecurityError, `Failed to parse policy: ${text}`);
    }
    return policies;
  }

  #policiesOf(labels: Labels | undefined): FoundPolicies {
    const known = labels && this.#found.get(labels);
    if (known) return known;
    const found = policiesOf(labels, this.#labels, this.#configuration.defaults);
    if (labels) this.#found.set(labels, found);
    return found;
  }

  /** Labels must make sense once they are touched. A stricter policy is not refused, but told of. */
  #checkNamespace(request: WriteRequest<Namespace>): void {
    const { type, object, oldObject } = request;
    const name = object.metadata.name ?? '';
    const { defaults, exemptions } = this.#configuration;
    const { policies, problems } = policiesOf(object.metadata.labels, this.#labels, defaults);
    const was = policiesOf(oldObject?.metadata.labels, this.#labels, defaults);
    if (problems.length > 0 && !(oldObject && sameJson(problems, was.problems))) {
      const found = new Problems();
      for (const { key, value, message } of problems) found.invalid(`metadata.labels[${key}]`, value, message);
      throw invalid(type.group, type.kind, name, found.found);
    }
    if (!oldObject || exemptions.namespaces.has(name)) return;
    const [old, now] = [was.policies.enforce, policies.enforce];
    const relaxed = old.version === now.version && !isStricter(now.level, old.level);
    if (samePolicy(old, now) || now.level === 'privileged' || relaxed) return;
    warnOfExisting(request, now, exemptions.runtimeClasses, {
      objects: this.#objects,
      runtime: this.#runtime,
      vocabulary: this.#vocabulary,
    });
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
