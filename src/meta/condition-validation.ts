import type { Path } from '../schema/path.ts';
import type { Problems } from '../schema/problems.ts';
import type { Condition } from './condition.ts';
import { distinct, formatted, named, nonNegative } from './field-rules.ts';
import { conditionReason, qualifiedName } from './formats.ts';

const STATUSES = ['False', 'True', 'Unknown'];
const LONGEST_REASON = 1024;
const LONGEST_MESSAGE = 32 * 1024;

/** Conditions in the form that newer kinds share: one of each type, each complete. */
export function validateConditions(conditions: readonly Condition[] | undefined, path: Path, problems: Problems): void {
  if (!conditions) return;
  const types = conditions.map(({ type }) => type);
  distinct(problems, path, 'type', types);
  conditions.forEach((condition, at) => {
    validateCondition(condition, path.index(at), problems);
  });
}

function validateCondition(condition: Condition, path: Path, problems: Problems): void {
  const { type, status, observedGeneration, lastTransitionTime, reason, message } = condition;
  formatted(problems, path, 'type', type, qualifiedName);
  if (!STATUSES.includes(status)) problems.notSupported(path.child('status'), status, STATUSES);
  nonNegative(problems, path, 'observedGeneration', observedGeneration);
  if (!lastTransitionTime) problems.required(path.child('lastTransitionTime'), 'must be set');
  named(problems, path, 'reason', reason, conditionReason);
  if (reason.length > LONGEST_REASON) problems.tooLong(path.child('reason'), LONGEST_REASON);
  if (Buffer.byteLength(message) > LONGEST_MESSAGE) problems.tooLong(path.child('message'), LONGEST_MESSAGE);
}
