import type { Deployment } from '../../../kinds/apps/deployment.ts';
import type { ReplicaSet } from '../../../kinds/apps/replica-set.ts';
import type { PodTemplateSpec } from '../../../kinds/core/pod/pod-template.ts';
import { selectorText } from '../../../kinds/printing.ts';
import { sameJson } from '../../../schema/same-json.ts';
import type { Plane } from '../describe/plane.ts';

/** Tells pods of one replica set of a deployment from those of another. */
export const TEMPLATE_HASH = 'pod-template-hash';

/** The replica sets that a deployment controls, the oldest first. */
export async function replicaSetsOf(plane: Plane, { metadata, spec }: Deployment): Promise<ReplicaSet[]> {
  const { namespace = '', uid } = metadata;
  const labelSelector = selectorText(spec.selector) ?? '';
  const selected = await plane.list<ReplicaSet>('apps', 'replicasets', namespace, { labelSelector });
  return selected
    .filter((set) => set.metadata.ownerReferences?.some((owner) => owner.controller && owner.uid === uid))
    .sort((a, b) => compare(ageKey(a), ageKey(b)));
}

const ageKey = ({ metadata }: ReplicaSet): string => `${metadata.creationTimestamp ?? ''} ${metadata.name ?? ''}`;
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The one whose pods are as the deployment wants them now. */
export const currentReplicaSet = (sets: readonly ReplicaSet[], { spec }: Deployment): ReplicaSet | undefined =>
  sets.find((set) => sameJson(withoutHash(set.spec.template), withoutHash(spec.template)));

/** A template as it was written, without the label that a controller adds. */
export function withoutHash(template: PodTemplateSpec): PodTemplateSpec {
  const { [TEMPLATE_HASH]: _, ...labels } = template.metadata.labels ?? {};
  const metadata = { ...template.metadata, labels };
  return { ...template, metadata } as PodTemplateSpec;
}
