import { ObjectMeta } from '../../../meta/object-meta.ts';
import { amount, string } from '../../../schema/scalars.ts';
import { f, type Infer, inline, kind, list, map, struct } from '../../../schema/schema.ts';
import { NodeSelector } from '../node/node-selector.ts';
import { ObjectReference } from '../references.ts';
import { PersistentVolumeSource } from './persistent-volume-sources.ts';

export const VolumeNodeAffinity = struct(
  'core.v1.VolumeNodeAffinity',
  {
    required: f(
      1,
      NodeSelector.optional(),
      'Nodes that can use the volume; pods that use it run on these only. Required.',
    ),
  },
  { description: 'Which nodes a volume can be reached from.' },
);
export type VolumeNodeAffinity = Infer<typeof VolumeNodeAffinity>;

export const PersistentVolumeSpec = struct(
  'core.v1.PersistentVolumeSpec',
  {
    capacity: f(1, map(amount()), 'Size of the volume: storage, and nothing else. Required.'),
    persistentVolumeSource: inline(2, PersistentVolumeSource),
    accessModes: f(
      3,
      list(string()),
      'How it can be mounted: ReadWriteOnce (by one node), ReadOnlyMany or ReadWriteMany (by many). At least one.',
    ),
    claimRef: f(
      4,
      ObjectReference.optional().granular(),
      'Claim it is bound to. Set by the platform when it binds; set beforehand it reserves the volume for that claim.',
    ),
    persistentVolumeReclaimPolicy: f(
      5,
      string().oneOf('Delete', 'Recycle', 'Retain').default('Retain'),
      'What happens when its claim is deleted: Retain keeps volume and data (default), Delete removes both, Recycle empties it (deprecated).',
    ),
    storageClassName: f(
      6,
      string(),
      'Storage class it belongs to; only claims of the same class get it. Empty: no class.',
    ),
    mountOptions: f(
      7,
      list(string()),
      'Options of the mount command, such as hard or nfsvers=4. Not checked: a wrong one makes the mount fail.',
    ),
    volumeMode: f(
      8,
      string().optional().default('Filesystem'),
      'Filesystem to mount it as a directory, Block for a raw device. Filesystem by default; cannot be changed.',
    ),
    nodeAffinity: f(
      9,
      VolumeNodeAffinity.optional(),
      'Nodes it can be reached from. Unset: all. Cannot be changed once it is set.',
    ),
  },
  {
    description: 'What a persistent volume offers and where its data is. Exactly one of the volume types must be set.',
  },
);
export type PersistentVolumeSpec = Infer<typeof PersistentVolumeSpec>;

export const PersistentVolumeStatus = struct(
  'core.v1.PersistentVolumeStatus',
  {
    phase: f(
      1,
      string().suggests('Available', 'Bound', 'Failed', 'Pending', 'Released').default('Pending'),
      'Pending, Available (free), Bound (to a claim), Released (its claim is gone, not yet reclaimed) or Failed (reclaiming failed).',
    ),
    message: f(2, string(), 'Why the volume is in this phase, for people.'),
    reason: f(3, string(), 'Why the volume is in this phase, in one word for programs; set for failures.'),
  },
  { description: 'Whether a volume is free, bound or released.' },
);
export type PersistentVolumeStatus = Infer<typeof PersistentVolumeStatus>;

export const PersistentVolume = kind(
  'core.v1.PersistentVolume',
  {
    metadata: f(
      1,
      ObjectMeta,
      'Standard object metadata: name, labels, annotations. Claims can select volumes by labels.',
    ),
    spec: f(2, PersistentVolumeSpec, 'What the volume offers and where its data is.'),
    status: f(3, PersistentVolumeStatus, 'Whether the volume is free, bound or released. Set by the platform.'),
  },
  {
    description:
      'A piece of storage in the cluster that outlives the pods that use it. Pods get it through a PersistentVolumeClaim.',
  },
);
export type PersistentVolume = Infer<typeof PersistentVolume>;
