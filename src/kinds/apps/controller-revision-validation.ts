import { IMMUTABLE, nonNegative } from '../../meta/field-rules.ts';
import { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import { sameValue } from '../../schema/same-value.ts';
import type { ControllerRevision } from './controller-revision.ts';

const ROOT = Path.of('');

export function validateControllerRevision({ data, revision }: ControllerRevision, problems: Problems): void {
  if (!data) problems.required('data', 'data is mandatory');
  nonNegative(problems, ROOT, 'revision', revision);
}

/** A former state stays what it was. */
export function validateControllerRevisionUpdate(
  { data }: ControllerRevision,
  old: ControllerRevision,
  problems: Problems,
): void {
  if (!sameValue(data, old.data)) problems.invalid('data', data, IMMUTABLE);
}
