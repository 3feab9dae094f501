import { string, time } from '../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../schema/schema.ts';
import { ContainerStatus } from './container-status.ts';

export const PodCondition = struct('core.v1.PodCondition', {
  type: f(1, string().required()),
  status: f(2, string().required()),
  lastProbeTime: f(3, time()),
  lastTransitionTime: f(4, time()),
  reason: f(5, string()),
  message: f(6, string()),
});
export type PodCondition = Infer<typeof PodCondition>;

export const PodIP = struct('core.v1.PodIP', {
  ip: f(1, string()),
});
export type PodIP = Infer<typeof PodIP>;

export const PodStatus = struct('core.v1.PodStatus', {
  phase: f(
    1,
    string().suggests('Failed', 'Pending', 'Running', 'Succeeded', 'Unknown'),
    'Where the pod is in its life, in one word.',
  ),
  conditions: f(2, list(PodCondition).mergeBy('type'), 'What is known about its progress.'),
  message: f(3, string(), 'Why it is in this state, for people.'),
  reason: f(4, string(), 'Why it is in this state, in one word.'),
  nominatedNodeName: f(11, string()),
  hostIP: f(5, string()),
  podIP: f(6, string(), 'The address of the pod.'),
  podIPs: f(12, list(PodIP).mergeBy('ip')),
  startTime: f(7, time().optional(), 'When the node took notice of it.'),
  initContainerStatuses: f(10, list(ContainerStatus)),
  containerStatuses: f(8, list(ContainerStatus), 'State of each container.'),
  qosClass: f(9, string().suggests('BestEffort', 'Burstable', 'Guaranteed'), 'How its needs compare with its limits.'),
  ephemeralContainerStatuses: f(13, list(ContainerStatus)),
});
export type PodStatus = Infer<typeof PodStatus>;
