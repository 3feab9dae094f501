import { amount, int32, int64, string, time } from '../../schema/scalars.ts';
import { f, type Infer, list, map, struct } from '../../schema/schema.ts';
import { NodeConfigStatus } from './node-config.ts';

export const NodeAddress = struct('core.v1.NodeAddress', {
  type: f(1, string().required()),
  address: f(2, string().required()),
});
export type NodeAddress = Infer<typeof NodeAddress>;

export const NodeCondition = struct('core.v1.NodeCondition', {
  type: f(1, string().required()),
  status: f(2, string().required()),
  lastHeartbeatTime: f(3, time()),
  lastTransitionTime: f(4, time()),
  reason: f(5, string()),
  message: f(6, string()),
});
export type NodeCondition = Infer<typeof NodeCondition>;

export const DaemonEndpoint = struct('core.v1.DaemonEndpoint', {
  Port: f(1, int32().required()),
});
export type DaemonEndpoint = Infer<typeof DaemonEndpoint>;

export const NodeDaemonEndpoints = struct('core.v1.NodeDaemonEndpoints', {
  kubeletEndpoint: f(1, DaemonEndpoint),
});
export type NodeDaemonEndpoints = Infer<typeof NodeDaemonEndpoints>;

export const NodeSystemInfo = struct('core.v1.NodeSystemInfo', {
  machineID: f(1, string().required()),
  systemUUID: f(2, string().required()),
  bootID: f(3, string().required()),
  kernelVersion: f(4, string().required()),
  osImage: f(5, string().required()),
  containerRuntimeVersion: f(6, string().required()),
  kubeletVersion: f(7, string().required()),
  kubeProxyVersion: f(8, string().required()),
  operatingSystem: f(9, string().required()),
  architecture: f(10, string().required()),
});
export type NodeSystemInfo = Infer<typeof NodeSystemInfo>;

export const ContainerImage = struct('core.v1.ContainerImage', {
  names: f(1, list(string()).always()),
  sizeBytes: f(2, int64()),
});
export type ContainerImage = Infer<typeof ContainerImage>;

export const AttachedVolume = struct('core.v1.AttachedVolume', {
  name: f(1, string().required()),
  devicePath: f(2, string().required()),
});
export type AttachedVolume = Infer<typeof AttachedVolume>;

export const NodeStatus = struct(
  'core.v1.NodeStatus',
  {
    capacity: f(1, map(amount()), 'All it has.'),
    allocatable: f(2, map(amount()), 'What pods may use of it.'),
    phase: f(3, string().suggests('Pending', 'Running', 'Terminated')),
    conditions: f(4, list(NodeCondition).mergeBy('type'), 'What is known about its health.'),
    addresses: f(5, list(NodeAddress).mergeBy('type'), 'How it can be reached.'),
    daemonEndpoints: f(6, NodeDaemonEndpoints),
    nodeInfo: f(7, NodeSystemInfo, 'What it runs.'),
    images: f(8, list(ContainerImage)),
    volumesInUse: f(9, list(string())),
    volumesAttached: f(10, list(AttachedVolume)),
    config: f(11, NodeConfigStatus.optional()),
  },
  {
    defaults(status) {
      if (status.capacity) status.allocatable ??= { ...status.capacity };
    },
  },
);
export type NodeStatus = Infer<typeof NodeStatus>;
