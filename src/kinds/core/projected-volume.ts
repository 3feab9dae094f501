import { bool, int32, int64, string } from '../../schema/scalars.ts';
import { f, type Infer, inline, list, struct } from '../../schema/schema.ts';
import { DownwardAPIProjection } from './downward-api.ts';
import { LocalObjectReference } from './references.ts';

export const KeyToPath = struct('core.v1.KeyToPath', {
  key: f(1, string().required()),
  path: f(2, string().required()),
  mode: f(3, int32().optional()),
});
export type KeyToPath = Infer<typeof KeyToPath>;

export const ConfigMapVolumeSource = struct('core.v1.ConfigMapVolumeSource', {
  localObjectReference: inline(1, LocalObjectReference),
  items: f(2, list(KeyToPath)),
  defaultMode: f(3, int32().optional().default(0o644)),
  optional: f(4, bool().optional()),
});
export type ConfigMapVolumeSource = Infer<typeof ConfigMapVolumeSource>;

export const SecretVolumeSource = struct('core.v1.SecretVolumeSource', {
  secretName: f(1, string()),
  items: f(2, list(KeyToPath)),
  defaultMode: f(3, int32().optional().default(0o644)),
  optional: f(4, bool().optional()),
});
export type SecretVolumeSource = Infer<typeof SecretVolumeSource>;

export const ConfigMapProjection = struct('core.v1.ConfigMapProjection', {
  localObjectReference: inline(1, LocalObjectReference),
  items: f(2, list(KeyToPath)),
  optional: f(4, bool().optional()),
});
export type ConfigMapProjection = Infer<typeof ConfigMapProjection>;

export const SecretProjection = struct('core.v1.SecretProjection', {
  localObjectReference: inline(1, LocalObjectReference),
  items: f(2, list(KeyToPath)),
  optional: f(4, bool().optional()),
});
export type SecretProjection = Infer<typeof SecretProjection>;

export const ServiceAccountTokenProjection = struct('core.v1.ServiceAccountTokenProjection', {
  audience: f(1, string()),
  expirationSeconds: f(2, int64().optional().default(3600)),
  path: f(3, string().required()),
});
export type ServiceAccountTokenProjection = Infer<typeof ServiceAccountTokenProjection>;

export const VolumeProjection = struct('core.v1.VolumeProjection', {
  secret: f(1, SecretProjection.optional()),
  downwardAPI: f(2, DownwardAPIProjection.optional()),
  configMap: f(3, ConfigMapProjection.optional()),
  serviceAccountToken: f(4, ServiceAccountTokenProjection.optional()),
});
export type VolumeProjection = Infer<typeof VolumeProjection>;

export const ProjectedVolumeSource = struct('core.v1.ProjectedVolumeSource', {
  sources: f(1, list(VolumeProjection).always()),
  defaultMode: f(2, int32().optional().default(0o644)),
});
export type ProjectedVolumeSource = Infer<typeof ProjectedVolumeSource>;
