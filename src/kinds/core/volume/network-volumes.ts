import { bool, int32, string } from '../../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../../schema/schema.ts';
import { LocalObjectReference } from '../references.ts';

export const CephFSVolumeSource = struct(
  'core.v1.CephFSVolumeSource',
  {
    monitors: f(1, list(string()).required(), 'Addresses of the Ceph monitors, as host:port.'),
    path: f(2, string(), 'Directory of the file system to mount; / when unset.'),
    user: f(3, string(), 'Ceph user to mount as; admin when unset.'),
    secretFile: f(
      4,
      string(),
      'File on the node with the key of the user; /etc/ceph/user.secret when unset. secretRef wins over it.',
    ),
    secretRef: f(5, LocalObjectReference.optional(), 'Secret in the namespace of the pod with the key of the user.'),
    readOnly: f(6, bool(), 'Mounts the volume for reading only. False by default.'),
  },
  { description: 'A directory of a Ceph file system, mounted on the node.' },
);
export type CephFSVolumeSource = Infer<typeof CephFSVolumeSource>;

export const FCVolumeSource = struct(
  'core.v1.FCVolumeSource',
  {
    targetWWNs: f(1, list(string()), 'World wide names of the target ports. Requires lun and excludes wwids.'),
    lun: f(2, int32().optional(), 'Number of the logical unit at the target, 0 to 255. Required with targetWWNs.'),
    fsType: f(
      3,
      string(),
      'File system to mount, such as ext4 or xfs; it must be one the node supports. ext4 when unset.',
    ),
    readOnly: f(4, bool(), 'Mounts the volume for reading only. False by default.'),
    wwids: f(5, list(string()), 'World wide identifiers of the disk. Excludes targetWWNs.'),
  },
  { description: 'A disk on a Fibre Channel network. Found by targetWWNs and lun, or else by wwids.' },
);
export type FCVolumeSource = Infer<typeof FCVolumeSource>;

export const FlockerVolumeSource = struct(
  'core.v1.FlockerVolumeSource',
  {
    datasetName: f(
      1,
      string(),
      'Name of the dataset, as in its metadata; must not contain a slash. Excludes datasetUUID.',
    ),
    datasetUUID: f(2, string(), 'Id of the dataset. Excludes datasetName.'),
  },
  { description: 'A dataset of Flocker. Deprecated. Exactly one of the two fields.' },
);
export type FlockerVolumeSource = Infer<typeof FlockerVolumeSource>;

export const GlusterfsVolumeSource = struct(
  'core.v1.GlusterfsVolumeSource',
  {
    endpoints: f(
      1,
      string().required(),
      'Endpoints object in the namespace of the pod that lists the servers of the cluster.',
    ),
    path: f(2, string().required(), 'Name of the Gluster volume.'),
    readOnly: f(3, bool(), 'Mounts the volume for reading only. False by default.'),
  },
  { description: 'A volume of a Gluster cluster, mounted on the node.' },
);
export type GlusterfsVolumeSource = Infer<typeof GlusterfsVolumeSource>;

export const ISCSIVolumeSource = struct(
  'core.v1.ISCSIVolumeSource',
  {
    targetPortal: f(1, string().required(), 'Address of the target, as host or host:port; port 3260 unless given.'),
    iqn: f(2, string().required(), 'Qualified name of the target; starts with iqn, eui or naa.'),
    lun: f(3, int32().required(), 'Number of the logical unit at the target, 0 to 255.'),
    iscsiInterface: f(
      4,
      string().default('default'),
      'Name of the iSCSI interface on the node. "default", which it is by default, means TCP.',
    ),
    fsType: f(
      5,
      string(),
      'File system to mount, such as ext4 or xfs; it must be one the node supports. ext4 when unset.',
    ),
    readOnly: f(6, bool(), 'Mounts the volume for reading only. False by default.'),
    portals: f(7, list(string()), 'Further addresses of the target, for several paths to the same disk.'),
    chapAuthDiscovery: f(8, bool(), 'Authenticates discovery with CHAP; requires secretRef. False by default.'),
    chapAuthSession: f(11, bool(), 'Authenticates the session with CHAP; requires secretRef. False by default.'),
    secretRef: f(
      10,
      LocalObjectReference.optional(),
      'Secret in the namespace of the pod with CHAP names and passwords.',
    ),
    initiatorName: f(
      12,
      string().optional(),
      'Name the node gives itself towards the target. Unset: the one of the node.',
    ),
  },
  { description: 'A disk that is reached over iSCSI. Only one node can write to it at a time.' },
);
export type ISCSIVolumeSource = Infer<typeof ISCSIVolumeSource>;

export const NFSVolumeSource = struct(
  'core.v1.NFSVolumeSource',
  {
    server: f(1, string().required(), 'Host name or address of the NFS server.'),
    path: f(2, string().required(), 'Directory that the server exports; an absolute path.'),
    readOnly: f(3, bool(), 'Mounts the volume for reading only. False by default.'),
  },
  { description: 'A directory exported by an NFS server, mounted on the node.' },
);
export type NFSVolumeSource = Infer<typeof NFSVolumeSource>;

export const PortworxVolumeSource = struct(
  'core.v1.PortworxVolumeSource',
  {
    volumeID: f(1, string().required(), 'Id of the volume as Portworx knows it.'),
    fsType: f(
      2,
      string(),
      'File system to mount, such as ext4 or xfs; it must be one the node supports. ext4 when unset.',
    ),
    readOnly: f(3, bool(), 'Mounts the volume for reading only. False by default.'),
  },
  { description: 'A volume of Portworx, mounted on the node.' },
);
export type PortworxVolumeSource = Infer<typeof PortworxVolumeSource>;

export const QuobyteVolumeSource = struct(
  'core.v1.QuobyteVolumeSource',
  {
    registry: f(1, string().required(), 'Registries of the cluster, as host:port; several are separated by commas.'),
    volume: f(2, string().required(), 'Name of the volume, which must exist.'),
    readOnly: f(3, bool(), 'Mounts the volume for reading only. False by default.'),
    user: f(4, string(), 'User that files belong to. Unset: the owner of the volume.'),
    group: f(5, string(), 'Group that files belong to. Unset: no group.'),
    tenant: f(
      6,
      string(),
      'Tenant that owns the volume; at most 64 characters. Set by the provisioner for volumes it makes.',
    ),
  },
  { description: 'A volume of Quobyte, mounted on the node.' },
);
export type QuobyteVolumeSource = Infer<typeof QuobyteVolumeSource>;

export const RBDVolumeSource = struct(
  'core.v1.RBDVolumeSource',
  {
    monitors: f(1, list(string()).required(), 'Addresses of the Ceph monitors, as host:port.'),
    image: f(2, string().required(), 'Name of the image.'),
    fsType: f(
      3,
      string(),
      'File system to mount, such as ext4 or xfs; it must be one the node supports. ext4 when unset.',
    ),
    pool: f(4, string().default('rbd'), 'Ceph pool that has the image; rbd by default.'),
    user: f(5, string().default('admin'), 'Ceph user to map the image as; admin by default.'),
    keyring: f(
      6,
      string().default('/etc/ceph/keyring'),
      'File on the node with the keyring of the user; /etc/ceph/keyring by default. secretRef wins over it.',
    ),
    secretRef: f(7, LocalObjectReference.optional(), 'Secret in the namespace of the pod with the key of the user.'),
    readOnly: f(8, bool(), 'Mounts the volume for reading only. False by default.'),
  },
  { description: 'A block device image of Ceph. Only one node can write to it at a time.' },
);
export type RBDVolumeSource = Infer<typeof RBDVolumeSource>;

export const ScaleIOVolumeSource = struct(
  'core.v1.ScaleIOVolumeSource',
  {
    gateway: f(1, string().required(), 'Address of the ScaleIO gateway.'),
    system: f(2, string().required(), 'Name of the storage system, as it is configured in ScaleIO.'),
    secretRef: f(
      3,
      LocalObjectReference.optional().required(),
      'Secret in the namespace of the pod with the user and password for the gateway. Required.',
    ),
    sslEnabled: f(4, bool(), 'Uses TLS towards the gateway. False by default.'),
    protectionDomain: f(5, string(), 'Protection domain that the volume is in.'),
    storagePool: f(6, string(), 'Storage pool of the protection domain.'),
    storageMode: f(
      7,
      string().default('ThinProvisioned'),
      'ThickProvisioned (space is reserved) or ThinProvisioned; ThinProvisioned by default.',
    ),
    volumeName: f(8, string(), 'Name of the volume, which must exist.'),
    fsType: f(
      9,
      string().default('xfs'),
      'File system to mount, such as ext4 or xfs; it must be one the node supports. xfs by default.',
    ),
    readOnly: f(10, bool(), 'Mounts the volume for reading only. False by default.'),
  },
  { description: 'A volume of ScaleIO, mounted on the node.' },
);
export type ScaleIOVolumeSource = Infer<typeof ScaleIOVolumeSource>;

export const StorageOSVolumeSource = struct(
  'core.v1.StorageOSVolumeSource',
  {
    volumeName: f(1, string(), 'Name of the volume, unique within its namespace at StorageOS.'),
    volumeNamespace: f(
      2,
      string(),
      'Namespace at StorageOS that has the volume. Unset: the one called like the namespace of the pod.',
    ),
    fsType: f(
      3,
      string(),
      'File system to mount, such as ext4 or xfs; it must be one the node supports. ext4 when unset.',
    ),
    readOnly: f(4, bool(), 'Mounts the volume for reading only. False by default.'),
    secretRef: f(
      5,
      LocalObjectReference.optional(),
      'Secret in the namespace of the pod with the credentials for StorageOS. Unset: defaults are tried.',
    ),
  },
  { description: 'A volume of StorageOS, mounted on the node.' },
);
export type StorageOSVolumeSource = Infer<typeof StorageOSVolumeSource>;
