import { amount, string, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, map, struct } from '../../schema/schema.ts';
import { LabelSelector } from '../meta/label-selector.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import { TypedLocalObjectReference } from './references.ts';
import { ResourceRequirements } from './resource-requirements.ts';

export const PersistentVolumeClaimSpec = struct('core.v1.PersistentVolumeClaimSpec', {
  accessModes: f(1, list(string()), 'How it is to be mounted.'),
  selector: f(4, LabelSelector.optional(), 'Which volumes suit.'),
  resources: f(2, ResourceRequirements, 'How much is needed.'),
  volumeName: f(3, string(), 'The volume it is bound to.'),
  storageClassName: f(5, string().optional(), 'The kind of storage that is wanted.'),
  volumeMode: f(6, string().optional().default('Filesystem'), 'A file system or a raw device.'),
  dataSource: f(7, TypedLocalObjectReference.optional(), 'What it is filled with.'),
  dataSourceRef: f(8, TypedLocalObjectReference.optional()),
});
export type PersistentVolumeClaimSpec = Infer<typeof PersistentVolumeClaimSpec>;

export const PersistentVolumeClaimCondition = struct('core.v1.PersistentVolumeClaimCondition', {
  type: f(1, string().required()),
  status: f(2, string().required()),
  lastProbeTime: f(3, time()),
  lastTransitionTime: f(4, time()),
  reason: f(5, string()),
  message: f(6, string()),
});
export type PersistentVolumeClaimCondition = Infer<typeof PersistentVolumeClaimCondition>;

export const PersistentVolumeClaimStatus = struct('core.v1.PersistentVolumeClaimStatus', {
  phase: f(1, string().suggests('Bound', 'Lost', 'Pending').default('Pending')),
  accessModes: f(2, list(string())),
  capacity: f(3, map(amount())),
  conditions: f(4, list(PersistentVolumeClaimCondition).mergeBy('type')),
  allocatedResources: f(5, map(amount())),
  resizeStatus: f(6, string().optional()),
});
export type PersistentVolumeClaimStatus = Infer<typeof PersistentVolumeClaimStatus>;

export const PersistentVolumeClaimTemplate = struct(
  'core.v1.PersistentVolumeClaimTemplate',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, PersistentVolumeClaimSpec.required()),
  },
  { description: 'A claim that is made together with the pod that uses it.' },
);
export type PersistentVolumeClaimTemplate = Infer<typeof PersistentVolumeClaimTemplate>;

export const PersistentVolumeClaim = kind(
  'core.v1.PersistentVolumeClaim',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, PersistentVolumeClaimSpec),
    status: f(3, PersistentVolumeClaimStatus),
  },
  { description: 'A wish for storage, bound to a volume that fulfils it.' },
);
export type PersistentVolumeClaim = Infer<typeof PersistentVolumeClaim>;
