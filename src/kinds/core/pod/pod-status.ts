import { string, time } from '../../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../../schema/schema.ts';
import { ContainerStatus } from './container-status.ts';

export const PodCondition = struct(
  'core.v1.PodCondition',
  {
    type: f(
      1,
      string().required(),
      'What is judged: PodScheduled, Initialized, ContainersReady, Ready, or one that a readiness gate names.',
    ),
    status: f(2, string().required(), 'True, False or Unknown.'),
    lastProbeTime: f(3, time(), 'When it was checked the last time.'),
    lastTransitionTime: f(4, time(), 'When the status changed the last time.'),
    reason: f(5, string(), 'Why it is so, in one word for programs.'),
    message: f(6, string(), 'Why it is so, for people.'),
  },
  { description: 'One aspect of the state of a pod.' },
);
export type PodCondition = Infer<typeof PodCondition>;

export const PodIP = struct(
  'core.v1.PodIP',
  {
    ip: f(1, string(), 'IPv4 or IPv6 address.'),
  },
  { description: 'An address of a pod.' },
);
export type PodIP = Infer<typeof PodIP>;

export const PodStatus = struct(
  'core.v1.PodStatus',
  {
    phase: f(
      1,
      string().suggests('Failed', 'Pending', 'Running', 'Succeeded', 'Unknown'),
      'Pending (not all containers started), Running, Succeeded (all ended well), Failed (all ended, one badly) or Unknown.',
    ),
    conditions: f(2, list(PodCondition).mergeBy('type'), 'Aspects of the state of the pod, one of each type.'),
    message: f(3, string(), 'Why it is in this state, for people.'),
    reason: f(4, string(), 'Why it is in this state, in one word for programs, such as Evicted.'),
    nominatedNodeName: f(
      11,
      string(),
      'Node where pods of lower priority are being displaced for this one. It may still end up elsewhere.',
    ),
    hostIP: f(5, string(), 'Address of the node that runs the pod. Empty until one is chosen.'),
    podIP: f(
      6,
      string(),
      'Address of the pod, reachable within the cluster; the first of podIPs. Empty until it is given one.',
    ),
    podIPs: f(12, list(PodIP).mergeBy('ip'), 'Addresses of the pod, at most one for each IP family.'),
    startTime: f(7, time().optional(), 'When the node took on the pod, before it pulled images.'),
    initContainerStatuses: f(10, list(ContainerStatus), 'State of each init container, in the order they run in.'),
    containerStatuses: f(8, list(ContainerStatus), 'State of each container.'),
    qosClass: f(
      9,
      string().suggests('BestEffort', 'Burstable', 'Guaranteed'),
      'What happens when the node runs short of memory: BestEffort pods go first, then Burstable, Guaranteed last. Derived from requests and limits.',
    ),
    ephemeralContainerStatuses: f(13, list(ContainerStatus), 'State of each ephemeral container.'),
  },
  { description: 'State of a pod, as its node reports it.' },
);
export type PodStatus = Infer<typeof PodStatus>;
