import { type Draft, draftOf } from '../../../schema/draft.ts';
import type { Pod } from './pod.ts';
import { qosClassOf } from './qos-class.ts';

export function preparePod(pod: Draft<Pod>): void {
  pod.status = { phase: 'Pending', qosClass: qosClassOf(pod.spec) };
}

/** `podIP` is the first of `podIPs`. Where they disagree the former wins: old writers know only that one. */
export function preparePodStatus({ status }: Draft<Pod>): void {
  const { podIP, podIPs } = status;
  const first = podIPs?.[0]?.ip;
  if (podIP && podIP !== first) status.podIPs = [{ ip: podIP }];
  else if (first) status.podIP = first;
}

/** Through this endpoint a pod gets containers to look into it with; nothing else changes. */
export function prepareEphemeralContainers(pod: Draft<Pod>, old: Pod): void {
  const { resourceVersion, managedFields } = pod.metadata;
  const { ephemeralContainers } = pod.spec;
  pod.metadata = {
    ...draftOf(old.metadata),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ...(managedFields === undefined ? {} : { managedFields }),
  };
  pod.status = draftOf(old.status);
  const { ephemeralContainers: _replaced, ...spec } = draftOf(old.spec);
  pod.spec = ephemeralContainers === undefined ? spec : { ...spec, ephemeralContainers };
}

const DEFAULT_GRACE = 30;

/** A pod that no node runs, or that has ended, has nothing to wind down. */
export function podGracePeriod({ spec, status }: Pod, requested: number | undefined): number {
  const isOver = status.phase === 'Succeeded' || status.phase === 'Failed';
  if (!spec.nodeName || isOver) return 0;
  return requested ?? spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE;
}
