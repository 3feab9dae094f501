import type { Column } from '../../../registry/resource-type.ts';
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import { ageColumn, nameColumn, text, wide } from '../../columns.ts';
import { accessModes, quantity, UNSET } from '../../printing.ts';
import type { PersistentVolume } from './persistent-volume.ts';
import type { PersistentVolumeClaim } from './persistent-volume-claim.ts';

export const persistentVolumeColumns = (v: Vocabulary): readonly Column<PersistentVolume>[] => [
  nameColumn,
  text('Capacity', 'Size of the volume.', ({ spec }) => quantity(spec.capacity?.storage)),
  text('Access Modes', 'How the volume can be mounted.', ({ spec }) => accessModes(spec.accessModes)),
  text(
    'Reclaim Policy',
    'What happens once the claim is gone.',
    ({ spec }) => spec.persistentVolumeReclaimPolicy ?? '',
  ),
  text('Status', 'Whether the volume is bound to a claim.', phase),
  text('Claim', 'The claim the volume is bound to.', ({ spec: { claimRef } }) =>
    claimRef ? `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}` : '',
  ),
  text('StorageClass', 'Class of storage.', (volume) => storageClass(volume, v)),
  text('Reason', 'Why the volume is as it is.', ({ status }) => status.reason ?? ''),
  ageColumn,
  wide(text('VolumeMode', 'File system or raw device.', ({ spec }) => spec.volumeMode ?? UNSET)),
];

export const persistentVolumeClaimColumns = (v: Vocabulary): readonly Column<PersistentVolumeClaim>[] => [
  nameColumn,
  text('Status', 'Whether the claim has its volume.', phase),
  text('Volume', 'The volume that meets the claim.', ({ spec }) => spec.volumeName ?? ''),
  text('Capacity', 'Size of that volume.', ({ spec, status }) =>
    spec.volumeName ? quantity(status.capacity?.storage) : '',
  ),
  text('Access Modes', 'How that volume can be mounted.', ({ spec, status }) =>
    spec.volumeName ? accessModes(status.accessModes) : '',
  ),
  text('StorageClass', 'Class of storage.', (claim) => storageClass(claim, v)),
  ageColumn,
  wide(text('VolumeMode', 'File system or raw device.', ({ spec }) => spec.volumeMode ?? UNSET)),
];

const phase = ({ metadata, status }: PersistentVolume | PersistentVolumeClaim): string =>
  metadata.deletionTimestamp ? 'Terminating' : (status.phase ?? '');

/** An old annotation, where it is there, wins over the field. */
const storageClass = ({ metadata, spec }: PersistentVolume | PersistentVolumeClaim, v: Vocabulary): string =>
  metadata.annotations?.[v.annotations.betaStorageClass] ?? spec.storageClassName ?? '';
