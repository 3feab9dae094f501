import { bool, int32, string } from '../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../schema/schema.ts';
import { LocalObjectReference } from './references.ts';

export const CephFSVolumeSource = struct('core.v1.CephFSVolumeSource', {
  monitors: f(1, list(string()).required()),
  path: f(2, string()),
  user: f(3, string()),
  secretFile: f(4, string()),
  secretRef: f(5, LocalObjectReference.optional()),
  readOnly: f(6, bool()),
});
export type CephFSVolumeSource = Infer<typeof CephFSVolumeSource>;

export const FCVolumeSource = struct('core.v1.FCVolumeSource', {
  targetWWNs: f(1, list(string())),
  lun: f(2, int32().optional()),
  fsType: f(3, string()),
  readOnly: f(4, bool()),
  wwids: f(5, list(string())),
});
export type FCVolumeSource = Infer<typeof FCVolumeSource>;

export const FlockerVolumeSource = struct('core.v1.FlockerVolumeSource', {
  datasetName: f(1, string()),
  datasetUUID: f(2, string()),
});
export type FlockerVolumeSource = Infer<typeof FlockerVolumeSource>;

export const GlusterfsVolumeSource = struct('core.v1.GlusterfsVolumeSource', {
  endpoints: f(1, string().required()),
  path: f(2, string().required()),
  readOnly: f(3, bool()),
});
export type GlusterfsVolumeSource = Infer<typeof GlusterfsVolumeSource>;

export const ISCSIVolumeSource = struct('core.v1.ISCSIVolumeSource', {
  targetPortal: f(1, string().required()),
  iqn: f(2, string().required()),
  lun: f(3, int32().required()),
  iscsiInterface: f(4, string().default('default')),
  fsType: f(5, string()),
  readOnly: f(6, bool()),
  portals: f(7, list(string())),
  chapAuthDiscovery: f(8, bool()),
  chapAuthSession: f(11, bool()),
  secretRef: f(10, LocalObjectReference.optional()),
  initiatorName: f(12, string().optional()),
});
export type ISCSIVolumeSource = Infer<typeof ISCSIVolumeSource>;

export const NFSVolumeSource = struct('core.v1.NFSVolumeSource', {
  server: f(1, string().required()),
  path: f(2, string().required()),
  readOnly: f(3, bool()),
});
export type NFSVolumeSource = Infer<typeof NFSVolumeSource>;

export const PortworxVolumeSource = struct('core.v1.PortworxVolumeSource', {
  volumeID: f(1, string().required()),
  fsType: f(2, string()),
  readOnly: f(3, bool()),
});
export type PortworxVolumeSource = Infer<typeof PortworxVolumeSource>;

export const QuobyteVolumeSource = struct('core.v1.QuobyteVolumeSource', {
  registry: f(1, string().required()),
  volume: f(2, string().required()),
  readOnly: f(3, bool()),
  user: f(4, string()),
  group: f(5, string()),
  tenant: f(6, string()),
});
export type QuobyteVolumeSource = Infer<typeof QuobyteVolumeSource>;

export const RBDVolumeSource = struct('core.v1.RBDVolumeSource', {
  monitors: f(1, list(string()).required()),
  image: f(2, string().required()),
  fsType: f(3, string()),
  pool: f(4, string().default('rbd')),
  user: f(5, string().default('admin')),
  keyring: f(6, string().default('/etc/ceph/keyring')),
  secretRef: f(7, LocalObjectReference.optional()),
  readOnly: f(8, bool()),
});
export type RBDVolumeSource = Infer<typeof RBDVolumeSource>;

export const ScaleIOVolumeSource = struct('core.v1.ScaleIOVolumeSource', {
  gateway: f(1, string().required()),
  system: f(2, string().required()),
  secretRef: f(3, LocalObjectReference.optional().required()),
  sslEnabled: f(4, bool()),
  protectionDomain: f(5, string()),
  storagePool: f(6, string()),
  storageMode: f(7, string().default('ThinProvisioned')),
  volumeName: f(8, string()),
  fsType: f(9, string().default('xfs')),
  readOnly: f(10, bool()),
});
export type ScaleIOVolumeSource = Infer<typeof ScaleIOVolumeSource>;

export const StorageOSVolumeSource = struct('core.v1.StorageOSVolumeSource', {
  volumeName: f(1, string()),
  volumeNamespace: f(2, string()),
  fsType: f(3, string()),
  readOnly: f(4, bool()),
  secretRef: f(5, LocalObjectReference.optional()),
});
export type StorageOSVolumeSource = Infer<typeof StorageOSVolumeSource>;
