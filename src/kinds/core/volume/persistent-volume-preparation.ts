import type { GatedField } from '../../../registry/gated-fields.ts';
import type { Draft } from '../../../schema/draft.ts';
import type { PersistentVolume } from './persistent-volume.ts';
import type { PersistentVolumeClaim } from './persistent-volume-claim.ts';

export function preparePersistentVolume(volume: Draft<PersistentVolume>): void {
  volume.status = { phase: 'Pending' };
}

export const PERSISTENT_VOLUME_GATED_FIELDS: readonly GatedField<PersistentVolume>[] = [
  {
    feature: 'CSINodeExpandSecret',
    isUsed: ({ spec }) => spec.csi?.nodeExpandSecretRef !== undefined,
    drop({ spec }) {
      delete spec.csi?.nodeExpandSecretRef;
    },
  },
];

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

export const CLAIM_GATED_FIELDS: readonly GatedField<PersistentVolumeClaim>[] = [
  {
    feature: 'RecoverVolumeExpansionFailure',
    isUsed: ({ status }) => status.allocatedResources !== undefined || status.resizeStatus !== undefined,
    drop({ status }) {
      delete status.allocatedResources;
      delete status.resizeStatus;
    },
  },
];
