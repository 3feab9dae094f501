import { nonNegative } from '../../meta/field-rules.ts';
import { isUnusableSelector } from '../../meta/label-selector-validation.ts';
import { validateAnnotations, validateLabels } from '../../meta/labels-validation.ts';
import type { HookContext } from '../../registry/resource-type.ts';
import { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import { sameValue } from '../../schema/same-value.ts';
import { validatePodAnnotations } from '../core/pod/pod-annotations-validation.ts';
import { validateKeptAlive } from '../core/pod/pod-template-validation.ts';
import {
  validateCollisionCount,
  validateCounts,
  validateOwnSelector,
  validateSelected,
} from '../core/replication/replicas-validation.ts';
import type { StatefulSet, StatefulSetSpec } from './stateful-set.ts';

const SPEC = Path.of('spec');
const TEMPLATE = SPEC.child('template');
const STRATEGY = SPEC.child('updateStrategy');
const STATUS = Path.of('status');

export function validateStatefulSet({ spec }: StatefulSet, problems: Problems, context: HookContext): void {
  const { podManagementPolicy: policy = '' } = spec;
  if (policy !== 'OrderedReady' && policy !== 'Parallel') {
    problems.invalid(SPEC.child('podManagementPolicy'), policy, "must be 'OrderedReady' or 'Parallel'");
  }
  validateStrategy(spec, problems);
  validateRetention(spec, problems);
  nonNegative(problems, SPEC, 'replicas', spec.replicas);
  nonNegative(problems, SPEC, 'minReadySeconds', spec.minReadySeconds);
  validateTemplate(spec, problems, context);
}

function validateStrategy({ updateStrategy }: StatefulSetSpec, problems: Problems): void {
  const { type = '', rollingUpdate } = updateStrategy;
  const path = STRATEGY.child('rollingUpdate');
  if (type === 'RollingUpdate') nonNegative(problems, path, 'partition', rollingUpdate?.partition);
  else if (type !== 'OnDelete') problems.invalid(STRATEGY, updateStrategy, "must be 'RollingUpdate' or 'OnDelete'");
  else if (rollingUpdate) problems.invalid(path, rollingUpdate, "only allowed for updateStrategy 'RollingUpdate'");
}

const RETENTIONS = ['Delete', 'Retain'];

function validateRetention(
  { persistentVolumeClaimRetentionPolicy: policy }: StatefulSetSpec,
  problems: Problems,
): void {
  if (!policy) return;
  const path = SPEC.child('persistentVolumeClaimRetentionPolicy');
  for (const field of ['whenDeleted', 'whenScaled'] as const) {
    const value = policy[field] ?? '';
    if (!RETENTIONS.includes(value)) problems.notSupported(path.child(field), value, RETENTIONS);
  }
}

/** The spec of its pods is judged when they are made: only then are the volumes there that its claims stand for. */
function validateTemplate({ selector, template }: StatefulSetSpec, problems: Problems, context: HookContext): void {
  const path = SPEC.child('selector');
  validateOwnSelector(selector, 'statefulset', path, problems);
  if (selector && isUnusableSelector(selector)) problems.invalid(path, selector);
  else {
    const { labels, annotations } = template.metadata;
    validateSelected(selector, template, TEMPLATE, problems);
    validateLabels(labels, TEMPLATE.child('labels'), problems);
    validateAnnotations(annotations, TEMPLATE.child('annotations'), problems);
    validatePodAnnotations(annotations, template.spec, TEMPLATE.child('annotations'), problems, context);
  }
  validateKeptAlive(template, 'StatefulSet', TEMPLATE, problems);
}

const MUTABLE =
  "updates to statefulset spec for fields other than 'replicas', 'template', 'updateStrategy', " +
  "'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

export function validateStatefulSetUpdate({ spec }: StatefulSet, { spec: old }: StatefulSet, problems: Problems): void {
  if (!sameValue(fixedPart(spec), fixedPart(old))) problems.forbidden(SPEC, MUTABLE);
}

const fixedPart = (spec: StatefulSetSpec): unknown => ({
  ...spec,
  replicas: undefined,
  template: undefined,
  updateStrategy: undefined,
  persistentVolumeClaimRetentionPolicy: undefined,
  minReadySeconds: undefined,
});

export function validateStatefulSetStatusUpdate({ status }: StatefulSet, old: StatefulSet, problems: Problems): void {
  nonNegative(problems, STATUS, 'observedGeneration', status.observedGeneration);
  nonNegative(problems, STATUS, 'collisionCount', status.collisionCount);
  validateCounts(
    status,
    ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
    STATUS,
    problems,
  );
  validateCollisionCount(status.collisionCount, old.status.collisionCount, STATUS, problems);
}
