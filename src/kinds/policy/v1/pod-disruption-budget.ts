import { Condition } from '../../../meta/condition.ts';
import { LabelSelector } from '../../../meta/label-selector.ts';
import { ObjectMeta } from '../../../meta/object-meta.ts';
import { int32, int64, intOrString, time } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, map, struct } from '../../../schema/schema.ts';

export const PodDisruptionBudgetSpec = struct(
  'policy.v1.PodDisruptionBudgetSpec',
  {
    minAvailable: f(
      1,
      intOrString().optional(),
      'Fewest pods that must stay available after an eviction, as a number or a percentage; 100% forbids evictions. Excludes maxUnavailable.',
    ),
    selector: f(
      2,
      LabelSelector.optional().patchStrategy('replace'),
      'Pods in the same namespace that the budget covers. Empty: all pods; unset: none.',
    ),
    maxUnavailable: f(
      3,
      intOrString().optional(),
      'Most pods that may be unavailable after an eviction, as a number or a percentage; 0 forbids evictions. Excludes minAvailable.',
    ),
  },
  { description: 'How many of the selected pods must stay; has either minAvailable or maxUnavailable.' },
);
export type PodDisruptionBudgetSpec = Infer<typeof PodDisruptionBudgetSpec>;

export const PodDisruptionBudgetStatus = struct(
  'policy.v1.PodDisruptionBudgetStatus',
  {
    observedGeneration: f(
      1,
      int64(),
      'The metadata.generation that this status was written for; while it is smaller than that one, nothing may be evicted.',
    ),
    disruptedPods: f(
      2,
      map(time()),
      'Pods that were evicted and have not been seen to go yet, with the time of the eviction.',
    ),
    disruptionsAllowed: f(3, int32().required(), 'Number of pods that may be evicted now.'),
    currentHealthy: f(4, int32().required(), 'Number of pods that are healthy now.'),
    desiredHealthy: f(5, int32().required(), 'Fewest healthy pods that the budget demands.'),
    expectedPods: f(6, int32().required(), 'Number of pods that the budget covers, existing or not.'),
    conditions: f(
      7,
      list(Condition).mapBy('type').mergeBy('type'),
      'Observed aspects of the state; DisruptionAllowed is True while an eviction is possible.',
    ),
  },
  { description: 'What was last observed of a budget; evictions are decided by it.' },
);
export type PodDisruptionBudgetStatus = Infer<typeof PodDisruptionBudgetStatus>;

export const PodDisruptionBudget = kind(
  'policy.v1.PodDisruptionBudget',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, PodDisruptionBudgetSpec),
    status: f(3, PodDisruptionBudgetStatus),
  },
  {
    description:
      'Limits how many of the selected pods can be evicted at the same time; failures of nodes and deletions are not held back.',
  },
);
export type PodDisruptionBudget = Infer<typeof PodDisruptionBudget>;
