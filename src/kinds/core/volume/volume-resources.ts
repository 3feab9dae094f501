import { dns1123Subdomain } from '../../../meta/formats.ts';
import { type ResourceType, resourceType, statusSubresource } from '../../../registry/resource-type.ts';
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import { PersistentVolume } from './persistent-volume.ts';
import { PersistentVolumeClaim } from './persistent-volume-claim.ts';
import {
  validatePersistentVolumeClaim,
  validatePersistentVolumeClaimStatusUpdate,
  validatePersistentVolumeClaimUpdate,
} from './persistent-volume-claim-validation.ts';
import { persistentVolumeClaimColumns, persistentVolumeColumns } from './persistent-volume-columns.ts';
import {
  CLAIM_GATED_FIELDS,
  mirrorDataSource,
  PERSISTENT_VOLUME_GATED_FIELDS,
  preparePersistentVolume,
  preparePersistentVolumeClaim,
} from './persistent-volume-preparation.ts';
import { validatePersistentVolume, validatePersistentVolumeUpdate } from './persistent-volume-validation.ts';

const core = { group: '', version: 'v1', nameRule: dns1123Subdomain, strategy: { deleteReturnsObject: true } } as const;

/** Storage, and what asks for it. */
export const volumeResources = (v: Vocabulary): readonly ResourceType[] => [
  resourceType<PersistentVolumeClaim>({
    ...core,
    kind: 'PersistentVolumeClaim',
    plural: 'persistentvolumeclaims',
    shortNames: ['pvc'],
    namespaced: true,
    schema: PersistentVolumeClaim,
    columns: persistentVolumeClaimColumns(v),
    gatedFields: CLAIM_GATED_FIELDS,
    prepareCreate: preparePersistentVolumeClaim,
    validate: validatePersistentVolumeClaim,
    rules: {
      resets: ['status'],
      prepareUpdate: mirrorDataSource,
      validateUpdate: validatePersistentVolumeClaimUpdate,
    },
    subresources: {
      status: statusSubresource({
        resets: ['spec'],
        whole: false,
        validateUpdate: validatePersistentVolumeClaimStatusUpdate,
      }),
    },
  }),
  resourceType<PersistentVolume>({
    ...core,
    kind: 'PersistentVolume',
    plural: 'persistentvolumes',
    shortNames: ['pv'],
    namespaced: false,
    schema: PersistentVolume,
    columns: persistentVolumeColumns(v),
    gatedFields: PERSISTENT_VOLUME_GATED_FIELDS,
    prepareCreate: preparePersistentVolume,
    validate: validatePersistentVolume,
    rules: { resets: ['status'], validateUpdate: validatePersistentVolumeUpdate },
    subresources: { status: statusSubresource({ resets: ['spec'], whole: false }) },
  }),
];
