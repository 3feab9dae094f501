import { nonNegative, unchanged } from '../../meta/field-rules.ts';
import type { HookContext } from '../../registry/resource-type.ts';
import { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import { validateCounts, validateOwnSelector, validateReplicas } from '../core/replication/replicas-validation.ts';
import type { ReplicaSet } from './replica-set.ts';

const SPEC = Path.of('spec');
const STATUS = Path.of('status');

export function validateReplicaSet({ spec }: ReplicaSet, problems: Problems, context: HookContext): void {
  nonNegative(problems, SPEC, 'replicas', spec.replicas);
  nonNegative(problems, SPEC, 'minReadySeconds', spec.minReadySeconds);
  validateOwnSelector(spec.selector, 'deployment', SPEC.child('selector'), problems);
  validateReplicas(spec, SPEC, problems, context);
}

export function validateReplicaSetUpdate({ spec }: ReplicaSet, old: ReplicaSet, problems: Problems): void {
  unchanged(problems, SPEC, 'selector', spec.selector, old.spec.selector);
}

export function validateReplicaSetStatusUpdate({ status }: ReplicaSet, _old: ReplicaSet, problems: Problems): void {
  nonNegative(problems, STATUS, 'observedGeneration', status.observedGeneration);
  validateCounts(status, ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'], STATUS, problems);
}
