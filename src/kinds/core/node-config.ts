import { string } from '../../schema/scalars.ts';
import { f, type Infer, struct } from '../../schema/schema.ts';

export const ConfigMapNodeConfigSource = struct('core.v1.ConfigMapNodeConfigSource', {
  namespace: f(1, string().required()),
  name: f(2, string().required()),
  uid: f(3, string()),
  resourceVersion: f(4, string()),
  kubeletConfigKey: f(5, string().required()),
});
export type ConfigMapNodeConfigSource = Infer<typeof ConfigMapNodeConfigSource>;

export const NodeConfigSource = struct('core.v1.NodeConfigSource', {
  configMap: f(2, ConfigMapNodeConfigSource.optional()),
});
export type NodeConfigSource = Infer<typeof NodeConfigSource>;

export const NodeConfigStatus = struct('core.v1.NodeConfigStatus', {
  assigned: f(1, NodeConfigSource.optional()),
  active: f(2, NodeConfigSource.optional()),
  lastKnownGood: f(3, NodeConfigSource.optional()),
  error: f(4, string()),
});
export type NodeConfigStatus = Infer<typeof NodeConfigStatus>;
