import { bool, string } from '../../schema/scalars.ts';
import { f, type Infer, map, struct } from '../../schema/schema.ts';
import { LocalObjectReference, SecretReference } from './references.ts';

export const CSIVolumeSource = struct('core.v1.CSIVolumeSource', {
  driver: f(1, string().required()),
  readOnly: f(2, bool().optional()),
  fsType: f(3, string().optional()),
  volumeAttributes: f(4, map(string())),
  nodePublishSecretRef: f(5, LocalObjectReference.optional()),
});
export type CSIVolumeSource = Infer<typeof CSIVolumeSource>;

export const CSIPersistentVolumeSource = struct('core.v1.CSIPersistentVolumeSource', {
  driver: f(1, string().required()),
  volumeHandle: f(2, string().required()),
  readOnly: f(3, bool()),
  fsType: f(4, string()),
  volumeAttributes: f(5, map(string())),
  controllerPublishSecretRef: f(6, SecretReference.optional()),
  nodeStageSecretRef: f(7, SecretReference.optional()),
  nodePublishSecretRef: f(8, SecretReference.optional()),
  controllerExpandSecretRef: f(9, SecretReference.optional()),
  nodeExpandSecretRef: f(10, SecretReference.optional()),
});
export type CSIPersistentVolumeSource = Infer<typeof CSIPersistentVolumeSource>;

export const FlexVolumeSource = struct('core.v1.FlexVolumeSource', {
  driver: f(1, string().required()),
  fsType: f(2, string()),
  secretRef: f(3, LocalObjectReference.optional()),
  readOnly: f(4, bool()),
  options: f(5, map(string())),
});
export type FlexVolumeSource = Infer<typeof FlexVolumeSource>;

export const FlexPersistentVolumeSource = struct('core.v1.FlexPersistentVolumeSource', {
  driver: f(1, string().required()),
  fsType: f(2, string()),
  secretRef: f(3, SecretReference.optional()),
  readOnly: f(4, bool()),
  options: f(5, map(string())),
});
export type FlexPersistentVolumeSource = Infer<typeof FlexPersistentVolumeSource>;
