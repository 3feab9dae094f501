import { dns1123Subdomain } from '../../meta/formats.ts';
import type { GatedField } from '../../registry/gated-fields.ts';
import { type ResourceType, resourceType, statusSubresource } from '../../registry/resource-type.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { olderVersion } from '../older-version.ts';
import { csiDriverColumns, csiNodeColumns, storageClassColumns, volumeAttachmentColumns } from './v1/columns.ts';
import { CSIDriver } from './v1/csi-driver.ts';
import { CSINode } from './v1/csi-node.ts';
import { CSIStorageCapacity } from './v1/csi-storage-capacity.ts';
import {
  validateCSIDriver,
  validateCSIDriverUpdate,
  validateCSINode,
  validateCSINodeUpdate,
  validateCSIStorageCapacity,
  validateCSIStorageCapacityUpdate,
} from './v1/csi-validation.ts';
import { StorageClass } from './v1/storage-class.ts';
import { validateStorageClass, validateStorageClassUpdate } from './v1/storage-class-validation.ts';
import { VolumeAttachment } from './v1/volume-attachment.ts';
import { validateVolumeAttachment, validateVolumeAttachmentUpdate } from './v1/volume-attachment-validation.ts';
import { CSIStorageCapacity as OlderStorageCapacity } from './v1beta1/csi-storage-capacity.ts';

export function storageResources(v: Vocabulary): readonly ResourceType[] {
  const storage = { group: v.groups.storage, version: 'v1', nameRule: dns1123Subdomain } as const;
  const capacities = resourceType<CSIStorageCapacity>({
    ...storage,
    kind: 'CSIStorageCapacity',
    plural: 'csistoragecapacities',
    namespaced: true,
    schema: CSIStorageCapacity,
    strategy: { unconditionalUpdate: false },
    validate: validateCSIStorageCapacity,
    rules: { validateUpdate: validateCSIStorageCapacityUpdate },
  });
  return [
    resourceType<CSIDriver>({
      ...storage,
      kind: 'CSIDriver',
      plural: 'csidrivers',
      namespaced: false,
      schema: CSIDriver,
      strategy: { unconditionalUpdate: false, deleteReturnsObject: true },
      columns: csiDriverColumns,
      gatedFields: [SECURITY_LABELS_AT_MOUNT],
      validate: validateCSIDriver,
      rules: { validateUpdate: validateCSIDriverUpdate },
    }),
    resourceType<CSINode>({
      ...storage,
      kind: 'CSINode',
      plural: 'csinodes',
      namespaced: false,
      schema: CSINode,
      strategy: { unconditionalUpdate: false, deleteReturnsObject: true },
      columns: csiNodeColumns,
      validate: validateCSINode,
      rules: { validateUpdate: validateCSINodeUpdate },
    }),
    capacities,
    resourceType<StorageClass>({
      ...storage,
      kind: 'StorageClass',
      plural: 'storageclasses',
      shortNames: ['sc'],
      namespaced: false,
      schema: StorageClass,
      strategy: { deleteReturnsObject: true },
      columns: storageClassColumns(v),
      validate: validateStorageClass,
      rules: { validateUpdate: validateStorageClassUpdate },
    }),
    resourceType<VolumeAttachment>({
      ...storage,
      kind: 'VolumeAttachment',
      plural: 'volumeattachments',
      namespaced: false,
      schema: VolumeAttachment,
      strategy: { unconditionalUpdate: false, deleteReturnsObject: true },
      columns: volumeAttachmentColumns,
      validate: validateVolumeAttachment,
      rules: { resets: ['status'], validateUpdate: validateVolumeAttachmentUpdate },
      subresources: { status: statusSubresource({ resets: ['metadata', 'spec'], whole: false }) },
    }),
    olderVersion(capacities, {
      version: 'v1beta1',
      schema: OlderStorageCapacity,
      deprecation: {
        deprecatedIn: '1.24',
        removedIn: '1.27',
        replacement: `${storage.group}/v1 CSIStorageCapacity`,
      },
    }),
  ];
}

const SECURITY_LABELS_AT_MOUNT: GatedField<CSIDriver> = {
  feature: 'SELinuxMountReadWriteOncePod',
  isUsed: ({ spec }) => spec.seLinuxMount !== undefined,
  drop({ spec }) {
    delete spec.seLinuxMount;
  },
};
