import { LabelSelector } from '../../../meta/label-selector.ts';
import { int32, string } from '../../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../../schema/schema.ts';
import { NodeSelector, NodeSelectorTerm } from '../node/node-selector.ts';

export const PreferredSchedulingTerm = struct(
  'core.v1.PreferredSchedulingTerm',
  {
    weight: f(
      1,
      int32().required(),
      'How much a matching node gains when nodes are ranked, from 1 to 100. Weights of all matching terms add up.',
    ),
    preference: f(
      2,
      NodeSelectorTerm.required(),
      'Which nodes the weight is given to. A term without any requirement matches no node.',
    ),
  },
  { description: 'A preference for some nodes, with a weight that says how much it counts.' },
);
export type PreferredSchedulingTerm = Infer<typeof PreferredSchedulingTerm>;

export const NodeAffinity = struct(
  'core.v1.NodeAffinity',
  {
    requiredDuringSchedulingIgnoredDuringExecution: f(
      1,
      NodeSelector.optional(),
      'Nodes that do not match get no such pod. A pod that is already there stays when the labels of its node change.',
    ),
    preferredDuringSchedulingIgnoredDuringExecution: f(
      2,
      list(PreferredSchedulingTerm),
      'Nodes to prefer among those that are possible; the one with the highest sum of weights wins.',
    ),
  },
  { description: 'Which nodes a pod may run on, and which of these it prefers, by labels of the nodes.' },
);
export type NodeAffinity = Infer<typeof NodeAffinity>;

export const PodAffinityTerm = struct(
  'core.v1.PodAffinityTerm',
  {
    labelSelector: f(
      1,
      LabelSelector.optional(),
      'Labels of the pods that are meant. Unset matches no pod, an empty selector matches all.',
    ),
    namespaces: f(
      2,
      list(string()),
      'Namespaces to look for these pods in, besides those of namespaceSelector. With both unset: the namespace of the pod itself.',
    ),
    topologyKey: f(
      3,
      string().required(),
      'Label of nodes that forms the domains: nodes with the same value of it are one domain. Must not be empty.',
    ),
    namespaceSelector: f(
      4,
      LabelSelector.optional(),
      'Labels of namespaces to look for these pods in, besides those named in namespaces. An empty selector matches all namespaces.',
    ),
  },
  {
    description:
      'A set of pods, and the domain (node, zone and so on) in which a pod is to be near them or apart from them.',
  },
);
export type PodAffinityTerm = Infer<typeof PodAffinityTerm>;

export const WeightedPodAffinityTerm = struct(
  'core.v1.WeightedPodAffinityTerm',
  {
    weight: f(1, int32().required(), 'How much a node that fits the term gains when nodes are ranked, from 1 to 100.'),
    podAffinityTerm: f(
      2,
      PodAffinityTerm.required(),
      'The pods that are meant and the domain in which to be near them or apart from them.',
    ),
  },
  { description: 'A preference to be near some pods, or apart from them, with a weight that says how much it counts.' },
);
export type WeightedPodAffinityTerm = Infer<typeof WeightedPodAffinityTerm>;

export const PodAffinity = struct(
  'core.v1.PodAffinity',
  {
    requiredDuringSchedulingIgnoredDuringExecution: f(
      1,
      list(PodAffinityTerm),
      'All these terms must hold for a node to be chosen. A pod that is already there stays when they no longer hold.',
    ),
    preferredDuringSchedulingIgnoredDuringExecution: f(
      2,
      list(WeightedPodAffinityTerm),
      'Terms that are tried for; the node with the highest sum of weights wins.',
    ),
  },
  { description: 'Which pods a pod is to be placed near to: on the same node, in the same zone and so on.' },
);
export type PodAffinity = Infer<typeof PodAffinity>;

export const PodAntiAffinity = struct(
  'core.v1.PodAntiAffinity',
  {
    requiredDuringSchedulingIgnoredDuringExecution: f(
      1,
      list(PodAffinityTerm),
      'No pod of these terms may be in the domain of the chosen node. A pod that is already there stays when that changes.',
    ),
    preferredDuringSchedulingIgnoredDuringExecution: f(
      2,
      list(WeightedPodAffinityTerm),
      'Terms that are tried for; the node with the lowest sum of weights that it violates wins.',
    ),
  },
  { description: 'Which pods a pod is to be kept apart from: not on the same node, not in the same zone and so on.' },
);
export type PodAntiAffinity = Infer<typeof PodAntiAffinity>;

export const Affinity = struct(
  'core.v1.Affinity',
  {
    nodeAffinity: f(1, NodeAffinity.optional(), 'Which nodes the pod may run on or prefers, by their labels.'),
    podAffinity: f(2, PodAffinity.optional(), 'Which other pods it is to be placed near to.'),
    podAntiAffinity: f(3, PodAntiAffinity.optional(), 'Which other pods it is to be kept apart from.'),
  },
  { description: 'Rules for choosing the node of a pod, by labels of nodes and by the pods that already run.' },
);
export type Affinity = Infer<typeof Affinity>;
