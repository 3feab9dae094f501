import { nonNegative, unchanged } from '../../meta/field-rules.ts';
import type { HookContext } from '../../registry/resource-type.ts';
import { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import {
  validateCollisionCount,
  validateCounts,
  validateOwnSelector,
  validateReplicas,
} from '../core/replication/replicas-validation.ts';
import type { Deployment, DeploymentStrategy, RollingUpdateDeployment } from './deployment.ts';
import { amountOf, notAboveAll, validateIntOrPercent } from './rolling-update-validation.ts';

const SPEC = Path.of('spec');
const STRATEGY = SPEC.child('strategy');
const STATUS = Path.of('status');

export function validateDeployment({ spec }: Deployment, problems: Problems, context: HookContext): void {
  nonNegative(problems, SPEC, 'replicas', spec.replicas);
  validateOwnSelector(spec.selector, 'deployment', SPEC.child('selector'), problems);
  validateReplicas(spec, SPEC, problems, context);
  validateStrategy(spec.strategy, problems);
  nonNegative(problems, SPEC, 'minReadySeconds', spec.minReadySeconds);
  nonNegative(problems, SPEC, 'revisionHistoryLimit', spec.revisionHistoryLimit);
  const { progressDeadlineSeconds: deadline, minReadySeconds = 0 } = spec;
  nonNegative(problems, SPEC, 'progressDeadlineSeconds', deadline);
  if (deadline !== undefined && deadline <= minReadySeconds) {
    problems.invalid(SPEC.child('progressDeadlineSeconds'), deadline, 'must be greater than minReadySeconds');
  }
}

function validateStrategy(strategy: DeploymentStrategy, problems: Problems): void {
  const { type = '', rollingUpdate } = strategy;
  const path = STRATEGY.child('rollingUpdate');
  if (type === 'Recreate') {
    if (rollingUpdate) problems.forbidden(path, "may not be specified when strategy `type` is 'Recreate'");
  } else if (type !== 'RollingUpdate') problems.notSupported(STRATEGY, strategy, ['Recreate', 'RollingUpdate']);
  else if (rollingUpdate) validateRollingUpdate(rollingUpdate, path, problems);
  else problems.required(path, 'this should be defaulted and never be nil');
}

function validateRollingUpdate(
  { maxUnavailable = 0, maxSurge = 0 }: RollingUpdateDeployment,
  path: Path,
  problems: Problems,
): void {
  validateIntOrPercent(maxUnavailable, path, 'maxUnavailable', problems);
  validateIntOrPercent(maxSurge, path, 'maxSurge', problems);
  if (amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0) {
    problems.invalid(path.child('maxUnavailable'), maxUnavailable, 'may not be 0 when `maxSurge` is 0');
  }
  notAboveAll(maxUnavailable, path, 'maxUnavailable', problems);
}

export function validateDeploymentUpdate({ spec }: Deployment, old: Deployment, problems: Problems): void {
  unchanged(problems, SPEC, 'selector', spec.selector, old.spec.selector);
}

export function validateDeploymentStatusUpdate({ status }: Deployment, old: Deployment, problems: Problems): void {
  nonNegative(problems, STATUS, 'observedGeneration', status.observedGeneration);
  nonNegative(problems, STATUS, 'unavailableReplicas', status.unavailableReplicas);
  nonNegative(problems, STATUS, 'collisionCount', status.collisionCount);
  validateCounts(status, ['updatedReplicas', 'readyReplicas', 'availableReplicas'], STATUS, problems);
  validateCollisionCount(status.collisionCount, old.status.collisionCount, STATUS, problems);
}
