import type { GatedField } from '../../registry/gated-fields.ts';
import type { Draft } from '../../schema/draft.ts';
import { sameValue } from '../../schema/same-value.ts';
import type { DaemonSet } from './daemon-set.ts';
import type { Deployment } from './deployment.ts';
import type { StatefulSet } from './stateful-set.ts';

/** The rollout keeps its revision in annotations, so a change there is one the controller must look at. */
export const deploymentBumpsGeneration = (deployment: Deployment, old: Deployment): boolean =>
  !sameValue(deployment.spec, old.spec) || !sameValue(deployment.metadata.annotations, old.metadata.annotations);

export const STATEFUL_SET_GATED_FIELDS: readonly GatedField<StatefulSet>[] = [
  {
    feature: 'StatefulSetAutoDeletePVC',
    isUsed: ({ spec }) => spec.persistentVolumeClaimRetentionPolicy !== undefined,
    drop({ spec }) {
      delete spec.persistentVolumeClaimRetentionPolicy;
    },
  },
  {
    feature: 'MaxUnavailableStatefulSet',
    isUsed: ({ spec }) => spec.updateStrategy.rollingUpdate?.maxUnavailable !== undefined,
    drop({ spec }) {
      delete spec.updateStrategy.rollingUpdate?.maxUnavailable;
    },
  },
];

/** Counts the versions of the template. Once a field, kept as an annotation; clients cannot set it. */
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

export function prepareDaemonSet(daemonSet: Draft<DaemonSet>): void {
  setTemplateGeneration(daemonSet, 1);
}

export function prepareDaemonSetUpdate(daemonSet: Draft<DaemonSet>, old: DaemonSet): void {
  const before = Number(old.metadata.annotations?.[TEMPLATE_GENERATION] ?? 0);
  setTemplateGeneration(daemonSet, sameValue(daemonSet.spec.template, old.spec.template) ? before : before + 1);
}

function setTemplateGeneration({ metadata }: Draft<DaemonSet>, generation: number): void {
  metadata.annotations = { ...metadata.annotations, [TEMPLATE_GENERATION]: String(generation) };
}
