import { amount, string } from '../../schema/scalars.ts';
import { f, type Infer, inline, kind, list, map, struct } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import { NodeSelector } from './node-selector.ts';
import { PersistentVolumeSource } from './persistent-volume-sources.ts';
import { ObjectReference } from './references.ts';

export const VolumeNodeAffinity = struct('core.v1.VolumeNodeAffinity', {
  required: f(1, NodeSelector.optional()),
});
export type VolumeNodeAffinity = Infer<typeof VolumeNodeAffinity>;

export const PersistentVolumeSpec = struct('core.v1.PersistentVolumeSpec', {
  capacity: f(1, map(amount()), 'Its size.'),
  persistentVolumeSource: inline(2, PersistentVolumeSource),
  accessModes: f(3, list(string()), 'How it can be mounted.'),
  claimRef: f(4, ObjectReference.optional().granular(), 'The claim it is bound to.'),
  persistentVolumeReclaimPolicy: f(
    5,
    string().oneOf('Delete', 'Recycle', 'Retain').default('Retain'),
    'What becomes of it when its claim goes.',
  ),
  storageClassName: f(6, string(), 'The kind of storage it is.'),
  mountOptions: f(7, list(string())),
  volumeMode: f(8, string().optional().default('Filesystem'), 'A file system or a raw device.'),
  nodeAffinity: f(9, VolumeNodeAffinity.optional(), 'The nodes it can be reached from.'),
});
export type PersistentVolumeSpec = Infer<typeof PersistentVolumeSpec>;

export const PersistentVolumeStatus = struct('core.v1.PersistentVolumeStatus', {
  phase: f(1, string().suggests('Available', 'Bound', 'Failed', 'Pending', 'Released').default('Pending')),
  message: f(2, string()),
  reason: f(3, string()),
});
export type PersistentVolumeStatus = Infer<typeof PersistentVolumeStatus>;

export const PersistentVolume = kind(
  'core.v1.PersistentVolume',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, PersistentVolumeSpec),
    status: f(3, PersistentVolumeStatus),
  },
  { description: 'Storage that outlives the pods that use it.' },
);
export type PersistentVolume = Infer<typeof PersistentVolume>;
