import { Pod } from '../../kinds/core/pod/pod.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { refusal } from '../refusal.ts';
import { onKind, type WriteRequest } from '../rule.ts';

/** A pod may insist on having a node to itself, but not a zone or anything else that many nodes share. */
export function limitPodHardAntiAffinityTopology({ labels }: Vocabulary): AdmissionPlugin {
  const allowed = labels.hostname;
  const check = (request: WriteRequest<Pod>): void => {
    const terms = request.object.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
    const other = terms?.find(({ topologyKey }) => topologyKey !== allowed);
    if (!other) return;
    throw refusal(
      request,
      `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${other.topologyKey} but only key ${allowed} is allowed`,
    );
  };
  return { rules: [onKind(Pod).validate({ write: check })] };
}
