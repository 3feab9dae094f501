import type { CSIDriver as DeclaredCSIDriver } from '../../../kinds/storage/v1/csi-driver.ts';
import type { CSINode as DeclaredCSINode } from '../../../kinds/storage/v1/csi-node.ts';
import type { CSIStorageCapacity as DeclaredCSIStorageCapacity } from '../../../kinds/storage/v1/csi-storage-capacity.ts';
import type { StorageClass as DeclaredStorageClass } from '../../../kinds/storage/v1/storage-class.ts';
import type { VolumeAttachment as DeclaredVolumeAttachment } from '../../../kinds/storage/v1/volume-attachment.ts';
import type { CSIStorageCapacity as DeclaredCSIStorageCapacityV1beta1 } from '../../../kinds/storage/v1beta1/csi-storage-capacity.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import { inGroup, type ObjectKind } from '../object-kind.ts';

const { groups } = vocabularies.platform;
const v1 = inGroup(groups.storage, 'v1');

export type CSIDriver = DeclaredCSIDriver;
export const CSIDriver: ObjectKind<CSIDriver, false> = v1.clusterWide('CSIDriver', 'csidrivers');

export type CSINode = DeclaredCSINode;
export const CSINode: ObjectKind<CSINode, false> = v1.clusterWide('CSINode', 'csinodes');

export type CSIStorageCapacity = DeclaredCSIStorageCapacity;
export const CSIStorageCapacity: ObjectKind<CSIStorageCapacity, true> = v1.namespaced(
  'CSIStorageCapacity',
  'csistoragecapacities',
);

export type StorageClass = DeclaredStorageClass;
export const StorageClass: ObjectKind<StorageClass, false> = v1.clusterWide('StorageClass', 'storageclasses');

export type VolumeAttachment = DeclaredVolumeAttachment;
export const VolumeAttachment: ObjectKind<VolumeAttachment, false> = v1.clusterWide(
  'VolumeAttachment',
  'volumeattachments',
);

const v1beta1 = inGroup(groups.storage, 'v1beta1');

export type CSIStorageCapacityV1beta1 = DeclaredCSIStorageCapacityV1beta1;
export const CSIStorageCapacityV1beta1: ObjectKind<CSIStorageCapacityV1beta1, true> = v1beta1.namespaced(
  'CSIStorageCapacity',
  'csistoragecapacities',
);
