import { ObjectMeta } from '../../../meta/object-meta.ts';
import { int32, string } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../../schema/schema.ts';

export const VolumeNodeResources = struct(
  'storage.v1.VolumeNodeResources',
  {
    count: f(
      1,
      int32().optional(),
      'Most volumes of the driver that can be attached to the node at the same time. Unset: no limit.',
    ),
  },
  { description: 'How many volumes a node can take.' },
);
export type VolumeNodeResources = Infer<typeof VolumeNodeResources>;

export const CSINodeDriver = struct(
  'storage.v1.CSINodeDriver',
  {
    name: f(1, string().required(), 'Name of the driver, as it reports it.'),
    nodeID: f(
      2,
      string().required(),
      'Name of the node in the system of the driver; it can differ from the name in the cluster.',
    ),
    topologyKeys: f(
      3,
      list(string()).always(),
      'Labels of the node that say where it is, for the driver; volumes are placed by them. Empty: the driver knows no places.',
    ),
    allocatable: f(4, VolumeNodeResources.optional(), 'How many volumes of the driver the node can take.'),
  },
  { description: 'A storage driver on a node.' },
);
export type CSINodeDriver = Infer<typeof CSINodeDriver>;

export const CSINodeSpec = struct(
  'storage.v1.CSINodeSpec',
  {
    drivers: f(
      1,
      list(CSINodeDriver).required().mergeBy('name'),
      'The drivers that are installed on the node. Empty: none.',
    ),
  },
  { description: 'Storage drivers of a node.' },
);
export type CSINodeSpec = Infer<typeof CSINodeSpec>;

export const CSINode = kind(
  'storage.v1.CSINode',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, CSINodeSpec.required()),
  },
  { description: 'Storage drivers of one node, kept by its agent; has the name of the node.' },
);
export type CSINode = Infer<typeof CSINode>;
