import type { Pod } from '../kinds/core/pod/pod.ts';
import { referencesOf } from '../kinds/core/pod/pod-references.ts';
import { type Controller, type ControllerParts, servedType } from './controller.ts';
import { isGoing, removeFinalizer } from './finalizer-removal.ts';
import { WorkQueue } from './work-queue.ts';

const NAME = 'pvc-protection-controller';
/** In every pod that has a claim, its own (`volumeClaimTemplate`) or another's (`persistentVolumeClaim`). */
const MENTIONED = 'olumeClaim';

/** Lets claims that were deleted go as soon as no pod on any node uses them. */
export function startClaimProtection(parts: ControllerParts): Controller {
  const queue = new WorkQueue({
    runtime: parts.runtime,
    meter: parts.queues.of(NAME),
    handle: (key) => letGo(parts, key),
    onError: (key, error) => parts.onError(NAME, key, error),
  });
  const subscriptions = [
    parts.informer.follow(
      { group: '', plural: 'persistentvolumeclaims', mentions: '"deletionTimestamp"' },
      {
        onSet: ({ metadata: { namespace, name } }) => queue.add(`${namespace}/${name}`),
        onRemove() {},
      },
    ),
    parts.informer.follow(
      { group: '', plural: 'pods', mentions: MENTIONED },
      {
        onSet() {},
        onRemove(pod) {
          for (const name of claimsOf(pod as Pod)) queue.add(`${pod.metadata.namespace}/${name}`);
        },
      },
    ),
  ];
  return {
    close() {
      for (const subscription of subscriptions) subscription.close();
      return queue.close();
    },
  };
}

const claimsOf = (pod: Pod): string[] =>
  referencesOf(pod).flatMap(({ plural, name }) => (plural === 'persistentvolumeclaims' ? name : []));

async function letGo(parts: ControllerParts, key: string): Promise<void> {
  const [namespace = '', name = ''] = key.split('/');
  const finalizer = parts.vocabulary.finalizers.pvcProtection;
  const type = servedType(parts, '', 'persistentvolumeclaims');
  const claim = parts.objects.get(type, namespace, name);
  if (!claim || !isGoing(claim, finalizer) || isUsed(parts, namespace, name)) return;
  await removeFinalizer(parts, NAME, type, claim, finalizer);
}

/** A pod that is on no node yet does not count: no node starts a pod whose claim is going. */
function isUsed({ objects }: ControllerParts, namespace: string, claim: string): boolean {
  return objects.versions({ group: '', plural: 'pods' }, namespace).some((version) => {
    if (!version.bytes.includes(MENTIONED)) return false;
    const pod = objects.once<Pod>(version);
    return Boolean(pod.spec.nodeName) && claimsOf(pod).includes(claim);
  });
}
