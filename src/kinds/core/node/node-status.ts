import { amount, int32, int64, string, time } from '../../../schema/scalars.ts';
import { f, type Infer, list, map, struct } from '../../../schema/schema.ts';
import { NodeConfigStatus } from './node-config.ts';

export const NodeAddress = struct(
  'core.v1.NodeAddress',
  {
    type: f(1, string().required(), 'Kind of address: Hostname, InternalIP, ExternalIP, InternalDNS or ExternalDNS.'),
    address: f(2, string().required(), 'The address itself: an IP address or a name, as the type says.'),
  },
  { description: 'An address of a node.' },
);
export type NodeAddress = Infer<typeof NodeAddress>;

export const NodeCondition = struct(
  'core.v1.NodeCondition',
  {
    type: f(
      1,
      string().required(),
      'What is judged: Ready, MemoryPressure, DiskPressure, PIDPressure, NetworkUnavailable, or one of your own.',
    ),
    status: f(
      2,
      string().required(),
      'True, False or Unknown. Ready is Unknown when the node has not been heard of for a while.',
    ),
    lastHeartbeatTime: f(3, time(), 'When the node reported this condition the last time.'),
    lastTransitionTime: f(4, time(), 'When the status changed the last time.'),
    reason: f(5, string(), 'Why it is so, in one word for programs.'),
    message: f(6, string(), 'Why it is so, for people.'),
  },
  { description: 'One aspect of the health of a node.' },
);
export type NodeCondition = Infer<typeof NodeCondition>;

export const DaemonEndpoint = struct(
  'core.v1.DaemonEndpoint',
  {
    Port: f(1, int32().required(), 'Number of the port. The name of the field begins with a capital letter.'),
  },
  { description: 'Where a daemon of the node listens.' },
);
export type DaemonEndpoint = Infer<typeof DaemonEndpoint>;

export const NodeDaemonEndpoints = struct(
  'core.v1.NodeDaemonEndpoints',
  {
    kubeletEndpoint: f(
      1,
      DaemonEndpoint,
      'Port of the node agent; logs, exec and port forwarding are asked for there.',
    ),
  },
  { description: 'Ports of the daemons that run on a node.' },
);
export type NodeDaemonEndpoints = Infer<typeof NodeDaemonEndpoints>;

export const NodeSystemInfo = struct(
  'core.v1.NodeSystemInfo',
  {
    machineID: f(1, string().required(), 'Id of the installed system, the same over restarts.'),
    systemUUID: f(2, string().required(), 'Id of the machine as its firmware gives it.'),
    bootID: f(3, string().required(), 'Id that is new with every boot.'),
    kernelVersion: f(4, string().required(), 'Version of the kernel.'),
    osImage: f(5, string().required(), 'Name and version of the operating system, for people.'),
    containerRuntimeVersion: f(6, string().required(), 'Container runtime and its version, as name://version.'),
    kubeletVersion: f(7, string().required(), 'Version of the node agent.'),
    kubeProxyVersion: f(8, string().required(), 'Version of the network proxy of the node.'),
    operatingSystem: f(9, string().required(), 'Operating system of the node: linux or windows.'),
    architecture: f(10, string().required(), 'Processor architecture of the node, such as amd64 or arm64.'),
  },
  { description: 'Ids and software versions of a node, as it reports them.' },
);
export type NodeSystemInfo = Infer<typeof NodeSystemInfo>;

export const ContainerImage = struct(
  'core.v1.ContainerImage',
  {
    names: f(1, list(string()).always(), 'Names of the image, with tags or digests.'),
    sizeBytes: f(2, int64(), 'Size of the image in bytes.'),
  },
  { description: 'An image that a node has on its disk.' },
);
export type ContainerImage = Infer<typeof ContainerImage>;

export const AttachedVolume = struct(
  'core.v1.AttachedVolume',
  {
    name: f(1, string().required(), 'Unique name of the volume, as the controller that attaches volumes gives it.'),
    devicePath: f(2, string().required(), 'Path on the node where the volume is a device.'),
  },
  { description: 'A volume that is attached to a node.' },
);
export type AttachedVolume = Infer<typeof AttachedVolume>;

export const NodeStatus = struct(
  'core.v1.NodeStatus',
  {
    capacity: f(
      1,
      map(amount()),
      'All that the node has, by resource: cpu, memory, pods, ephemeral-storage and others.',
    ),
    allocatable: f(2, map(amount()), 'What of the capacity is for pods, by resource. Equal to capacity when unset.'),
    phase: f(
      3,
      string().suggests('Pending', 'Running', 'Terminated'),
      'No longer used and usually empty; look at conditions instead.',
    ),
    conditions: f(4, list(NodeCondition).mergeBy('type'), 'Aspects of the health of the node, one of each type.'),
    addresses: f(5, list(NodeAddress).mergeBy('type'), 'Addresses and names by which the node can be reached.'),
    daemonEndpoints: f(6, NodeDaemonEndpoints, 'Ports of the daemons of the node.'),
    nodeInfo: f(7, NodeSystemInfo, 'Ids and software versions of the node.'),
    images: f(
      8,
      list(ContainerImage),
      'Images the node has on its disk, which make it a better choice for pods that need them. Only the largest may be listed.',
    ),
    volumesInUse: f(9, list(string()), 'Volumes that are in use on the node and must not be detached yet.'),
    volumesAttached: f(10, list(AttachedVolume), 'Volumes that are attached to the node.'),
    config: f(
      11,
      NodeConfigStatus.optional(),
      'Configuration the node agent uses. Part of a feature that is off unless it is switched on.',
    ),
  },
  {
    description: 'State of a node, as its agent reports it.',
    defaults(status) {
      if (status.capacity) status.allocatable ??= { ...status.capacity };
    },
  },
);
export type NodeStatus = Infer<typeof NodeStatus>;
