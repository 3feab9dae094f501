import { nonNegative, unchanged } from '../../meta/field-rules.ts';
import { isEmptySelector, isUnusableSelector, validateLabelSelector } from '../../meta/label-selector-validation.ts';
import type { HookContext } from '../../registry/resource-type.ts';
import { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import { validateKeptAlive, validatePodTemplateSpec } from '../core/pod/pod-template-validation.ts';
import { validateCollisionCount, validateSelected } from '../core/replication/replicas-validation.ts';
import type { DaemonSet, DaemonSetSpec, DaemonSetUpdateStrategy, RollingUpdateDaemonSet } from './daemon-set.ts';
import { amountOf, notAboveAll, validateIntOrPercent } from './rolling-update-validation.ts';

const SPEC = Path.of('spec');
const TEMPLATE = SPEC.child('template');
const STRATEGY = SPEC.child('updateStrategy');
const STATUS = Path.of('status');

export function validateDaemonSet({ spec }: DaemonSet, problems: Problems, context: HookContext): void {
  validateSelector(spec, problems);
  validatePodTemplateSpec(spec.template, TEMPLATE, problems, context);
  validateKeptAlive(spec.template, 'DaemonSet', TEMPLATE, problems);
  nonNegative(problems, SPEC, 'minReadySeconds', spec.minReadySeconds);
  nonNegative(problems, SPEC, 'revisionHistoryLimit', spec.revisionHistoryLimit);
  validateStrategy(spec.updateStrategy, problems);
}

/** A missing selector is no problem by itself, but it selects nothing. */
function validateSelector({ selector, template }: DaemonSetSpec, problems: Problems): void {
  const path = SPEC.child('selector');
  validateLabelSelector(selector, path, problems);
  if (!selector || !isUnusableSelector(selector)) validateSelected(selector, template, TEMPLATE, problems);
  if (selector && isEmptySelector(selector)) {
    problems.invalid(path, selector, 'empty selector is invalid for daemonset');
  }
}

function validateStrategy(strategy: DaemonSetUpdateStrategy, problems: Problems): void {
  const { type = '', rollingUpdate } = strategy;
  if (type === 'OnDelete') return;
  const path = STRATEGY.child('rollingUpdate');
  if (type !== 'RollingUpdate') problems.notSupported(STRATEGY, strategy, ['OnDelete', 'RollingUpdate']);
  else if (rollingUpdate) validateRollingUpdate(rollingUpdate, path, problems);
  else problems.required(path);
}

/** Either an old pod goes before the new one comes, or the new one comes first. */
function validateRollingUpdate(
  { maxUnavailable = 0, maxSurge = 0 }: RollingUpdateDaemonSet,
  path: Path,
  problems: Problems,
): void {
  validateIntOrPercent(maxUnavailable, path, 'maxUnavailable', problems);
  validateIntOrPercent(maxSurge, path, 'maxSurge', problems);
  notAboveAll(maxUnavailable, path, 'maxUnavailable', problems);
  notAboveAll(maxSurge, path, 'maxSurge', problems);
  const goesFirst = amountOf(maxUnavailable) !== 0;
  const comesFirst = amountOf(maxSurge) !== 0;
  if (goesFirst && comesFirst) {
    problems.invalid(path.child('maxSurge'), maxSurge, 'may not be set when maxUnavailable is non-zero');
  }
  if (!goesFirst && !comesFirst) problems.required(path.child('maxUnavailable'), 'cannot be 0 when maxSurge is 0');
}

export function validateDaemonSetUpdate({ spec }: DaemonSet, old: DaemonSet, problems: Problems): void {
  unchanged(problems, SPEC, 'selector', spec.selector, old.spec.selector);
}

const COUNTS = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
] as const satisfies readonly (keyof DaemonSet['status'])[];

export function validateDaemonSetStatusUpdate({ status }: DaemonSet, old: DaemonSet, problems: Problems): void {
  for (const field of COUNTS) nonNegative(problems, STATUS, field, status[field]);
  validateCollisionCount(status.collisionCount, old.status.collisionCount, STATUS, problems);
}
