import { oneOf } from '../../meta/field-rules.ts';
import { qualifiedName } from '../../meta/formats.ts';
import type { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import type { JobSpec } from './job.ts';
import type {
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
} from './pod-failure-policy.ts';

const ACTIONS = ['Count', 'FailJob', 'Ignore'];
const OPERATORS = ['In', 'NotIn'];
const STATUSES = ['False', 'True', 'Unknown'];
const MOST_RULES = 20;
const MOST_EXIT_CODES = 255;
const MOST_CONDITIONS = 20;

/** The rules for failed pods of a job, if it has any. */
export function validatePodFailurePolicy({ podFailurePolicy, template }: JobSpec, at: Path, problems: Problems): void {
  if (!podFailurePolicy) return;
  const path = at.child('podFailurePolicy');
  const { restartPolicy } = template.spec;
  if (restartPolicy !== 'Never') {
    const place = at.child('template').child('spec').child('restartPolicy');
    problems.invalid(place, restartPolicy, 'only "Never" is supported when podFailurePolicy is specified');
  }
  const { containers, initContainers } = template.spec;
  const names = new Set([...(containers ?? []), ...(initContainers ?? [])].map(({ name }) => name));
  const rules = podFailurePolicy.rules ?? [];
  if (rules.length > MOST_RULES) problems.tooMany(path.child('rules'), rules.length, MOST_RULES);
  rules.forEach((rule, index) => {
    validateRule(rule, path.child('rules').index(index), names, problems);
  });
}

function validateRule(rule: PodFailurePolicyRule, path: Path, names: ReadonlySet<string>, problems: Problems): void {
  const { action, onExitCodes, onPodConditions } = rule;
  if (action === '') problems.required(path.child('action'), `valid values: ${JSON.stringify(ACTIONS)}`);
  else oneOf(problems, path, 'action', action, ACTIONS);
  if (onExitCodes) validateExitCodes(onExitCodes, path.child('onExitCodes'), names, problems);
  validateConditions(onPodConditions ?? [], path.child('onPodConditions'), problems);
  const isByCondition = (onPodConditions ?? []).length > 0;
  if (onExitCodes && isByCondition) {
    problems.invalid(path, rule, 'specifying both OnExitCodes and OnPodConditions is not supported');
  } else if (!onExitCodes && !isByCondition) {
    problems.invalid(path, rule, 'specifying one of OnExitCodes and OnPodConditions is required');
  }
}

function validateExitCodes(
  { operator, values: given, containerName }: PodFailurePolicyOnExitCodesRequirement,
  path: Path,
  names: ReadonlySet<string>,
  problems: Problems,
): void {
  if (operator === '') problems.required(path.child('operator'), `valid values: ${JSON.stringify(OPERATORS)}`);
  else oneOf(problems, path, 'operator', operator, OPERATORS);
  if (containerName !== undefined && containerName !== null && !names.has(containerName)) {
    problems.invalid(
      path.child('containerName'),
      containerName,
      'must be one of the container or initContainer names in the pod template',
    );
  }
  const place = path.child('values');
  const values = given ?? [];
  if (values.length === 0) problems.invalid(place, values, 'at least one value is required');
  else if (values.length > MOST_EXIT_CODES) problems.tooMany(place, values.length, MOST_EXIT_CODES);
  let isOrdered = true;
  values.forEach((value, index) => {
    const before = values[index - 1];
    if (value === 0 && operator === 'In')
      problems.invalid(place.index(index), value, 'must not be 0 for the In operator');
    if (before === value) problems.duplicate(place.index(index), value);
    if (before !== undefined && before > value) isOrdered = false;
  });
  if (!isOrdered) problems.invalid(place, values, 'must be ordered');
}

function validateConditions(
  conditions: readonly PodFailurePolicyOnPodConditionsPattern[],
  path: Path,
  problems: Problems,
): void {
  if (conditions.length > MOST_CONDITIONS) problems.tooMany(path, conditions.length, MOST_CONDITIONS);
  conditions.forEach(({ type, status }, index) => {
    const problem = qualifiedName(type);
    if (problem !== undefined) problems.invalid(path.index(index).child('type'), type, problem);
    if (status === '')
      problems.required(path.index(index).child('status'), `valid values: ${JSON.stringify(STATUSES)}`);
    else oneOf(problems, path.index(index), 'status', status, STATUSES);
  });
}
