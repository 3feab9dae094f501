import type { Path } from '../schema/path.ts';
import type { Problems } from '../schema/problems.ts';
import { formatted } from './field-rules.ts';
import { labelValue, qualifiedName } from './formats.ts';
import type { LabelSelector, LabelSelectorRequirement } from './label-selector.ts';
import { validateLabels } from './labels-validation.ts';

/** The rules of a selector inside an object. A missing selector is for its owner to judge. */
export function validateLabelSelector(
  selector: LabelSelector | null | undefined,
  path: Path,
  problems: Problems,
): void {
  if (!selector) return;
  validateLabels(selector.matchLabels, path.child('matchLabels'), problems);
  const { matchExpressions } = selector;
  if (!matchExpressions) return;
  const expressions = path.child('matchExpressions');
  matchExpressions.forEach((requirement, at) => {
    validateRequirement(requirement, expressions.index(at), problems);
  });
}

function validateRequirement(
  { key, operator, values }: LabelSelectorRequirement,
  path: Path,
  problems: Problems,
): void {
  const count = values?.length ?? 0;
  if (operator === 'In' || operator === 'NotIn') {
    if (count === 0) problems.required(path.child('values'), "must be specified when `operator` is 'In' or 'NotIn'");
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (count > 0) {
      problems.forbidden(path.child('values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    }
  } else problems.invalid(path.child('operator'), operator, 'not a valid selector operator');
  formatted(problems, path, 'key', key, qualifiedName);
}

export const isEmptySelector = ({ matchLabels, matchExpressions }: LabelSelector): boolean =>
  !matchExpressions?.length && Object.keys(matchLabels ?? {}).length === 0;

/** A selector that could not be matched against anything, however its parts look one by one. */
export const isUnusableSelector = ({ matchExpressions = [] }: LabelSelector): boolean =>
  matchExpressions.some(
    ({ operator, values = [] }) =>
      !OPERATORS.includes(operator) || values.some((value) => labelValue(value) !== undefined),
  );

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

type Labels = Readonly<Record<string, string>> | null | undefined;

/** Whether labels satisfy a selector. A missing selector matches nothing, an empty one everything. */
export function selects(selector: LabelSelector | null | undefined, labels: Labels): boolean {
  if (!selector) return false;
  const labelOf = (key: string): string | undefined => (labels && Object.hasOwn(labels, key) ? labels[key] : undefined);
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) if (labelOf(key) !== value) return false;
  return selector.matchExpressions?.every((requirement) => holds(requirement, labelOf(requirement.key))) ?? true;
}

function holds({ operator, values = [] }: LabelSelectorRequirement, value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    default:
      return operator === 'DoesNotExist' && value === undefined;
  }
}
