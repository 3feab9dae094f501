import { nonNegative, oneOf, positive, required } from '../../../meta/field-rules.ts';
import type { HookContext } from '../../../registry/resource-type.ts';
import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import type { HPAScalingPolicy, HPAScalingRules } from './behavior.ts';
import type { HorizontalPodAutoscaler, HorizontalPodAutoscalerSpec } from './horizontal-pod-autoscaler.ts';
import { validateMetric, validateReference } from './metric-validation.ts';

const SPEC = Path.of('spec');
const STATUS = Path.of('status');

export function validateHorizontalPodAutoscaler(
  { spec }: HorizontalPodAutoscaler,
  problems: Problems,
  context: HookContext,
): void {
  validateBounds(spec, problems, context);
  validateReference(spec.scaleTargetRef, SPEC.child('scaleTargetRef'), problems);
  spec.metrics?.forEach((metric, at) => {
    validateMetric(metric, SPEC.child('metrics').index(at), problems, context);
  });
  const behavior = SPEC.child('behavior');
  const { scaleUp, scaleDown } = spec.behavior ?? {};
  if (scaleUp) validateRules(scaleUp, behavior.child('scaleUp'), problems);
  if (scaleDown) validateRules(scaleDown, behavior.child('scaleDown'), problems);
}

function validateBounds(
  { minReplicas, maxReplicas }: HorizontalPodAutoscalerSpec,
  problems: Problems,
  { features }: HookContext,
): void {
  const least = features.isOn('HPAScaleToZero') ? 0 : 1;
  if (minReplicas !== undefined && minReplicas < least) {
    problems.invalid(SPEC.child('minReplicas'), minReplicas, `must be greater than or equal to ${least}`);
  }
  positive(problems, SPEC, 'maxReplicas', maxReplicas);
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    problems.invalid(SPEC.child('maxReplicas'), maxReplicas, 'must be greater than or equal to `minReplicas`');
  }
}

const LONGEST_WINDOW = 3600;
const LONGEST_PERIOD = 1800;
const SELECTIONS = ['Disabled', 'Max', 'Min'];
const POLICY_TYPES = ['Percent', 'Pods'];

/** How fast the number of replicas may go up or down. */
function validateRules(rules: HPAScalingRules, path: Path, problems: Problems): void {
  const { stabilizationWindowSeconds: window = 0, selectPolicy, policies } = rules;
  nonNegative(problems, path, 'stabilizationWindowSeconds', window);
  atMost(window, LONGEST_WINDOW, path, 'stabilizationWindowSeconds', problems);
  oneOf(problems, path, 'selectPolicy', selectPolicy, SELECTIONS);
  required(problems, path, 'policies', policies, 'must specify at least one Policy');
  policies?.forEach((policy, at) => {
    validatePolicy(policy, path.child('policies').index(at), problems);
  });
}

function validatePolicy({ type, value, periodSeconds }: HPAScalingPolicy, path: Path, problems: Problems): void {
  oneOf(problems, path, 'type', type, POLICY_TYPES);
  positive(problems, path, 'value', value);
  positive(problems, path, 'periodSeconds', periodSeconds);
  atMost(periodSeconds, LONGEST_PERIOD, path, 'periodSeconds', problems);
}

function atMost(value: number, highest: number, path: Path, field: string, problems: Problems): void {
  if (value > highest) problems.invalid(path.child(field), value, `must be less than or equal to ${highest}`);
}

export function validateHorizontalPodAutoscalerStatusUpdate(
  { status }: HorizontalPodAutoscaler,
  _old: HorizontalPodAutoscaler,
  problems: Problems,
): void {
  nonNegative(problems, STATUS, 'currentReplicas', status.currentReplicas);
  nonNegative(problems, STATUS, 'desiredReplicas', status.desiredReplicas);
}
