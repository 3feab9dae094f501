import type { PersistentVolume } from '../kinds/core/volume/persistent-volume.ts';
import { type Controller, type ControllerParts, servedType } from './controller.ts';
import { isGoing, removeFinalizer } from './finalizer-removal.ts';
import { WorkQueue } from './work-queue.ts';

const NAME = 'pv-protection-controller';

/** Lets volumes that were deleted go as soon as no claim is bound to them. */
export function startVolumeProtection(parts: ControllerParts): Controller {
  const queue = new WorkQueue({
    runtime: parts.runtime,
    meter: parts.queues.of(NAME),
    handle: (name) => letGo(parts, name),
    onError: (key, error) => parts.onError(NAME, key, error),
  });
  const subscription = parts.informer.follow(
    { group: '', plural: 'persistentvolumes', mentions: '"deletionTimestamp"' },
    {
      onSet: ({ metadata }) => queue.add(metadata.name ?? ''),
      onRemove() {},
    },
  );
  return {
    close() {
      subscription.close();
      return queue.close();
    },
  };
}

async function letGo(parts: ControllerParts, name: string): Promise<void> {
  const finalizer = parts.vocabulary.finalizers.pvProtection;
  const type = servedType(parts, '', 'persistentvolumes');
  const volume = parts.objects.get<PersistentVolume>(type, '', name);
  if (!volume || !isGoing(volume, finalizer) || volume.status.phase === 'Bound') return;
  await removeFinalizer(parts, NAME, type, volume, finalizer);
}
