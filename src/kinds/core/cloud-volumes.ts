import { bool, int32, string } from '../../schema/scalars.ts';
import { f, type Infer, struct } from '../../schema/schema.ts';
import { LocalObjectReference } from './references.ts';

export const AWSElasticBlockStoreVolumeSource = struct('core.v1.AWSElasticBlockStoreVolumeSource', {
  volumeID: f(1, string().required()),
  fsType: f(2, string()),
  partition: f(3, int32()),
  readOnly: f(4, bool()),
});
export type AWSElasticBlockStoreVolumeSource = Infer<typeof AWSElasticBlockStoreVolumeSource>;

export const AzureDiskVolumeSource = struct('core.v1.AzureDiskVolumeSource', {
  diskName: f(1, string().required()),
  diskURI: f(2, string().required()),
  cachingMode: f(3, string().optional().default('ReadWrite')),
  fsType: f(4, string().optional().default('ext4')),
  readOnly: f(5, bool().optional().default(false)),
  kind: f(6, string().optional().default('Shared')),
});
export type AzureDiskVolumeSource = Infer<typeof AzureDiskVolumeSource>;

export const AzureFileVolumeSource = struct('core.v1.AzureFileVolumeSource', {
  secretName: f(1, string().required()),
  shareName: f(2, string().required()),
  readOnly: f(3, bool()),
});
export type AzureFileVolumeSource = Infer<typeof AzureFileVolumeSource>;

export const CinderVolumeSource = struct('core.v1.CinderVolumeSource', {
  volumeID: f(1, string().required()),
  fsType: f(2, string()),
  readOnly: f(3, bool()),
  secretRef: f(4, LocalObjectReference.optional()),
});
export type CinderVolumeSource = Infer<typeof CinderVolumeSource>;

export const GCEPersistentDiskVolumeSource = struct('core.v1.GCEPersistentDiskVolumeSource', {
  pdName: f(1, string().required()),
  fsType: f(2, string()),
  partition: f(3, int32()),
  readOnly: f(4, bool()),
});
export type GCEPersistentDiskVolumeSource = Infer<typeof GCEPersistentDiskVolumeSource>;

export const PhotonPersistentDiskVolumeSource = struct('core.v1.PhotonPersistentDiskVolumeSource', {
  pdID: f(1, string().required()),
  fsType: f(2, string()),
});
export type PhotonPersistentDiskVolumeSource = Infer<typeof PhotonPersistentDiskVolumeSource>;

export const VsphereVirtualDiskVolumeSource = struct('core.v1.VsphereVirtualDiskVolumeSource', {
  volumePath: f(1, string().required()),
  fsType: f(2, string()),
  storagePolicyName: f(3, string()),
  storagePolicyID: f(4, string()),
});
export type VsphereVirtualDiskVolumeSource = Infer<typeof VsphereVirtualDiskVolumeSource>;
