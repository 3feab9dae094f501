import type { Draft } from '../../schema/draft.ts';
import { sameValue } from '../../schema/same-value.ts';
import { dropGatedPodFields } from '../core/pod/gated-fields.ts';
import type { PodTemplateSpec } from '../core/pod/pod-template.ts';
import type { DaemonSet } from './daemon-set.ts';
import type { Deployment } from './deployment.ts';
import type { StatefulSet } from './stateful-set.ts';

export function dropGatedTemplateFields({ spec }: Draft<{ spec: { template: PodTemplateSpec } }>): void {
  dropGatedPodFields(spec.template.spec);
}

/** The rollout keeps its revision in annotations, so a change there is one the controller must look at. */
export const deploymentBumpsGeneration = (deployment: Deployment, old: Deployment): boolean =>
  !sameValue(deployment.spec, old.spec) || !sameValue(deployment.metadata.annotations, old.metadata.annotations);

/** Fields of features that this release does not turn on. */
export function prepareStatefulSet(statefulSet: Draft<StatefulSet>): void {
  dropGatedTemplateFields(statefulSet);
  delete statefulSet.spec.persistentVolumeClaimRetentionPolicy;
  delete statefulSet.spec.updateStrategy.rollingUpdate?.maxUnavailable;
}

/** Counts the versions of the template. Once a field, kept as an annotation; clients cannot set it. */
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

export function prepareDaemonSet(daemonSet: Draft<DaemonSet>): void {
  dropGatedTemplateFields(daemonSet);
  setTemplateGeneration(daemonSet, 1);
}

export function prepareDaemonSetUpdate(daemonSet: Draft<DaemonSet>, old: DaemonSet): void {
  dropGatedTemplateFields(daemonSet);
  const before = Number(old.metadata.annotations?.[TEMPLATE_GENERATION] ?? 0);
  setTemplateGeneration(daemonSet, sameValue(daemonSet.spec.template, old.spec.template) ? before : before + 1);
}

function setTemplateGeneration({ metadata }: Draft<DaemonSet>, generation: number): void {
  metadata.annotations = { ...metadata.annotations, [TEMPLATE_GENERATION]: String(generation) };
}
