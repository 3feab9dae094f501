import { int32, string } from '../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../schema/schema.ts';
import { LabelSelector } from '../meta/label-selector.ts';

export const TopologySpreadConstraint = struct('core.v1.TopologySpreadConstraint', {
  maxSkew: f(1, int32().required()),
  topologyKey: f(2, string().required()),
  whenUnsatisfiable: f(3, string().required().oneOf('DoNotSchedule', 'ScheduleAnyway')),
  labelSelector: f(4, LabelSelector.optional()),
  minDomains: f(5, int32().optional()),
  nodeAffinityPolicy: f(6, string().optional()),
  nodeTaintsPolicy: f(7, string().optional()),
  matchLabelKeys: f(8, list(string()).atomicList()),
});
export type TopologySpreadConstraint = Infer<typeof TopologySpreadConstraint>;

export const TopologySelectorLabelRequirement = struct('core.v1.TopologySelectorLabelRequirement', {
  key: f(1, string().required()),
  values: f(2, list(string()).required()),
});
export type TopologySelectorLabelRequirement = Infer<typeof TopologySelectorLabelRequirement>;

export const TopologySelectorTerm = struct(
  'core.v1.TopologySelectorTerm',
  {
    matchLabelExpressions: f(1, list(TopologySelectorLabelRequirement)),
  },
  { topology: { mapType: 'atomic' } },
);
export type TopologySelectorTerm = Infer<typeof TopologySelectorTerm>;
