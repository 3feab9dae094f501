import { int32, string } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../../schema/schema.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';

export const VolumeNodeResources = struct('storage.v1.VolumeNodeResources', {
  count: f(1, int32().optional()),
});
export type VolumeNodeResources = Infer<typeof VolumeNodeResources>;

export const CSINodeDriver = struct('storage.v1.CSINodeDriver', {
  name: f(1, string().required()),
  nodeID: f(2, string().required()),
  topologyKeys: f(3, list(string()).always()),
  allocatable: f(4, VolumeNodeResources.optional()),
});
export type CSINodeDriver = Infer<typeof CSINodeDriver>;

export const CSINodeSpec = struct('storage.v1.CSINodeSpec', {
  drivers: f(1, list(CSINodeDriver).required().mergeBy('name')),
});
export type CSINodeSpec = Infer<typeof CSINodeSpec>;

export const CSINode = kind(
  'storage.v1.CSINode',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, CSINodeSpec.required()),
  },
  { description: 'The storage drivers on a node.' },
);
export type CSINode = Infer<typeof CSINode>;
