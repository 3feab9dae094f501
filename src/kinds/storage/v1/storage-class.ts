import { bool, string } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, map } from '../../../schema/schema.ts';
import { TopologySelectorTerm } from '../../core/topology.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';

export const StorageClass = kind(
  'storage.v1.StorageClass',
  {
    metadata: f(1, ObjectMeta),
    provisioner: f(2, string().required(), 'Who makes the volumes.'),
    parameters: f(3, map(string()), 'Settings for whoever makes them.'),
    reclaimPolicy: f(4, string().optional().default('Delete'), 'What becomes of a volume when its claim goes.'),
    mountOptions: f(5, list(string()), 'How volumes are mounted.'),
    allowVolumeExpansion: f(6, bool().optional(), 'Whether volumes can grow.'),
    volumeBindingMode: f(
      7,
      string().optional().default('Immediate'),
      'When a volume is made: at once or when a pod needs it.',
    ),
    allowedTopologies: f(8, list(TopologySelectorTerm).atomicList()),
  },
  { description: 'A kind of storage that claims can ask for.' },
);
export type StorageClass = Infer<typeof StorageClass>;
