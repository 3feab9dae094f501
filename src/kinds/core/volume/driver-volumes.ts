import { bool, string } from '../../../schema/scalars.ts';
import { f, type Infer, map, struct } from '../../../schema/schema.ts';
import { LocalObjectReference, SecretReference } from '../references.ts';

export const CSIVolumeSource = struct(
  'core.v1.CSIVolumeSource',
  {
    driver: f(1, string().required(), 'Name of the driver, as it is registered in the cluster.'),
    readOnly: f(2, bool().optional(), 'Mounts the volume for reading only. False when unset.'),
    fsType: f(3, string().optional(), 'File system to mount, such as ext4 or xfs. Unset: the driver decides.'),
    volumeAttributes: f(
      4,
      map(string()),
      'Properties that are passed to the driver; which ones it knows is for the driver to say.',
    ),
    nodePublishSecretRef: f(
      5,
      LocalObjectReference.optional(),
      'Secret in the namespace of the pod that is passed to the driver when it mounts and unmounts the volume.',
    ),
  },
  { description: 'A volume that a storage driver (CSI) makes for the pod and removes with it.' },
);
export type CSIVolumeSource = Infer<typeof CSIVolumeSource>;

export const CSIPersistentVolumeSource = struct(
  'core.v1.CSIPersistentVolumeSource',
  {
    driver: f(1, string().required(), 'Name of the driver, as it is registered in the cluster.'),
    volumeHandle: f(2, string().required(), 'Id of the volume at the driver. Cannot be changed.'),
    readOnly: f(3, bool(), 'Attaches and mounts the volume for reading only. False by default.'),
    fsType: f(4, string(), 'File system to mount, such as ext4 or xfs. Unset: the driver decides.'),
    volumeAttributes: f(5, map(string()), 'Properties of the volume that are passed to the driver.'),
    controllerPublishSecretRef: f(
      6,
      SecretReference.optional(),
      'Secret passed to the driver when it attaches the volume to a node or detaches it.',
    ),
    nodeStageSecretRef: f(
      7,
      SecretReference.optional(),
      'Secret passed to the driver when it prepares the volume on a node, before pods mount it.',
    ),
    nodePublishSecretRef: f(
      8,
      SecretReference.optional(),
      'Secret passed to the driver when it mounts the volume for a pod or unmounts it.',
    ),
    controllerExpandSecretRef: f(
      9,
      SecretReference.optional(),
      'Secret passed to the driver when it enlarges the volume. May be added later, but not changed.',
    ),
    nodeExpandSecretRef: f(
      10,
      SecretReference.optional(),
      'Secret passed to the driver when a node enlarges the file system. Part of the feature CSINodeExpandSecret.',
    ),
  },
  { description: 'Storage that is managed by a storage driver (CSI).' },
);
export type CSIPersistentVolumeSource = Infer<typeof CSIPersistentVolumeSource>;

export const FlexVolumeSource = struct(
  'core.v1.FlexVolumeSource',
  {
    driver: f(1, string().required(), 'Name of the driver program on the node, as vendor/name.'),
    fsType: f(2, string(), 'File system to mount, such as ext4 or xfs. Unset: the driver decides.'),
    secretRef: f(
      3,
      LocalObjectReference.optional(),
      'Secret in the namespace of the pod that is passed to the driver. Unset: none.',
    ),
    readOnly: f(4, bool(), 'Mounts the volume for reading only. False by default.'),
    options: f(
      5,
      map(string()),
      'Further options for the driver, by name. Keys in the reserved domains of the platform are refused.',
    ),
  },
  { description: 'A volume that a program installed on the node mounts. Deprecated: use a CSI driver instead.' },
);
export type FlexVolumeSource = Infer<typeof FlexVolumeSource>;

export const FlexPersistentVolumeSource = struct(
  'core.v1.FlexPersistentVolumeSource',
  {
    driver: f(1, string().required(), 'Name of the driver program on the node, as vendor/name.'),
    fsType: f(2, string(), 'File system to mount, such as ext4 or xfs. Unset: the driver decides.'),
    secretRef: f(
      3,
      SecretReference.optional(),
      'Secret that is passed to the driver, with its namespace. Unset: none.',
    ),
    readOnly: f(4, bool(), 'Mounts the volume for reading only. False by default.'),
    options: f(
      5,
      map(string()),
      'Further options for the driver, by name. Keys in the reserved domains of the platform are refused.',
    ),
  },
  { description: 'Storage that a program installed on the node mounts. Deprecated: use a CSI driver instead.' },
);
export type FlexPersistentVolumeSource = Infer<typeof FlexPersistentVolumeSource>;
