import { LabelSelector } from '../../meta/label-selector.ts';
import { int32, string } from '../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../schema/schema.ts';

export const TopologySpreadConstraint = struct(
  'core.v1.TopologySpreadConstraint',
  {
    maxSkew: f(
      1,
      int32().required(),
      'By how many the pods of a domain may exceed those of the domain with the fewest; at least 1.',
    ),
    topologyKey: f(
      2,
      string().required(),
      'Label of nodes that forms the domains: nodes with the same value of it are one domain.',
    ),
    whenUnsatisfiable: f(
      3,
      string().required().oneOf('DoNotSchedule', 'ScheduleAnyway'),
      'DoNotSchedule leaves the pod waiting; ScheduleAnyway places it where it makes the skew least.',
    ),
    labelSelector: f(
      4,
      LabelSelector.optional(),
      'Labels of the pods to count, in the namespace of the pod. Unset matches none.',
    ),
    minDomains: f(
      5,
      int32().optional(),
      'How many domains there must be for an even spread. Part of the feature MinDomainsInPodTopologySpread.',
    ),
    nodeAffinityPolicy: f(
      6,
      string().optional(),
      'Whether only nodes that the affinity of the pod allows are counted: Honor or Ignore. Part of the feature NodeInclusionPolicyInPodTopologySpread.',
    ),
    nodeTaintsPolicy: f(
      7,
      string().optional(),
      'Whether only nodes whose taints the pod tolerates are counted: Honor or Ignore. Part of the feature NodeInclusionPolicyInPodTopologySpread.',
    ),
    matchLabelKeys: f(
      8,
      list(string()).atomicList(),
      'Labels whose value in this pod is added to labelSelector. Part of the feature MatchLabelKeysInPodTopologySpread.',
    ),
  },
  { description: 'How evenly matching pods are spread over the domains that a label of nodes forms.' },
);
export type TopologySpreadConstraint = Infer<typeof TopologySpreadConstraint>;

export const TopologySelectorLabelRequirement = struct(
  'core.v1.TopologySelectorLabelRequirement',
  {
    key: f(1, string().required(), 'Label that is looked at.'),
    values: f(2, list(string()).required(), 'Values that are allowed; one of them must be that of the label.'),
  },
  { description: 'Values that a label of the topology may have.' },
);
export type TopologySelectorLabelRequirement = Infer<typeof TopologySelectorLabelRequirement>;

export const TopologySelectorTerm = struct(
  'core.v1.TopologySelectorTerm',
  {
    matchLabelExpressions: f(
      1,
      list(TopologySelectorLabelRequirement),
      'Labels of the topology and the values they may have.',
    ),
  },
  { description: 'Conditions on the place of a volume, which must all hold.', topology: { mapType: 'atomic' } },
);
export type TopologySelectorTerm = Infer<typeof TopologySelectorTerm>;
