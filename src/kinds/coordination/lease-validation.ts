import { nonNegative, positive } from '../../meta/field-rules.ts';
import { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import type { Lease } from './lease.ts';

const SPEC = Path.of('spec');

export function validateLease({ spec }: Lease, problems: Problems): void {
  positive(problems, SPEC, 'leaseDurationSeconds', spec.leaseDurationSeconds);
  nonNegative(problems, SPEC, 'leaseTransitions', spec.leaseTransitions);
}
