import { ObjectMeta } from '../../../meta/object-meta.ts';
import { bool, string } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, map } from '../../../schema/schema.ts';
import { TopologySelectorTerm } from '../../core/topology.ts';

export const StorageClass = kind(
  'storage.v1.StorageClass',
  {
    metadata: f(1, ObjectMeta),
    provisioner: f(2, string().required(), 'Name of the driver that makes the volumes. Cannot be changed.'),
    parameters: f(
      3,
      map(string()),
      'Settings for the driver, which gives them their meaning; at most 512. Cannot be changed.',
    ),
    reclaimPolicy: f(
      4,
      string().optional().default('Delete'),
      'What happens to a volume when its claim is deleted: Delete (the default) deletes it, Retain keeps it. Cannot be changed.',
    ),
    mountOptions: f(
      5,
      list(string()),
      'Options that volumes are mounted with, such as ro; not checked, mounting fails if one is wrong.',
    ),
    allowVolumeExpansion: f(6, bool().optional(), 'Whether claims of the class can be made larger. Unset: no.'),
    volumeBindingMode: f(
      7,
      string().optional().default('Immediate'),
      'Immediate (the default) makes a volume at once, WaitForFirstConsumer when a pod needs it, near its node. Cannot be changed.',
    ),
    allowedTopologies: f(
      8,
      list(TopologySelectorTerm).atomicList(),
      'Places where volumes may be made; only drivers that know places can use it. Empty: everywhere.',
    ),
  },
  { description: 'A class of storage that claims can ask for by name; says how volumes for them are made.' },
);
export type StorageClass = Infer<typeof StorageClass>;
