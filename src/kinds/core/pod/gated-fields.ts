import type { Draft } from '../../../schema/draft.ts';
import type { PodSpec } from './pod-spec.ts';

/** Drops the fields of a pod that belong to features this release does not turn on, as if they had not been sent. */
export function dropGatedPodFields(spec: Draft<PodSpec>): void {
  delete spec.hostUsers;
  for (const constraint of spec.topologySpreadConstraints ?? []) {
    delete constraint.minDomains;
    delete constraint.nodeAffinityPolicy;
    delete constraint.nodeTaintsPolicy;
    delete constraint.matchLabelKeys;
  }
  for (const containers of [spec.containers, spec.initContainers, spec.ephemeralContainers]) {
    for (const { securityContext } of containers ?? []) delete securityContext?.procMount;
  }
}
