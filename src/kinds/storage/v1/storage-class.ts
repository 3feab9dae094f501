import { bool, string } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, map } from '../../../schema/schema.ts';
import { TopologySelectorTerm } from '../../core/topology.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';

export const StorageClass = kind('storage.v1.StorageClass', {
  metadata: f(1, ObjectMeta),
  provisioner: f(2, string().required()),
  parameters: f(3, map(string())),
  reclaimPolicy: f(4, string().optional().default('Delete')),
  mountOptions: f(5, list(string())),
  allowVolumeExpansion: f(6, bool().optional()),
  volumeBindingMode: f(7, string().optional().default('Immediate')),
  allowedTopologies: f(8, list(TopologySelectorTerm).atomicList()),
});
export type StorageClass = Infer<typeof StorageClass>;
