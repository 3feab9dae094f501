import { nonNegative } from '../../../meta/field-rules.ts';
import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import type { Scale } from './scale.ts';

/** How many replicas there are to be. */
export function validateScale({ spec }: Scale, problems: Problems): void {
  nonNegative(problems, Path.of('spec'), 'replicas', spec.replicas);
}
