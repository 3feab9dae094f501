import type { Pod } from '../kinds/core/pod/pod.ts';
import type { AdmissionRequest } from '../registry/admission.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from './chain.ts';
import { refusal } from './refusal.ts';

/** A pod may insist on having a node to itself, but not a zone or anything else that many nodes share. */
export class LimitPodHardAntiAffinityTopology implements AdmissionPlugin {
  readonly name = 'LimitPodHardAntiAffinityTopology';
  readonly operations = ['CREATE', 'UPDATE'] as const;
  private readonly allowed: string;

  constructor({ labels }: Vocabulary) {
    this.allowed = labels.hostname;
  }

  concerns({ group, plural }: ResourceType, subresource: string): boolean {
    return group === '' && plural === 'pods' && subresource === '';
  }

  validate(request: AdmissionRequest): void {
    const terms = (request.object as Pod).spec.affinity?.podAntiAffinity
      ?.requiredDuringSchedulingIgnoredDuringExecution;
    const other = terms?.find(({ topologyKey }) => topologyKey !== this.allowed);
    if (!other) return;
    throw refusal(
      request,
      `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${other.topologyKey} but only key ${this.allowed} is allowed`,
    );
  }
}
