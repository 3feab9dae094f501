import { bool, int32, string } from '../../../schema/scalars.ts';
import { f, type Infer, struct } from '../../../schema/schema.ts';
import { LocalObjectReference } from '../references.ts';

export const AWSElasticBlockStoreVolumeSource = struct(
  'core.v1.AWSElasticBlockStoreVolumeSource',
  {
    volumeID: f(1, string().required(), 'Id of the disk as the provider knows it, such as vol-0123456789abcdef0.'),
    fsType: f(
      2,
      string(),
      'File system to mount, such as ext4 or xfs; it must be one the node supports. ext4 when unset.',
    ),
    partition: f(3, int32(), 'Number of the partition to mount, up to 255. 0, the default, means the whole disk.'),
    readOnly: f(4, bool(), 'Mounts the disk for reading only. False by default.'),
  },
  {
    description:
      'A disk of AWS Elastic Block Store. The node must be an instance in the same zone, and only one node can mount it.',
  },
);
export type AWSElasticBlockStoreVolumeSource = Infer<typeof AWSElasticBlockStoreVolumeSource>;

export const AzureDiskVolumeSource = struct(
  'core.v1.AzureDiskVolumeSource',
  {
    diskName: f(1, string().required(), 'Name of the disk at the provider.'),
    diskURI: f(
      2,
      string().required(),
      'Where the disk is: a resource id (/subscriptions/...) if kind is Managed, otherwise an https URL of the blob.',
    ),
    cachingMode: f(
      3,
      string().optional().default('ReadWrite'),
      'Caching on the host: None, ReadOnly or ReadWrite. ReadWrite by default.',
    ),
    fsType: f(
      4,
      string().optional().default('ext4'),
      'File system to mount, such as ext4 or xfs; it must be one the node supports. ext4 by default.',
    ),
    readOnly: f(5, bool().optional().default(false), 'Mounts the disk for reading only. False by default.'),
    kind: f(
      6,
      string().optional().default('Shared'),
      'Shared (several disks in a storage account), Dedicated (one disk in it) or Managed (a disk the provider manages). Shared by default.',
    ),
  },
  { description: 'A data disk of Azure, mounted on the node.' },
);
export type AzureDiskVolumeSource = Infer<typeof AzureDiskVolumeSource>;

export const AzureFileVolumeSource = struct(
  'core.v1.AzureFileVolumeSource',
  {
    secretName: f(
      1,
      string().required(),
      'Secret in the namespace of the pod that holds name and key of the storage account.',
    ),
    shareName: f(2, string().required(), 'Name of the share within the storage account.'),
    readOnly: f(3, bool(), 'Mounts the share for reading only. False by default.'),
  },
  { description: 'A file share of Azure, mounted on the node.' },
);
export type AzureFileVolumeSource = Infer<typeof AzureFileVolumeSource>;

export const CinderVolumeSource = struct(
  'core.v1.CinderVolumeSource',
  {
    volumeID: f(1, string().required(), 'Id of the volume as Cinder knows it.'),
    fsType: f(
      2,
      string(),
      'File system to mount, such as ext4 or xfs; it must be one the node supports. ext4 when unset.',
    ),
    readOnly: f(3, bool(), 'Mounts the volume for reading only. False by default.'),
    secretRef: f(
      4,
      LocalObjectReference.optional(),
      'Secret in the namespace of the pod with the parameters for connecting to OpenStack. Unset: those of the node.',
    ),
  },
  { description: 'A volume of OpenStack Cinder. The node must be an instance of the same cloud and region.' },
);
export type CinderVolumeSource = Infer<typeof CinderVolumeSource>;

export const GCEPersistentDiskVolumeSource = struct(
  'core.v1.GCEPersistentDiskVolumeSource',
  {
    pdName: f(1, string().required(), 'Name of the disk, which must be in the project and zone of the node.'),
    fsType: f(
      2,
      string(),
      'File system to mount, such as ext4 or xfs; it must be one the node supports. ext4 when unset.',
    ),
    partition: f(3, int32(), 'Number of the partition to mount, up to 255. 0, the default, means the whole disk.'),
    readOnly: f(
      4,
      bool(),
      'Mounts the disk for reading only, as is needed when several nodes mount it. False by default.',
    ),
  },
  {
    description:
      'A disk of Google Compute Engine. Only one node can write to it at a time; many can mount it for reading.',
  },
);
export type GCEPersistentDiskVolumeSource = Infer<typeof GCEPersistentDiskVolumeSource>;

export const PhotonPersistentDiskVolumeSource = struct(
  'core.v1.PhotonPersistentDiskVolumeSource',
  {
    pdID: f(1, string().required(), 'Id of the disk as the Photon controller knows it.'),
    fsType: f(
      2,
      string(),
      'File system to mount, such as ext4 or xfs; it must be one the node supports. ext4 when unset.',
    ),
  },
  { description: 'A disk of a Photon controller, mounted on the node.' },
);
export type PhotonPersistentDiskVolumeSource = Infer<typeof PhotonPersistentDiskVolumeSource>;

export const VsphereVirtualDiskVolumeSource = struct(
  'core.v1.VsphereVirtualDiskVolumeSource',
  {
    volumePath: f(1, string().required(), 'Path of the disk file, with its datastore: [datastore] folder/disk.vmdk.'),
    fsType: f(
      2,
      string(),
      'File system to mount, such as ext4 or xfs; it must be one the node supports. ext4 when unset.',
    ),
    storagePolicyName: f(3, string(), 'Name of the storage policy that the disk was made with.'),
    storagePolicyID: f(4, string(), 'Id of the storage policy that belongs to storagePolicyName.'),
  },
  { description: 'A virtual disk of vSphere, mounted on the node.' },
);
export type VsphereVirtualDiskVolumeSource = Infer<typeof VsphereVirtualDiskVolumeSource>;
