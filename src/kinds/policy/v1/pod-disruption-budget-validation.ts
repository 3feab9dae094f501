import { validateConditions } from '../../../meta/condition-validation.ts';
import { nonNegative } from '../../../meta/field-rules.ts';
import { validateLabelSelector } from '../../../meta/label-selector-validation.ts';
import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import { notAboveAll, validateIntOrPercent } from '../../apps/rolling-update-validation.ts';
import type { PodDisruptionBudget } from './pod-disruption-budget.ts';

const SPEC = Path.of('spec');
const STATUS = Path.of('status');

export function validatePodDisruptionBudget({ spec }: PodDisruptionBudget, problems: Problems): void {
  if (spec.minAvailable !== undefined && spec.maxUnavailable !== undefined) {
    problems.invalid(SPEC, spec, 'minAvailable and maxUnavailable cannot be both set');
  }
  for (const field of ['minAvailable', 'maxUnavailable'] as const) {
    const amount = spec[field];
    if (amount === undefined) continue;
    validateIntOrPercent(amount, SPEC, field, problems);
    notAboveAll(amount, SPEC, field, problems);
  }
  validateLabelSelector(spec.selector, SPEC.child('selector'), problems);
}

export function validatePodDisruptionBudgetStatusUpdate(
  { status }: PodDisruptionBudget,
  _old: PodDisruptionBudget,
  problems: Problems,
): void {
  validateConditions(status.conditions, STATUS.child('conditions'), problems);
  nonNegative(problems, STATUS, 'disruptionsAllowed', status.disruptionsAllowed);
  nonNegative(problems, STATUS, 'currentHealthy', status.currentHealthy);
  nonNegative(problems, STATUS, 'desiredHealthy', status.desiredHealthy);
  nonNegative(problems, STATUS, 'expectedPods', status.expectedPods);
}
