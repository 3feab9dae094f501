import { int32, int64, intOrString, time } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, map, struct } from '../../../schema/schema.ts';
import { Condition } from '../../meta/condition.ts';
import { LabelSelector } from '../../meta/label-selector.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';

export const PodDisruptionBudgetSpec = struct('policy.v1.PodDisruptionBudgetSpec', {
  minAvailable: f(1, intOrString().optional(), 'How many must stay, or what share.'),
  selector: f(2, LabelSelector.optional().patchStrategy('replace'), 'The pods it is about.'),
  maxUnavailable: f(3, intOrString().optional(), 'How many may be missing, or what share.'),
});
export type PodDisruptionBudgetSpec = Infer<typeof PodDisruptionBudgetSpec>;

export const PodDisruptionBudgetStatus = struct('policy.v1.PodDisruptionBudgetStatus', {
  observedGeneration: f(1, int64()),
  disruptedPods: f(2, map(time())),
  disruptionsAllowed: f(3, int32().required()),
  currentHealthy: f(4, int32().required()),
  desiredHealthy: f(5, int32().required()),
  expectedPods: f(6, int32().required()),
  conditions: f(7, list(Condition).mapBy('type').mergeBy('type')),
});
export type PodDisruptionBudgetStatus = Infer<typeof PodDisruptionBudgetStatus>;

export const PodDisruptionBudget = kind(
  'policy.v1.PodDisruptionBudget',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, PodDisruptionBudgetSpec),
    status: f(3, PodDisruptionBudgetStatus),
  },
  { description: 'How many of the selected pods may be taken away at once by choice.' },
);
export type PodDisruptionBudget = Infer<typeof PodDisruptionBudget>;
