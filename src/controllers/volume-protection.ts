import type { PersistentVolume } from '../kinds/core/volume/persistent-volume.ts';
import { isGoing, removeFinalizer } from './finalizer-removal.ts';
import { keyOf, type Loop, type LoopPlane } from './loop.ts';

const VOLUMES = { group: '', plural: 'persistentvolumes' };

/** Lets volumes that were deleted go as soon as no claim is bound to them. */
export const volumeProtection: Loop = {
  name: 'pv-protection',
  account: 'pv-protection-controller',
  begin: (plane) => ({
    watches: [{ ...VOLUMES, mentions: '"deletionTimestamp"', onSet: (volume) => [keyOf(volume)] }],
    handle: (name) => letGo(plane, name),
  }),
};

async function letGo(plane: LoopPlane, name: string): Promise<void> {
  const finalizer = plane.vocabulary.finalizers.pvProtection;
  const volume = plane.known.get<PersistentVolume>(VOLUMES, '', name);
  if (!volume || !isGoing(volume, finalizer) || volume.status.phase === 'Bound') return;
  await removeFinalizer(plane, VOLUMES, volume, finalizer);
}
