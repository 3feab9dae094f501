import { PersistentVolume } from '../../kinds/core/volume/persistent-volume.ts';
import { PersistentVolumeClaim } from '../../kinds/core/volume/persistent-volume-claim.ts';
import type { ApiObject } from '../../registry/resource-type.ts';
import type { Draft } from '../../schema/draft.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { onKind } from '../rule.ts';

/** Keeps claims and volumes from going while they are in use: a control loop takes the finalizer off when they are not. */
export const storageObjectInUseProtection = ({ finalizers }: Vocabulary): AdmissionPlugin => ({
  rules: [
    onKind(PersistentVolumeClaim).mutate({ create: ({ object }) => protect(object, finalizers.pvcProtection) }),
    onKind(PersistentVolume).mutate({ create: ({ object }) => protect(object, finalizers.pvProtection) }),
  ],
});

function protect({ metadata }: Draft<ApiObject>, finalizer: string): void {
  const own = metadata.finalizers ?? [];
  if (!own.includes(finalizer)) metadata.finalizers = [...own, finalizer];
}
