import { oneOf, unchanged } from '../../meta/field-rules.ts';
import { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import type { PriorityClass } from './priority-class.ts';
import { systemPriorityClasses } from './system-priority-classes.ts';

const ROOT = Path.of('');
const HIGHEST = 1_000_000_000;
const RESERVED = 'system-';
const PREEMPTION_POLICIES = ['Never', 'PreemptLowerPriority'];

export function validatePriorityClass(priorityClass: PriorityClass, problems: Problems): void {
  const { metadata, value } = priorityClass;
  if (metadata.name?.startsWith(RESERVED)) validateSystemClass(priorityClass, problems);
  else if (value > HIGHEST) {
    problems.forbidden('value', `maximum allowed value of a user defined priority is ${HIGHEST}`);
  }
  oneOf(problems, ROOT, 'preemptionPolicy', priorityClass.preemptionPolicy, PREEMPTION_POLICIES);
}

/** Names with this prefix are the server's own, and what they stand for is fixed. */
function validateSystemClass({ metadata, value, globalDefault }: PriorityClass, problems: Problems): void {
  const { name = '' } = metadata;
  const known = systemPriorityClasses.find((one) => one.name === name)?.value;
  const why =
    known === undefined
      ? `${name} is not a known system priority class`
      : value !== known
        ? `value of ${name} PriorityClass must be ${known}`
        : globalDefault && `globalDefault of ${name} PriorityClass must be false`;
  if (!why) return;
  const lead = `priority class names with '${RESERVED}' prefix are reserved for system use only`;
  problems.forbidden('metadata.name', `${lead}. error: ${why}`);
}

/** Pods keep the priority they were made with, so a class keeps its own. */
export function validatePriorityClassUpdate(
  priorityClass: PriorityClass,
  old: PriorityClass,
  problems: Problems,
): void {
  if (priorityClass.value !== old.value) problems.forbidden('value', 'may not be changed in an update.');
  unchanged(problems, ROOT, 'preemptionPolicy', priorityClass.preemptionPolicy, old.preemptionPolicy);
}
