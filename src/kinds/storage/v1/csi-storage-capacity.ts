import { LabelSelector } from '../../../meta/label-selector.ts';
import { ObjectMeta } from '../../../meta/object-meta.ts';
import { quantity, string } from '../../../schema/scalars.ts';
import { f, type Infer, kind } from '../../../schema/schema.ts';

export const CSIStorageCapacity = kind(
  'storage.v1.CSIStorageCapacity',
  {
    metadata: f(1, ObjectMeta),
    nodeTopology: f(
      2,
      LabelSelector.optional(),
      'Nodes that the storage can be reached from. Empty: all; unset: none. Cannot be changed.',
    ),
    storageClassName: f(3, string().required(), 'Storage class that the capacity is for. Cannot be changed.'),
    capacity: f(4, quantity().optional(), 'Storage that is left, in bytes. Unset: unknown.'),
    maximumVolumeSize: f(
      5,
      quantity().optional(),
      'Size of the largest volume that can be made, in bytes; can be smaller than capacity. Unset: unknown.',
    ),
  },
  {
    description:
      'How much storage a driver has left for one storage class in one part of the cluster; the scheduler uses it.',
  },
);
export type CSIStorageCapacity = Infer<typeof CSIStorageCapacity>;
