import type { PodDisruptionBudget as DeclaredPodDisruptionBudget } from '../../../kinds/policy/v1/pod-disruption-budget.ts';
import { inGroup, type ObjectKind } from '../object-kind.ts';

const policy = inGroup('policy', 'v1');

export type PodDisruptionBudget = DeclaredPodDisruptionBudget;
export const PodDisruptionBudget: ObjectKind<PodDisruptionBudget, true> = policy.namespaced(
  'PodDisruptionBudget',
  'poddisruptionbudgets',
);
