import { int32, string } from '../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../schema/schema.ts';
import { LabelSelector } from '../meta/label-selector.ts';
import { NodeSelector, NodeSelectorTerm } from './node-selector.ts';

export const PreferredSchedulingTerm = struct('core.v1.PreferredSchedulingTerm', {
  weight: f(1, int32().required()),
  preference: f(2, NodeSelectorTerm.required()),
});
export type PreferredSchedulingTerm = Infer<typeof PreferredSchedulingTerm>;

export const NodeAffinity = struct('core.v1.NodeAffinity', {
  requiredDuringSchedulingIgnoredDuringExecution: f(1, NodeSelector.optional()),
  preferredDuringSchedulingIgnoredDuringExecution: f(2, list(PreferredSchedulingTerm)),
});
export type NodeAffinity = Infer<typeof NodeAffinity>;

export const PodAffinityTerm = struct('core.v1.PodAffinityTerm', {
  labelSelector: f(1, LabelSelector.optional()),
  namespaces: f(2, list(string())),
  topologyKey: f(3, string().required()),
  namespaceSelector: f(4, LabelSelector.optional()),
});
export type PodAffinityTerm = Infer<typeof PodAffinityTerm>;

export const WeightedPodAffinityTerm = struct('core.v1.WeightedPodAffinityTerm', {
  weight: f(1, int32().required()),
  podAffinityTerm: f(2, PodAffinityTerm.required()),
});
export type WeightedPodAffinityTerm = Infer<typeof WeightedPodAffinityTerm>;

export const PodAffinity = struct('core.v1.PodAffinity', {
  requiredDuringSchedulingIgnoredDuringExecution: f(1, list(PodAffinityTerm)),
  preferredDuringSchedulingIgnoredDuringExecution: f(2, list(WeightedPodAffinityTerm)),
});
export type PodAffinity = Infer<typeof PodAffinity>;

export const PodAntiAffinity = struct('core.v1.PodAntiAffinity', {
  requiredDuringSchedulingIgnoredDuringExecution: f(1, list(PodAffinityTerm)),
  preferredDuringSchedulingIgnoredDuringExecution: f(2, list(WeightedPodAffinityTerm)),
});
export type PodAntiAffinity = Infer<typeof PodAntiAffinity>;

export const Affinity = struct('core.v1.Affinity', {
  nodeAffinity: f(1, NodeAffinity.optional()),
  podAffinity: f(2, PodAffinity.optional()),
  podAntiAffinity: f(3, PodAntiAffinity.optional()),
});
export type Affinity = Infer<typeof Affinity>;
