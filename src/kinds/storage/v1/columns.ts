import type { Column } from '../../../registry/resource-type.ts';
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import { ageColumn, boolean, integer, nameColumn, text } from '../../columns.ts';
import { NONE, UNSET } from '../../printing.ts';
import type { CSIDriver } from './csi-driver.ts';
import type { CSINode } from './csi-node.ts';
import type { StorageClass } from './storage-class.ts';
import type { VolumeAttachment } from './volume-attachment.ts';

export const csiDriverColumns: readonly Column<CSIDriver>[] = [
  nameColumn,
  boolean('AttachRequired', 'Volumes are attached before they are mounted.', ({ spec }) => spec.attachRequired ?? true),
  boolean('PodInfoOnMount', 'The driver is told about the pod.', ({ spec }) => spec.podInfoOnMount ?? false),
  boolean('StorageCapacity', 'Free space is published.', ({ spec }) => spec.storageCapacity ?? false),
  text('TokenRequests', 'Audiences of the tokens the driver gets.', ({ spec }) =>
    spec.tokenRequests ? spec.tokenRequests.map(({ audience }) => audience).join(',') : UNSET,
  ),
  boolean(
    'RequiresRepublish',
    'Mounts are refreshed from time to time.',
    ({ spec }) => spec.requiresRepublish ?? false,
  ),
  text('Modes', 'Kinds of volumes the driver serves.', ({ spec }) => spec.volumeLifecycleModes?.join(',') || NONE),
  ageColumn,
];

export const csiNodeColumns: readonly Column<CSINode>[] = [
  nameColumn,
  integer('Drivers', 'Number of drivers on the node.', ({ spec }) => spec.drivers?.length ?? 0),
  ageColumn,
];

export const storageClassColumns = (v: Vocabulary): readonly Column<StorageClass>[] => [
  { ...nameColumn, cell: (storageClass: StorageClass) => markedName(storageClass, v) },
  text('Provisioner', 'Who makes volumes.', ({ provisioner }) => provisioner),
  text(
    'ReclaimPolicy',
    'What happens to volumes once claims are gone.',
    ({ reclaimPolicy }) => reclaimPolicy ?? 'Delete',
  ),
  text('VolumeBindingMode', 'When volumes are made.', ({ volumeBindingMode }) => volumeBindingMode ?? 'Immediate'),
  text('AllowVolumeExpansion', 'Whether claims may grow.', ({ allowVolumeExpansion }) => allowVolumeExpansion ?? false),
  ageColumn,
];

export const volumeAttachmentColumns: readonly Column<VolumeAttachment>[] = [
  nameColumn,
  { ...text<VolumeAttachment>('Attacher', 'The driver that attaches.', ({ spec }) => spec.attacher), format: 'name' },
  text('PV', 'The volume.', ({ spec }) => spec.source.persistentVolumeName ?? ''),
  text('Node', 'The node it is attached to.', ({ spec }) => spec.nodeName),
  boolean('Attached', 'Whether it is attached.', ({ status }) => status.attached),
  ageColumn,
];

function markedName({ metadata: { name = '', annotations } }: StorageClass, v: Vocabulary): string {
  const { defaultStorageClass, betaDefaultStorageClass } = v.annotations;
  const isDefault = [defaultStorageClass, betaDefaultStorageClass].some((key) => annotations?.[key] === 'true');
  return isDefault ? `${name} (default)` : name;
}
