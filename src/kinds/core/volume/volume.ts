import { bool, string } from '../../../schema/scalars.ts';
import { f, type Infer, inline, struct } from '../../../schema/schema.ts';
import { DownwardAPIVolumeSource } from '../pod/downward-api.ts';
import {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  AzureFileVolumeSource,
  CinderVolumeSource,
  GCEPersistentDiskVolumeSource,
  PhotonPersistentDiskVolumeSource,
  VsphereVirtualDiskVolumeSource,
} from './cloud-volumes.ts';
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

export const PersistentVolumeClaimVolumeSource = struct(
  'core.v1.PersistentVolumeClaimVolumeSource',
  {
    claimName: f(1, string().required(), 'Name of the claim, which is in the namespace of the pod.'),
    readOnly: f(2, bool(), 'Mounts the volume for reading only in all containers. False by default.'),
  },
  { description: 'The volume that a claim in the namespace of the pod is bound to.' },
);
export type PersistentVolumeClaimVolumeSource = Infer<typeof PersistentVolumeClaimVolumeSource>;

export const EphemeralVolumeSource = struct(
  'core.v1.EphemeralVolumeSource',
  {
    volumeClaimTemplate: f(
      1,
      PersistentVolumeClaimTemplate.optional(),
      'Claim to make, named after the pod and the volume: pod-volume. Required; cannot be changed.',
    ),
  },
  { description: 'A volume from a claim that is made for the pod and deleted with it.' },
);
export type EphemeralVolumeSource = Infer<typeof EphemeralVolumeSource>;

export const VolumeSource = struct(
  'core.v1.VolumeSource',
  {
    hostPath: f(
      1,
      HostPathVolumeSource.optional(),
      'A file or directory of the node. Gives access to the node; most pods do not need it.',
    ),
    emptyDir: f(
      2,
      EmptyDirVolumeSource.optional(),
      'An empty directory that is made with the pod and lost with it. The default if no source is set.',
    ),
    gcePersistentDisk: f(3, GCEPersistentDiskVolumeSource.optional(), 'A disk of Google Compute Engine.'),
    awsElasticBlockStore: f(4, AWSElasticBlockStoreVolumeSource.optional(), 'A disk of AWS Elastic Block Store.'),
    gitRepo: f(
      5,
      GitRepoVolumeSource.optional(),
      'A clone of a git repository. Deprecated: clone in an init container instead.',
    ),
    secret: f(6, SecretVolumeSource.optional(), 'Entries of a secret as files.'),
    nfs: f(7, NFSVolumeSource.optional(), 'A directory exported by an NFS server.'),
    iscsi: f(8, ISCSIVolumeSource.optional(), 'A disk that is reached over iSCSI.'),
    glusterfs: f(9, GlusterfsVolumeSource.optional(), 'A volume of a Gluster cluster.'),
    persistentVolumeClaim: f(
      10,
      PersistentVolumeClaimVolumeSource.optional(),
      'The persistent volume that a claim in the namespace of the pod is bound to.',
    ),
    rbd: f(11, RBDVolumeSource.optional(), 'A block device image of Ceph.'),
    flexVolume: f(12, FlexVolumeSource.optional(), 'A volume that a program on the node mounts. Deprecated: use csi.'),
    cinder: f(13, CinderVolumeSource.optional(), 'A volume of OpenStack Cinder.'),
    cephfs: f(14, CephFSVolumeSource.optional(), 'A directory of a Ceph file system.'),
    flocker: f(15, FlockerVolumeSource.optional(), 'A dataset of Flocker. Deprecated.'),
    downwardAPI: f(16, DownwardAPIVolumeSource.optional(), 'Facts about the pod as files.'),
    fc: f(17, FCVolumeSource.optional(), 'A disk on a Fibre Channel network.'),
    azureFile: f(18, AzureFileVolumeSource.optional(), 'A file share of Azure.'),
    configMap: f(19, ConfigMapVolumeSource.optional(), 'Entries of a config map as files.'),
    vsphereVolume: f(20, VsphereVirtualDiskVolumeSource.optional(), 'A virtual disk of vSphere.'),
    quobyte: f(21, QuobyteVolumeSource.optional(), 'A volume of Quobyte.'),
    azureDisk: f(22, AzureDiskVolumeSource.optional(), 'A data disk of Azure.'),
    photonPersistentDisk: f(23, PhotonPersistentDiskVolumeSource.optional(), 'A disk of a Photon controller.'),
    projected: f(
      26,
      ProjectedVolumeSource.optional(),
      'Files from several secrets, config maps, tokens and facts about the pod in one directory.',
    ),
    portworxVolume: f(24, PortworxVolumeSource.optional(), 'A volume of Portworx.'),
    scaleIO: f(25, ScaleIOVolumeSource.optional(), 'A volume of ScaleIO.'),
    storageos: f(27, StorageOSVolumeSource.optional(), 'A volume of StorageOS.'),
    csi: f(28, CSIVolumeSource.optional(), 'A volume that a storage driver (CSI) makes for the pod alone.'),
    ephemeral: f(
      29,
      EphemeralVolumeSource.optional(),
      'A volume from a claim that is made for the pod and deleted with it.',
    ),
  },
  { description: 'Where the data of a volume is; at most one field. None means emptyDir.' },
);
export type VolumeSource = Infer<typeof VolumeSource>;

export const Volume = struct(
  'core.v1.Volume',
  {
    name: f(
      1,
      string().required(),
      'Name of the volume, a DNS label unique within the pod; containers mount it by this name.',
    ),
    volumeSource: inline(2, VolumeSource),
  },
  {
    description:
      'A directory or device that containers of a pod can mount. Has one source; without one it is an emptyDir.',
    defaults(volume) {
      if (Object.keys(volume).every((field) => field === 'name')) volume.emptyDir = {};
    },
  },
);
export type Volume = Infer<typeof Volume>;
