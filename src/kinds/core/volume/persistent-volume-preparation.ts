import type { Draft } from '../../../schema/draft.ts';
import type { PersistentVolume } from './persistent-volume.ts';
import type { PersistentVolumeClaim } from './persistent-volume-claim.ts';

export function preparePersistentVolume(volume: Draft<PersistentVolume>): void {
  dropGatedVolumeFields(volume);
  volume.status = { phase: 'Pending' };
}

/** Belongs to a feature this release does not turn on. */
export function dropGatedVolumeFields({ spec }: Draft<PersistentVolume>): void {
  delete spec.csi?.nodeExpandSecretRef;
}

export function preparePersistentVolumeClaim(claim: Draft<PersistentVolumeClaim>): void {
  mirrorDataSource(claim);
  claim.status = { phase: 'Pending' };
}

/** The same source under an older and a newer name: whichever is given fills in the other. */
export function mirrorDataSource({ spec }: Draft<PersistentVolumeClaim>): void {
  const source = spec.dataSource ?? spec.dataSourceRef;
  if (source === undefined) return;
  spec.dataSource ??= { ...source };
  spec.dataSourceRef ??= { ...source };
}

/** Belong to a feature this release does not turn on. */
export function dropGatedClaimStatus({ status }: Draft<PersistentVolumeClaim>): void {
  delete status.allocatedResources;
  delete status.resizeStatus;
}
