import { bool, int32, string } from '../../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../../schema/schema.ts';
import { ObjectReference, SecretReference } from '../references.ts';
import {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  GCEPersistentDiskVolumeSource,
  PhotonPersistentDiskVolumeSource,
  VsphereVirtualDiskVolumeSource,
} from './cloud-volumes.ts';
import { CSIPersistentVolumeSource, FlexPersistentVolumeSource } from './driver-volumes.ts';
import { HostPathVolumeSource, LocalVolumeSource } from './local-volumes.ts';
import {
  FCVolumeSource,
  FlockerVolumeSource,
  NFSVolumeSource,
  PortworxVolumeSource,
  QuobyteVolumeSource,
} from './network-volumes.ts';

export const AzureFilePersistentVolumeSource = struct(
  'core.v1.AzureFilePersistentVolumeSource',
  {
    secretName: f(1, string().required(), 'Secret that holds name and key of the storage account.'),
    shareName: f(2, string().required(), 'Name of the share within the storage account.'),
    readOnly: f(3, bool(), 'Mounts the share for reading only. False by default.'),
    secretNamespace: f(
      4,
      string().optional().always(),
      'Namespace of the secret. Unset: the namespace of the pod that uses the volume.',
    ),
  },
  { description: 'A file share of Azure, mounted on the node.' },
);
export type AzureFilePersistentVolumeSource = Infer<typeof AzureFilePersistentVolumeSource>;

export const CephFSPersistentVolumeSource = struct(
  'core.v1.CephFSPersistentVolumeSource',
  {
    monitors: f(1, list(string()).required(), 'Addresses of the Ceph monitors, as host:port.'),
    path: f(2, string(), 'Directory of the file system to mount; / when unset.'),
    user: f(3, string(), 'Ceph user to mount as; admin when unset.'),
    secretFile: f(
      4,
      string(),
      'File on the node with the key of the user; /etc/ceph/user.secret when unset. secretRef wins over it.',
    ),
    secretRef: f(5, SecretReference.optional(), 'Secret with the key of the user, with its namespace.'),
    readOnly: f(6, bool(), 'Mounts the volume for reading only. False by default.'),
  },
  { description: 'A directory of a Ceph file system, mounted on the node.' },
);
export type CephFSPersistentVolumeSource = Infer<typeof CephFSPersistentVolumeSource>;

export const CinderPersistentVolumeSource = struct(
  'core.v1.CinderPersistentVolumeSource',
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
      SecretReference.optional(),
      'Secret with the parameters for connecting to OpenStack; its name and namespace are required. Unset: those of the node.',
    ),
  },
  { description: 'A volume of OpenStack Cinder. The node must be an instance of the same cloud and region.' },
);
export type CinderPersistentVolumeSource = Infer<typeof CinderPersistentVolumeSource>;

export const GlusterfsPersistentVolumeSource = struct(
  'core.v1.GlusterfsPersistentVolumeSource',
  {
    endpoints: f(1, string().required(), 'Endpoints object that lists the servers of the cluster.'),
    path: f(2, string().required(), 'Name of the Gluster volume.'),
    readOnly: f(3, bool(), 'Mounts the volume for reading only. False by default.'),
    endpointsNamespace: f(
      4,
      string().optional(),
      'Namespace of the endpoints object. Unset: the namespace of the bound claim.',
    ),
  },
  { description: 'A volume of a Gluster cluster, mounted on the node.' },
);
export type GlusterfsPersistentVolumeSource = Infer<typeof GlusterfsPersistentVolumeSource>;

export const ISCSIPersistentVolumeSource = struct(
  'core.v1.ISCSIPersistentVolumeSource',
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
    secretRef: f(10, SecretReference.optional(), 'Secret with CHAP names and passwords, with its namespace.'),
    initiatorName: f(
      12,
      string().optional(),
      'Name the node gives itself towards the target. Unset: the one of the node.',
    ),
  },
  { description: 'A disk that is reached over iSCSI. Only one node can write to it at a time.' },
);
export type ISCSIPersistentVolumeSource = Infer<typeof ISCSIPersistentVolumeSource>;

export const RBDPersistentVolumeSource = struct(
  'core.v1.RBDPersistentVolumeSource',
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
    secretRef: f(7, SecretReference.optional(), 'Secret with the key of the user, with its namespace.'),
    readOnly: f(8, bool(), 'Mounts the volume for reading only. False by default.'),
  },
  { description: 'A block device image of Ceph. Only one node can write to it at a time.' },
);
export type RBDPersistentVolumeSource = Infer<typeof RBDPersistentVolumeSource>;

export const ScaleIOPersistentVolumeSource = struct(
  'core.v1.ScaleIOPersistentVolumeSource',
  {
    gateway: f(1, string().required(), 'Address of the ScaleIO gateway.'),
    system: f(2, string().required(), 'Name of the storage system, as it is configured in ScaleIO.'),
    secretRef: f(
      3,
      SecretReference.optional().required(),
      'Secret with the user and password for the gateway, with its namespace. Required.',
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
export type ScaleIOPersistentVolumeSource = Infer<typeof ScaleIOPersistentVolumeSource>;

export const StorageOSPersistentVolumeSource = struct(
  'core.v1.StorageOSPersistentVolumeSource',
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
      ObjectReference.optional(),
      'Secret with the credentials for StorageOS; its name and namespace are required. Unset: defaults are tried.',
    ),
  },
  { description: 'A volume of StorageOS, mounted on the node.' },
);
export type StorageOSPersistentVolumeSource = Infer<typeof StorageOSPersistentVolumeSource>;

export const PersistentVolumeSource = struct(
  'core.v1.PersistentVolumeSource',
  {
    gcePersistentDisk: f(1, GCEPersistentDiskVolumeSource.optional(), 'A disk of Google Compute Engine.'),
    awsElasticBlockStore: f(2, AWSElasticBlockStoreVolumeSource.optional(), 'A disk of AWS Elastic Block Store.'),
    hostPath: f(
      3,
      HostPathVolumeSource.optional(),
      'A directory of the node, for tests on a single node. It does not follow the pod to another node.',
    ),
    glusterfs: f(4, GlusterfsPersistentVolumeSource.optional(), 'A volume of a Gluster cluster.'),
    nfs: f(5, NFSVolumeSource.optional(), 'A directory exported by an NFS server.'),
    rbd: f(6, RBDPersistentVolumeSource.optional(), 'A block device image of Ceph.'),
    iscsi: f(7, ISCSIPersistentVolumeSource.optional(), 'A disk that is reached over iSCSI.'),
    cinder: f(8, CinderPersistentVolumeSource.optional(), 'A volume of OpenStack Cinder.'),
    cephfs: f(9, CephFSPersistentVolumeSource.optional(), 'A directory of a Ceph file system.'),
    fc: f(10, FCVolumeSource.optional(), 'A disk on a Fibre Channel network.'),
    flocker: f(11, FlockerVolumeSource.optional(), 'A dataset of Flocker. Deprecated.'),
    flexVolume: f(
      12,
      FlexPersistentVolumeSource.optional(),
      'A volume that a program on the node mounts. Deprecated: use csi.',
    ),
    azureFile: f(13, AzureFilePersistentVolumeSource.optional(), 'A file share of Azure.'),
    vsphereVolume: f(14, VsphereVirtualDiskVolumeSource.optional(), 'A virtual disk of vSphere.'),
    quobyte: f(15, QuobyteVolumeSource.optional(), 'A volume of Quobyte.'),
    azureDisk: f(16, AzureDiskVolumeSource.optional(), 'A data disk of Azure.'),
    photonPersistentDisk: f(17, PhotonPersistentDiskVolumeSource.optional(), 'A disk of a Photon controller.'),
    portworxVolume: f(18, PortworxVolumeSource.optional(), 'A volume of Portworx.'),
    scaleIO: f(19, ScaleIOPersistentVolumeSource.optional(), 'A volume of ScaleIO.'),
    local: f(20, LocalVolumeSource.optional(), 'A disk, partition or directory of one node; requires nodeAffinity.'),
    storageos: f(21, StorageOSPersistentVolumeSource.optional(), 'A volume of StorageOS.'),
    csi: f(22, CSIPersistentVolumeSource.optional(), 'A volume managed by a storage driver (CSI).'),
  },
  { description: 'Where the data of a persistent volume is; exactly one field. Cannot be changed.' },
);
export type PersistentVolumeSource = Infer<typeof PersistentVolumeSource>;
