import { forbidden } from '../../../meta/field-rules.ts';
import { inclusiveRange } from '../../../meta/formats.ts';
import type { HookContext } from '../../../registry/resource-type.ts';
import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import { comparableText, sameValue } from '../../../schema/same-value.ts';
import { differenceText } from '../../difference-text.ts';
import type { Toleration } from '../node/taint.ts';
import type { Container } from './container.ts';
import { validateImageSpelling } from './container-validation.ts';
import type { Pod } from './pod.ts';
import {
  validatePodAnnotations,
  validatePodAnnotationsUpdate,
  validateSeccompAgreement,
} from './pod-annotations-validation.ts';
import type { PodSpec } from './pod-spec.ts';
import { LARGEST_DEADLINE, validatePodSpec } from './pod-spec-validation.ts';

const ANNOTATIONS = Path.of('metadata', 'annotations');
const SPEC = Path.of('spec');
const CONTAINERS = SPEC.child('containers');
const INIT_CONTAINERS = SPEC.child('initContainers');
const EPHEMERAL_CONTAINERS = SPEC.child('ephemeralContainers');

export function validatePod({ metadata, spec }: Pod, problems: Problems, context: HookContext): void {
  validatePodAnnotations(metadata.annotations, spec, ANNOTATIONS, problems, context);
  validatePodSpec(spec, SPEC, problems, context, metadata.name ?? '');
  if (!spec.serviceAccountName) validateNoTokens(spec, problems);
  validateImages(spec.containers ?? [], CONTAINERS, problems);
  validateImages(spec.initContainers ?? [], INIT_CONTAINERS, problems);
}

function validateNoTokens({ volumes }: PodSpec, problems: Problems): void {
  volumes?.forEach(({ projected }, at) => {
    projected?.sources?.forEach(({ serviceAccountToken }, sourceAt) => {
      const source = SPEC.child('volumes').index(at).child('projected').child('sources').index(sourceAt);
      const why = 'must not be specified when serviceAccountName is not set';
      forbidden(problems, source, 'serviceAccountToken', serviceAccountToken, why);
    });
  });
}

function validateImages(containers: readonly Container[], path: Path, problems: Problems): void {
  containers.forEach((container, at) => {
    validateImageSpelling(container, path.index(at), problems);
  });
}

export function validatePodCreate({ metadata, spec }: Pod, problems: Problems, context: HookContext): void {
  forbidden(problems, SPEC, 'ephemeralContainers', spec.ephemeralContainers, 'cannot be set on create');
  validateSeccompAgreement(metadata.annotations, spec, SPEC, problems, context);
}

const MUTABLE =
  'pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, ' +
  '`spec.activeDeadlineSeconds`, `spec.tolerations` (only additions to existing tolerations) or ' +
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** Pods are made once: little of their spec can change. The first rule that does not hold ends the comparison. */
export function validatePodUpdate(pod: Pod, old: Pod, problems: Problems, context: HookContext): void {
  validatePodAnnotationsUpdate(pod.metadata.annotations, old.metadata.annotations, ANNOTATIONS, problems, context);
  const { spec } = pod;
  if (spec === old.spec) return;
  if (!sameCount(spec.containers, old.spec.containers, CONTAINERS, problems)) return;
  if (!sameCount(spec.initContainers, old.spec.initContainers, INIT_CONTAINERS, problems)) return;
  if (!validateDeadlineUpdate(spec, old.spec, problems)) return;
  validateTolerationsUpdate(spec.tolerations ?? [], old.spec.tolerations ?? [], problems);
  const fixed = withoutMutable(spec, old.spec);
  if (!sameValue(fixed, old.spec)) {
    problems.forbidden(SPEC, `${MUTABLE}\n${differenceText(SPEC.toString(), old.spec, fixed)}`);
  }
}

type Containers = readonly Container[] | null | undefined;

function sameCount(containers: Containers, old: Containers, path: Path, problems: Problems): boolean {
  if ((containers?.length ?? 0) === (old?.length ?? 0)) return true;
  problems.forbidden(path, 'pod updates may not add or remove containers');
  return false;
}

/** A deadline can be set and come closer, not go away. */
function validateDeadlineUpdate(spec: PodSpec, old: PodSpec, problems: Problems): boolean {
  const { activeDeadlineSeconds: deadline } = spec;
  const before = old.activeDeadlineSeconds;
  const path = SPEC.child('activeDeadlineSeconds');
  if (deadline === undefined) {
    if (before !== undefined) problems.invalid(path, null, 'must not update from a positive integer to nil value');
    return true;
  }
  if (deadline < 0 || deadline > LARGEST_DEADLINE) {
    problems.invalid(path, deadline, inclusiveRange(0, LARGEST_DEADLINE));
    return false;
  }
  if (before === undefined || deadline <= before) return true;
  problems.invalid(path, deadline, 'must be less than or equal to previous value');
  return false;
}

/** Tolerations stay, but for how long they last; others may join them. */
function validateTolerationsUpdate(
  tolerations: readonly Toleration[],
  old: readonly Toleration[],
  problems: Problems,
): void {
  const lasting = (one: Toleration): string => comparableText({ ...one, tolerationSeconds: null });
  const present = new Set(tolerations.map(lasting));
  if (old.every((before) => present.has(lasting(before)))) return;
  problems.forbidden(SPEC.child('tolerations'), 'existing toleration can not be modified except its tolerationSeconds');
}

/** `spec` with the old values of all that may change: equal to `old` when nothing else has changed. */
function withoutMutable(spec: PodSpec, old: PodSpec): unknown {
  const { terminationGracePeriodSeconds: grace } = spec;
  const before = old.terminationGracePeriodSeconds;
  const mended = grace === 1 && before !== undefined && before < 0;
  return {
    ...spec,
    containers: withOldImages(spec.containers, old.containers),
    initContainers: withOldImages(spec.initContainers, old.initContainers),
    activeDeadlineSeconds: old.activeDeadlineSeconds,
    tolerations: old.tolerations,
    terminationGracePeriodSeconds: mended ? before : grace,
  };
}

const withOldImages = (containers: Containers, old: Containers): unknown =>
  containers?.map((container, at) => ({ ...container, image: old?.[at]?.image }));

/** Ephemeral containers are added, never changed or removed. */
export function validateEphemeralContainersUpdate(pod: Pod, old: Pod, problems: Problems, context: HookContext): void {
  validatePodAnnotationsUpdate(pod.metadata.annotations, old.metadata.annotations, ANNOTATIONS, problems, context);
  if (old.metadata.annotations?.[context.vocabulary.annotations.configMirror] !== undefined) {
    problems.forbidden('[]', 'static pods do not support ephemeral containers');
    return;
  }
  const present = new Map(pod.spec.ephemeralContainers?.toReversed().map((container) => [container.name, container]));
  for (const before of old.spec.ephemeralContainers ?? []) {
    const now = present.get(before.name);
    if (sameValue(now, before)) continue;
    const what = now ? 'changed' : 'removed';
    problems.forbidden(EPHEMERAL_CONTAINERS, `existing ephemeral containers "${before.name}" may not be ${what}`);
  }
}
