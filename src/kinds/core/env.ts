import { bool, string } from '../../schema/scalars.ts';
import { f, type Infer, inline, struct } from '../../schema/schema.ts';
import { ObjectFieldSelector, ResourceFieldSelector } from './downward-api.ts';
import { LocalObjectReference } from './references.ts';

export const ConfigMapEnvSource = struct('core.v1.ConfigMapEnvSource', {
  localObjectReference: inline(1, LocalObjectReference),
  optional: f(2, bool().optional()),
});
export type ConfigMapEnvSource = Infer<typeof ConfigMapEnvSource>;

export const SecretEnvSource = struct('core.v1.SecretEnvSource', {
  localObjectReference: inline(1, LocalObjectReference),
  optional: f(2, bool().optional()),
});
export type SecretEnvSource = Infer<typeof SecretEnvSource>;

export const EnvFromSource = struct('core.v1.EnvFromSource', {
  prefix: f(1, string()),
  configMapRef: f(2, ConfigMapEnvSource.optional()),
  secretRef: f(3, SecretEnvSource.optional()),
});
export type EnvFromSource = Infer<typeof EnvFromSource>;

export const ConfigMapKeySelector = struct(
  'core.v1.ConfigMapKeySelector',
  {
    localObjectReference: inline(1, LocalObjectReference),
    key: f(2, string().required()),
    optional: f(3, bool().optional()),
  },
  { topology: { mapType: 'atomic' } },
);
export type ConfigMapKeySelector = Infer<typeof ConfigMapKeySelector>;

export const SecretKeySelector = struct(
  'core.v1.SecretKeySelector',
  {
    localObjectReference: inline(1, LocalObjectReference),
    key: f(2, string().required()),
    optional: f(3, bool().optional()),
  },
  { topology: { mapType: 'atomic' } },
);
export type SecretKeySelector = Infer<typeof SecretKeySelector>;

export const EnvVarSource = struct('core.v1.EnvVarSource', {
  fieldRef: f(1, ObjectFieldSelector.optional()),
  resourceFieldRef: f(2, ResourceFieldSelector.optional()),
  configMapKeyRef: f(3, ConfigMapKeySelector.optional()),
  secretKeyRef: f(4, SecretKeySelector.optional()),
});
export type EnvVarSource = Infer<typeof EnvVarSource>;

export const EnvVar = struct('core.v1.EnvVar', {
  name: f(1, string().required()),
  value: f(2, string()),
  valueFrom: f(3, EnvVarSource.optional()),
});
export type EnvVar = Infer<typeof EnvVar>;
