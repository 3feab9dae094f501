import { pathSegment } from '../../meta/formats.ts';
import { type ResourceType, resourceType, statusSubresource } from '../../registry/resource-type.ts';
import { podDisruptionBudgetColumns } from './v1/columns.ts';
import { PodDisruptionBudget } from './v1/pod-disruption-budget.ts';
import {
  validatePodDisruptionBudget,
  validatePodDisruptionBudgetStatusUpdate,
} from './v1/pod-disruption-budget-validation.ts';

export const policyResources = (): readonly ResourceType[] => [
  resourceType<PodDisruptionBudget>({
    group: 'policy',
    version: 'v1',
    kind: 'PodDisruptionBudget',
    plural: 'poddisruptionbudgets',
    shortNames: ['pdb'],
    namespaced: true,
    schema: PodDisruptionBudget,
    nameRule: pathSegment,
    strategy: { unconditionalUpdate: false, generation: true },
    columns: podDisruptionBudgetColumns,
    validate: validatePodDisruptionBudget,
    rules: { resets: ['status'] },
    subresources: {
      status: statusSubresource({
        resets: ['spec'],
        whole: false,
        validateUpdate: validatePodDisruptionBudgetStatusUpdate,
      }),
    },
  }),
];
