import { formatted } from '../../meta/field-rules.ts';
import { intOrPercent, percent } from '../../meta/formats.ts';
import type { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';

/** How many replicas at once: a number, or a percentage of all. */

export function validateIntOrPercent(value: number | string, path: Path, field: string, problems: Problems): void {
  formatted(problems, path, field, value, intOrPercent);
}

/** The number, or the number of percents. What is neither counts as none. */
export const amountOf = (value: number | string): number =>
  typeof value === 'number' ? value : percent(value) === undefined ? Number.parseInt(value, 10) : 0;

/** No more than all of them. */
export function notAboveAll(value: number | string, path: Path, field: string, problems: Problems): void {
  if (typeof value === 'string' && amountOf(value) > 100) {
    problems.invalid(path.child(field), value, 'must not be greater than 100%');
  }
}
