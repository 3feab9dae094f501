import { bool, int32, string } from '../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../schema/schema.ts';
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
import { ObjectReference, SecretReference } from './references.ts';

export const AzureFilePersistentVolumeSource = struct('core.v1.AzureFilePersistentVolumeSource', {
  secretName: f(1, string().required()),
  shareName: f(2, string().required()),
  readOnly: f(3, bool()),
  secretNamespace: f(4, string().optional().always()),
});
export type AzureFilePersistentVolumeSource = Infer<typeof AzureFilePersistentVolumeSource>;

export const CephFSPersistentVolumeSource = struct('core.v1.CephFSPersistentVolumeSource', {
  monitors: f(1, list(string()).required()),
  path: f(2, string()),
  user: f(3, string()),
  secretFile: f(4, string()),
  secretRef: f(5, SecretReference.optional()),
  readOnly: f(6, bool()),
});
export type CephFSPersistentVolumeSource = Infer<typeof CephFSPersistentVolumeSource>;

export const CinderPersistentVolumeSource = struct('core.v1.CinderPersistentVolumeSource', {
  volumeID: f(1, string().required()),
  fsType: f(2, string()),
  readOnly: f(3, bool()),
  secretRef: f(4, SecretReference.optional()),
});
export type CinderPersistentVolumeSource = Infer<typeof CinderPersistentVolumeSource>;

export const GlusterfsPersistentVolumeSource = struct('core.v1.GlusterfsPersistentVolumeSource', {
  endpoints: f(1, string().required()),
  path: f(2, string().required()),
  readOnly: f(3, bool()),
  endpointsNamespace: f(4, string().optional()),
});
export type GlusterfsPersistentVolumeSource = Infer<typeof GlusterfsPersistentVolumeSource>;

export const ISCSIPersistentVolumeSource = struct('core.v1.ISCSIPersistentVolumeSource', {
  targetPortal: f(1, string().required()),
  iqn: f(2, string().required()),
  lun: f(3, int32().required()),
  iscsiInterface: f(4, string().default('default')),
  fsType: f(5, string()),
  readOnly: f(6, bool()),
  portals: f(7, list(string())),
  chapAuthDiscovery: f(8, bool()),
  chapAuthSession: f(11, bool()),
  secretRef: f(10, SecretReference.optional()),
  initiatorName: f(12, string().optional()),
});
export type ISCSIPersistentVolumeSource = Infer<typeof ISCSIPersistentVolumeSource>;

export const RBDPersistentVolumeSource = struct('core.v1.RBDPersistentVolumeSource', {
  monitors: f(1, list(string()).required()),
  image: f(2, string().required()),
  fsType: f(3, string()),
  pool: f(4, string().default('rbd')),
  user: f(5, string().default('admin')),
  keyring: f(6, string().default('/etc/ceph/keyring')),
  secretRef: f(7, SecretReference.optional()),
  readOnly: f(8, bool()),
});
export type RBDPersistentVolumeSource = Infer<typeof RBDPersistentVolumeSource>;

export const ScaleIOPersistentVolumeSource = struct('core.v1.ScaleIOPersistentVolumeSource', {
  gateway: f(1, string().required()),
  system: f(2, string().required()),
  secretRef: f(3, SecretReference.optional().required()),
  sslEnabled: f(4, bool()),
  protectionDomain: f(5, string()),
  storagePool: f(6, string()),
  storageMode: f(7, string().default('ThinProvisioned')),
  volumeName: f(8, string()),
  fsType: f(9, string().default('xfs')),
  readOnly: f(10, bool()),
});
export type ScaleIOPersistentVolumeSource = Infer<typeof ScaleIOPersistentVolumeSource>;

export const StorageOSPersistentVolumeSource = struct('core.v1.StorageOSPersistentVolumeSource', {
  volumeName: f(1, string()),
  volumeNamespace: f(2, string()),
  fsType: f(3, string()),
  readOnly: f(4, bool()),
  secretRef: f(5, ObjectReference.optional()),
});
export type StorageOSPersistentVolumeSource = Infer<typeof StorageOSPersistentVolumeSource>;

export const PersistentVolumeSource = struct('core.v1.PersistentVolumeSource', {
  gcePersistentDisk: f(1, GCEPersistentDiskVolumeSource.optional()),
  awsElasticBlockStore: f(2, AWSElasticBlockStoreVolumeSource.optional()),
  hostPath: f(3, HostPathVolumeSource.optional()),
  glusterfs: f(4, GlusterfsPersistentVolumeSource.optional()),
  nfs: f(5, NFSVolumeSource.optional()),
  rbd: f(6, RBDPersistentVolumeSource.optional()),
  iscsi: f(7, ISCSIPersistentVolumeSource.optional()),
  cinder: f(8, CinderPersistentVolumeSource.optional()),
  cephfs: f(9, CephFSPersistentVolumeSource.optional()),
  fc: f(10, FCVolumeSource.optional()),
  flocker: f(11, FlockerVolumeSource.optional()),
  flexVolume: f(12, FlexPersistentVolumeSource.optional()),
  azureFile: f(13, AzureFilePersistentVolumeSource.optional()),
  vsphereVolume: f(14, VsphereVirtualDiskVolumeSource.optional()),
  quobyte: f(15, QuobyteVolumeSource.optional()),
  azureDisk: f(16, AzureDiskVolumeSource.optional()),
  photonPersistentDisk: f(17, PhotonPersistentDiskVolumeSource.optional()),
  portworxVolume: f(18, PortworxVolumeSource.optional()),
  scaleIO: f(19, ScaleIOPersistentVolumeSource.optional()),
  local: f(20, LocalVolumeSource.optional()),
  storageos: f(21, StorageOSPersistentVolumeSource.optional()),
  csi: f(22, CSIPersistentVolumeSource.optional()),
});
export type PersistentVolumeSource = Infer<typeof PersistentVolumeSource>;
