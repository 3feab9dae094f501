import { LabelSelector } from '../../../meta/label-selector.ts';
import { ObjectMeta } from '../../../meta/object-meta.ts';
import { amount, string, time } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, map, struct } from '../../../schema/schema.ts';
import { ResourceRequirements } from '../pod/resource-requirements.ts';
import { TypedLocalObjectReference } from '../references.ts';

export const PersistentVolumeClaimSpec = struct(
  'core.v1.PersistentVolumeClaimSpec',
  {
    accessModes: f(
      1,
      list(string()),
      'How it is to be mounted: ReadWriteOnce (by one node), ReadOnlyMany or ReadWriteMany (by many). At least one.',
    ),
    selector: f(4, LabelSelector.optional(), 'Labels of the volumes to choose from. Unset: any volume that fits.'),
    resources: f(
      2,
      ResourceRequirements,
      'How much storage is needed: requests.storage is required. May grow later if the storage class allows it, never shrink.',
    ),
    volumeName: f(
      3,
      string(),
      'Volume to bind to. Set by the platform once one is found; whoever sets it asks for this very volume.',
    ),
    storageClassName: f(
      5,
      string().optional(),
      'Storage class to get a volume from. Unset: the default class, if there is one; empty: only volumes without a class.',
    ),
    volumeMode: f(
      6,
      string().optional().default('Filesystem'),
      'Filesystem to mount it as a directory, Block for a raw device. Filesystem by default; cannot be changed.',
    ),
    dataSource: f(
      7,
      TypedLocalObjectReference.optional(),
      'What a new volume is filled with: another claim, or an object of another API group such as a snapshot. Same as dataSourceRef.',
    ),
    dataSourceRef: f(
      8,
      TypedLocalObjectReference.optional(),
      'Newer name of dataSource: whichever is set is copied to the other, and both must be equal.',
    ),
  },
  {
    description:
      'What storage is asked for. After creation only more storage can be asked for, once the claim is bound.',
  },
);
export type PersistentVolumeClaimSpec = Infer<typeof PersistentVolumeClaimSpec>;

export const PersistentVolumeClaimCondition = struct(
  'core.v1.PersistentVolumeClaimCondition',
  {
    type: f(1, string().required(), 'What is judged, such as Resizing or FileSystemResizePending.'),
    status: f(2, string().required(), 'True, False or Unknown.'),
    lastProbeTime: f(3, time(), 'When it was checked the last time.'),
    lastTransitionTime: f(4, time(), 'When the status changed the last time.'),
    reason: f(5, string(), 'Why it is so, in one word for programs.'),
    message: f(6, string(), 'Why it is so, for people.'),
  },
  { description: 'One aspect of the state of a claim.' },
);
export type PersistentVolumeClaimCondition = Infer<typeof PersistentVolumeClaimCondition>;

export const PersistentVolumeClaimStatus = struct(
  'core.v1.PersistentVolumeClaimStatus',
  {
    phase: f(
      1,
      string().suggests('Bound', 'Lost', 'Pending').default('Pending'),
      'Pending until a volume is found, then Bound; Lost when the volume it was bound to no longer exists.',
    ),
    accessModes: f(2, list(string()), 'How the bound volume can be mounted; may be more than was asked for.'),
    capacity: f(3, map(amount()), 'How large the bound volume is, by resource; only storage.'),
    conditions: f(
      4,
      list(PersistentVolumeClaimCondition).mergeBy('type'),
      'What goes on with the claim, such as that it is being enlarged.',
    ),
    allocatedResources: f(
      5,
      map(amount()),
      'Storage that is being given while the volume grows. Part of the feature RecoverVolumeExpansionFailure.',
    ),
    resizeStatus: f(
      6,
      string().optional(),
      'How far enlarging has come. Part of the feature RecoverVolumeExpansionFailure.',
    ),
  },
  { description: 'Whether a claim has its volume, and what that offers.' },
);
export type PersistentVolumeClaimStatus = Infer<typeof PersistentVolumeClaimStatus>;

export const PersistentVolumeClaimTemplate = struct(
  'core.v1.PersistentVolumeClaimTemplate',
  {
    metadata: f(1, ObjectMeta, 'Labels and annotations for the claim; nothing else may be set.'),
    spec: f(2, PersistentVolumeClaimSpec.required(), 'What storage the claim asks for, as in a PersistentVolumeClaim.'),
  },
  { description: 'A claim that is made together with the pod that uses it, and removed with it.' },
);
export type PersistentVolumeClaimTemplate = Infer<typeof PersistentVolumeClaimTemplate>;

export const PersistentVolumeClaim = kind(
  'core.v1.PersistentVolumeClaim',
  {
    metadata: f(1, ObjectMeta, 'Standard object metadata: name, namespace, labels, annotations, owners.'),
    spec: f(2, PersistentVolumeClaimSpec, 'What storage is asked for.'),
    status: f(3, PersistentVolumeClaimStatus, 'Whether the claim has its volume. Set by the platform.'),
  },
  {
    description:
      'A request for storage. It is bound to a persistent volume that meets it; pods then use it by the name of the claim.',
  },
);
export type PersistentVolumeClaim = Infer<typeof PersistentVolumeClaim>;
