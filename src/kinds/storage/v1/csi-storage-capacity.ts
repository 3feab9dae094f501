import { quantity, string } from '../../../schema/scalars.ts';
import { f, type Infer, kind } from '../../../schema/schema.ts';
import { LabelSelector } from '../../meta/label-selector.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';

export const CSIStorageCapacity = kind(
  'storage.v1.CSIStorageCapacity',
  {
    metadata: f(1, ObjectMeta),
    nodeTopology: f(2, LabelSelector.optional()),
    storageClassName: f(3, string().required()),
    capacity: f(4, quantity().optional()),
    maximumVolumeSize: f(5, quantity().optional()),
  },
  { description: 'How much room a driver has left in some part of the cluster.' },
);
export type CSIStorageCapacity = Infer<typeof CSIStorageCapacity>;
