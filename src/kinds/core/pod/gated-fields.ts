import { type GatedField, gatedWithin } from '../../../registry/gated-fields.ts';
import type { TopologySpreadConstraint } from '../topology.ts';
import type { Container } from './container.ts';
import type { PodSpec } from './pod-spec.ts';

type ConstraintField = 'minDomains' | 'nodeAffinityPolicy' | 'nodeTaintsPolicy' | 'matchLabelKeys';

/** Fields of the constraints on how pods are spread. */
const ofConstraints = (
  feature: GatedField<PodSpec>['feature'],
  ...names: readonly ConstraintField[]
): GatedField<PodSpec> => ({
  feature,
  isUsed: ({ topologySpreadConstraints = [] }) =>
    topologySpreadConstraints.some((constraint: TopologySpreadConstraint) =>
      names.some((name) => constraint[name] !== undefined),
    ),
  drop({ topologySpreadConstraints = [] }) {
    for (const constraint of topologySpreadConstraints) for (const name of names) delete constraint[name];
  },
});

const masksProcesses = ({ securityContext }: Pick<Container, 'securityContext'>): boolean =>
  securityContext?.procMount !== undefined;

/** Of whatever holds a pod, or a template of one. */
export const POD_SPEC_GATED_FIELDS: readonly GatedField<PodSpec>[] = [
  {
    feature: 'UserNamespacesStatelessPodsSupport',
    isUsed: ({ hostUsers }) => hostUsers !== undefined,
    drop(spec) {
      delete spec.hostUsers;
    },
  },
  ofConstraints('MinDomainsInPodTopologySpread', 'minDomains'),
  ofConstraints('NodeInclusionPolicyInPodTopologySpread', 'nodeAffinityPolicy', 'nodeTaintsPolicy'),
  ofConstraints('MatchLabelKeysInPodTopologySpread', 'matchLabelKeys'),
  {
    feature: 'ProcMountType',
    isUsed: ({ containers, initContainers, ephemeralContainers }) =>
      [containers, initContainers, ephemeralContainers].some((list) => (list ?? []).some(masksProcesses)),
    drop({ containers, initContainers, ephemeralContainers }) {
      for (const list of [containers, initContainers, ephemeralContainers]) {
        for (const { securityContext } of list ?? []) delete securityContext?.procMount;
      }
    },
  },
];

/** Of workloads, whose pods are made of `spec.template`. */
export const templateGatedFields = <T extends { readonly spec: { readonly template: { readonly spec: PodSpec } } }>(
  ...more: readonly GatedField<T>[]
): readonly GatedField<T>[] => [
  ...gatedWithin<T, PodSpec>(
    ({ spec }) => spec.template.spec,
    ({ spec }) => spec.template.spec,
    POD_SPEC_GATED_FIELDS,
  ),
  ...more,
];
