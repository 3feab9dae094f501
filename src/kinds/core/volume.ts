import { bool, string } from '../../schema/scalars.ts';
import { f, type Infer, inline, struct } from '../../schema/schema.ts';
import {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  AzureFileVolumeSource,
  CinderVolumeSource,
  GCEPersistentDiskVolumeSource,
  PhotonPersistentDiskVolumeSource,
  VsphereVirtualDiskVolumeSource,
} from './cloud-volumes.ts';
import { DownwardAPIVolumeSource } from './downward-api.ts';
import { CSIVolumeSource, FlexVolumeSource } from './driver-volumes.ts';
import { EmptyDirVolumeSource, GitRepoVolumeSource, HostPathVolumeSource } from './local-volumes.ts';
import {
  CephFSVolumeSource,
  FCVolumeSource,
  FlockerVolumeSource,
  GlusterfsVolumeSource,
  ISCSIVolumeSource,
  NFSVolumeSource,
  PortworxVolumeSource,
  QuobyteVolumeSource,
  RBDVolumeSource,
  ScaleIOVolumeSource,
  StorageOSVolumeSource,
} from './network-volumes.ts';
import { PersistentVolumeClaimTemplate } from './persistent-volume-claim.ts';
import { ConfigMapVolumeSource, ProjectedVolumeSource, SecretVolumeSource } from './projected-volume.ts';

export const PersistentVolumeClaimVolumeSource = struct('core.v1.PersistentVolumeClaimVolumeSource', {
  claimName: f(1, string().required()),
  readOnly: f(2, bool()),
});
export type PersistentVolumeClaimVolumeSource = Infer<typeof PersistentVolumeClaimVolumeSource>;

export const EphemeralVolumeSource = struct('core.v1.EphemeralVolumeSource', {
  volumeClaimTemplate: f(1, PersistentVolumeClaimTemplate.optional()),
});
export type EphemeralVolumeSource = Infer<typeof EphemeralVolumeSource>;

export const VolumeSource = struct('core.v1.VolumeSource', {
  hostPath: f(1, HostPathVolumeSource.optional()),
  emptyDir: f(2, EmptyDirVolumeSource.optional()),
  gcePersistentDisk: f(3, GCEPersistentDiskVolumeSource.optional()),
  awsElasticBlockStore: f(4, AWSElasticBlockStoreVolumeSource.optional()),
  gitRepo: f(5, GitRepoVolumeSource.optional()),
  secret: f(6, SecretVolumeSource.optional()),
  nfs: f(7, NFSVolumeSource.optional()),
  iscsi: f(8, ISCSIVolumeSource.optional()),
  glusterfs: f(9, GlusterfsVolumeSource.optional()),
  persistentVolumeClaim: f(10, PersistentVolumeClaimVolumeSource.optional()),
  rbd: f(11, RBDVolumeSource.optional()),
  flexVolume: f(12, FlexVolumeSource.optional()),
  cinder: f(13, CinderVolumeSource.optional()),
  cephfs: f(14, CephFSVolumeSource.optional()),
  flocker: f(15, FlockerVolumeSource.optional()),
  downwardAPI: f(16, DownwardAPIVolumeSource.optional()),
  fc: f(17, FCVolumeSource.optional()),
  azureFile: f(18, AzureFileVolumeSource.optional()),
  configMap: f(19, ConfigMapVolumeSource.optional()),
  vsphereVolume: f(20, VsphereVirtualDiskVolumeSource.optional()),
  quobyte: f(21, QuobyteVolumeSource.optional()),
  azureDisk: f(22, AzureDiskVolumeSource.optional()),
  photonPersistentDisk: f(23, PhotonPersistentDiskVolumeSource.optional()),
  projected: f(26, ProjectedVolumeSource.optional()),
  portworxVolume: f(24, PortworxVolumeSource.optional()),
  scaleIO: f(25, ScaleIOVolumeSource.optional()),
  storageos: f(27, StorageOSVolumeSource.optional()),
  csi: f(28, CSIVolumeSource.optional()),
  ephemeral: f(29, EphemeralVolumeSource.optional()),
});
export type VolumeSource = Infer<typeof VolumeSource>;

export const Volume = struct(
  'core.v1.Volume',
  {
    name: f(1, string().required()),
    volumeSource: inline(2, VolumeSource),
  },
  {
    defaults(volume) {
      if (Object.keys(volume).every((field) => field === 'name')) volume.emptyDir = {};
    },
  },
);
export type Volume = Infer<typeof Volume>;
