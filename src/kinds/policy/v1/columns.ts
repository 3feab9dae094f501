import type { Column } from '../../../registry/resource-type.ts';
import { ageColumn, integer, nameColumn, text } from '../../columns.ts';
import type { PodDisruptionBudget } from './pod-disruption-budget.ts';

const NOT_SET = 'N/A';

export const podDisruptionBudgetColumns: readonly Column<PodDisruptionBudget>[] = [
  nameColumn,
  text('Min Available', 'Pods that must stay.', ({ spec }) => spec.minAvailable?.toString() ?? NOT_SET),
  text('Max Unavailable', 'Pods that may be missing.', ({ spec }) => spec.maxUnavailable?.toString() ?? NOT_SET),
  integer('Allowed Disruptions', 'Pods that may be evicted now.', ({ status }) => status.disruptionsAllowed),
  ageColumn,
];
