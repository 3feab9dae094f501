import type { Pod } from '../kinds/core/pod/pod.ts';
import { referencesOf } from '../kinds/core/pod/pod-references.ts';
import type { PersistentVolumeClaim } from '../kinds/core/volume/persistent-volume-claim.ts';
import { isGoing, removeFinalizer } from './finalizer-removal.ts';
import { fromKey, keyOf, type Loop, type LoopPlane } from './loop.ts';

const CLAIMS = { group: '', plural: 'persistentvolumeclaims' };
const PODS = { group: '', plural: 'pods' };
/** In every pod that has a claim, its own (`volumeClaimTemplate`) or another's (`persistentVolumeClaim`). */
const MENTIONED = 'olumeClaim';

/** Lets claims that were deleted go as soon as no pod on any node uses them. */
export const claimProtection: Loop = {
  name: 'pvc-protection',
  account: 'pvc-protection-controller',
  begin: (plane) => ({
    watches: [
      { ...CLAIMS, mentions: '"deletionTimestamp"', onSet: (claim) => [keyOf(claim)] },
      { ...PODS, mentions: MENTIONED, onRemove: (pod) => claimKeys(pod as Pod) },
    ],
    handle: (key) => letGo(plane, key),
  }),
};

const claimsOf = (pod: Pod): string[] =>
  referencesOf(pod).flatMap(({ plural, name }) => (plural === CLAIMS.plural ? name : []));

const claimKeys = (pod: Pod): string[] => claimsOf(pod).map((name) => `${pod.metadata.namespace}/${name}`);

async function letGo(plane: LoopPlane, key: string): Promise<void> {
  const { namespace, name } = fromKey(key);
  const finalizer = plane.vocabulary.finalizers.pvcProtection;
  const claim = plane.known.get<PersistentVolumeClaim>(CLAIMS, namespace, name);
  if (!claim || !isGoing(claim, finalizer) || isUsed(plane, namespace, name)) return;
  await removeFinalizer(plane, CLAIMS, claim, finalizer);
}

/** A pod that is on no node yet does not count: no node starts a pod whose claim is going. */
function isUsed({ known }: LoopPlane, namespace: string, claim: string): boolean {
  for (const pod of known.each<Pod>(PODS, namespace, MENTIONED)) {
    if (pod.spec.nodeName && claimsOf(pod).includes(claim)) return true;
  }
  return false;
}
