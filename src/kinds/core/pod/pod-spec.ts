import type { Draft } from '../../../schema/draft.ts';
import { amount, bool, int32, int64, string } from '../../../schema/scalars.ts';
import { f, type Infer, list, map, struct } from '../../../schema/schema.ts';
import { Toleration } from '../node/taint.ts';
import { LocalObjectReference } from '../references.ts';
import { TopologySpreadConstraint } from '../topology.ts';
import { Volume } from '../volume/volume.ts';
import { Affinity } from './affinity.ts';
import { Container } from './container.ts';
import { EphemeralContainer } from './ephemeral-container.ts';
import { PodSecurityContext } from './security-context.ts';

export const HostAlias = struct(
  'core.v1.HostAlias',
  {
    ip: f(1, string(), 'Address the names stand for.'),
    hostnames: f(2, list(string()), 'Names that stand for the address.'),
  },
  { description: 'Names for one address in the hosts file of a pod.' },
);
export type HostAlias = Infer<typeof HostAlias>;

export const PodDNSConfigOption = struct(
  'core.v1.PodDNSConfigOption',
  {
    name: f(1, string(), 'Name of the option, such as ndots. Required.'),
    value: f(2, string().optional(), 'Value of the option. Unset for options that have none.'),
  },
  { description: 'An option of the DNS resolver of a pod.' },
);
export type PodDNSConfigOption = Infer<typeof PodDNSConfigOption>;

export const PodDNSConfig = struct(
  'core.v1.PodDNSConfig',
  {
    nameservers: f(
      1,
      list(string()),
      'Addresses of DNS servers, at most 3; put after those of the policy. Required if dnsPolicy is None.',
    ),
    searches: f(2, list(string()), 'Domains to look short names up in, at most 6; put after those of the policy.'),
    options: f(
      3,
      list(PodDNSConfigOption),
      'Resolver options; those of the same name win over the ones of the policy.',
    ),
  },
  { description: 'Settings of the DNS resolver of a pod, added to those that dnsPolicy gives.' },
);
export type PodDNSConfig = Infer<typeof PodDNSConfig>;

export const PodOS = struct(
  'core.v1.PodOS',
  {
    name: f(1, string().required(), 'Operating system that the containers are made for: linux or windows.'),
  },
  { description: 'Operating system of a pod.' },
);
export type PodOS = Infer<typeof PodOS>;

export const PodReadinessGate = struct(
  'core.v1.PodReadinessGate',
  {
    conditionType: f(
      1,
      string().required(),
      'Type of the condition in the status of the pod, as a qualified name; some controller sets it.',
    ),
  },
  { description: 'A condition that must be true for a pod to count as ready.' },
);
export type PodReadinessGate = Infer<typeof PodReadinessGate>;

/** In the network of its node a container has no ports of its own: each is the node's. */
function exposeOnHost(containers: Draft<readonly Container[]>): void {
  for (const { ports = [] } of containers) {
    for (const port of ports) port.hostPort ||= port.containerPort;
  }
}

/** Two spellings of one field; the newer one wins. */
function nameServiceAccountTwice(spec: { serviceAccountName?: string; serviceAccount?: string }): void {
  const name = spec.serviceAccountName || spec.serviceAccount;
  if (!name) return;
  spec.serviceAccountName = name;
  spec.serviceAccount = name;
}

export const PodSpec = struct(
  'core.v1.PodSpec',
  {
    volumes: f(
      1,
      list(Volume).mergeBy('name').patchStrategy('merge', 'retainKeys'),
      'Volumes that containers of the pod can mount, by name.',
    ),
    initContainers: f(
      20,
      list(Container).mergeBy('name'),
      'Run one after the other before the containers start; each must succeed first. Their names must differ from those of the containers.',
    ),
    containers: f(
      2,
      list(Container).required().mergeBy('name'),
      'Containers of the pod, run side by side; at least one. None can be added or removed later.',
    ),
    ephemeralContainers: f(
      34,
      list(EphemeralContainer).mergeBy('name'),
      'Containers added to a running pod to examine it, through the ephemeralcontainers subresource only.',
    ),
    restartPolicy: f(
      3,
      string().oneOf('Always', 'Never', 'OnFailure').default('Always'),
      'When ended containers are started again: Always (default), OnFailure or Never.',
    ),
    terminationGracePeriodSeconds: f(
      4,
      int64().optional().default(30),
      'Seconds that processes have to end after they are asked to, before they are killed; 30 by default. 0 kills them at once.',
    ),
    activeDeadlineSeconds: f(
      5,
      int64().optional(),
      'Seconds the pod may run, from its start on, before it is ended as failed; at least 1. Unset: no limit.',
    ),
    dnsPolicy: f(
      6,
      string().oneOf('ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None').default('ClusterFirst'),
      'Where names are looked up: ClusterFirst (default), ClusterFirstWithHostNet (needed with hostNetwork), Default (as the node), None (dnsConfig only).',
    ),
    nodeSelector: f(7, map(string()).atomic(), 'Labels that a node must have to run the pod. Unset: any node.'),
    serviceAccountName: f(
      8,
      string(),
      'Service account whose identity the processes of the pod have towards the API. Unset: default.',
    ),
    serviceAccount: f(9, string(), 'Older name of serviceAccountName; both have the same value. Deprecated.'),
    automountServiceAccountToken: f(
      21,
      bool().optional(),
      'Whether containers get a token of the service account. Unset: what the service account says, or else yes.',
    ),
    nodeName: f(
      10,
      string(),
      'Node that runs the pod. Empty until the scheduler has chosen one; set on create it bypasses the scheduler.',
    ),
    hostNetwork: f(
      11,
      bool(),
      'Uses the network of the node, so that ports of containers are ports of the node. False by default.',
    ),
    hostPID: f(
      12,
      bool(),
      'Shows the containers all processes of the node. Excludes shareProcessNamespace. False by default.',
    ),
    hostIPC: f(13, bool(), 'Shares inter-process communication with the node. False by default.'),
    shareProcessNamespace: f(
      27,
      bool().optional(),
      'Lets the containers see and signal the processes of each other. Excludes hostPID. False when unset.',
    ),
    securityContext: f(
      14,
      PodSecurityContext.optional().default({}),
      'User, groups and isolation for all containers; what a container sets itself wins.',
    ),
    imagePullSecrets: f(
      15,
      list(LocalObjectReference).mergeBy('name'),
      'Secrets in the namespace of the pod with credentials for image registries. Unset: those of the service account.',
    ),
    hostname: f(16, string(), 'Host name inside the pod, a DNS label. Unset: the name of the pod.'),
    subdomain: f(
      17,
      string(),
      'Makes the full host name hostname.subdomain.namespace.svc and the domain of the cluster. Unset: no domain.',
    ),
    affinity: f(
      18,
      Affinity.optional(),
      'Rules for choosing the node, by labels of nodes and by the pods that run there.',
    ),
    schedulerName: f(
      19,
      string().default('default-scheduler'),
      'Scheduler that chooses the node; default-scheduler by default.',
    ),
    tolerations: f(22, list(Toleration), 'Taints of nodes that do not keep the pod away. Can be added to later.'),
    hostAliases: f(
      23,
      list(HostAlias).mergeBy('ip'),
      'Further entries for the hosts file of the containers. Not for pods with hostNetwork.',
    ),
    priorityClassName: f(
      24,
      string(),
      'PriorityClass that gives the pod its priority. Unset: the default class, if there is one.',
    ),
    priority: f(
      25,
      int32().optional(),
      'How important the pod is; higher ones are placed first. Set from priorityClassName on create.',
    ),
    dnsConfig: f(
      26,
      PodDNSConfig.optional(),
      'Settings of the DNS resolver, added to those of dnsPolicy. Required if that is None.',
    ),
    readinessGates: f(
      28,
      list(PodReadinessGate),
      'Conditions that must be true, besides all containers being ready, for the pod to count as ready.',
    ),
    runtimeClassName: f(
      29,
      string().optional(),
      'RuntimeClass that says how the containers are run. Unset: the default runtime of the node.',
    ),
    enableServiceLinks: f(
      30,
      bool().optional(),
      'Gives containers environment variables with the addresses of the services in the namespace. True by default.',
    ),
    preemptionPolicy: f(
      31,
      string().optional(),
      'Whether the pod may displace pods of lower priority: PreemptLowerPriority or Never. Set from the priority class.',
    ),
    overhead: f(
      32,
      map(amount()),
      'What running the pod takes besides its containers, by resource. Set from the RuntimeClass on create.',
    ),
    topologySpreadConstraints: f(
      33,
      list(TopologySpreadConstraint).mapBy('topologyKey', 'whenUnsatisfiable').mergeBy('topologyKey'),
      'How pods of the same kind are spread over zones, nodes and so on. All of them must hold.',
    ),
    setHostnameAsFQDN: f(
      35,
      bool().optional(),
      'Makes the full domain name the host name of the pod. False when unset.',
    ),
    os: f(
      36,
      PodOS.optional(),
      'Operating system the pod is made for; fields that belong to another system must then not be set.',
    ),
    hostUsers: f(
      37,
      bool().optional(),
      'Whether the pod shares user ids with the node. Part of the feature UserNamespacesStatelessPodsSupport.',
    ),
  },
  {
    description:
      'What a pod runs and how. In an existing pod only images can change, activeDeadlineSeconds become shorter and tolerations be added.',
    defaults(spec) {
      if (spec.hostNetwork) exposeOnHost([...(spec.containers ?? []), ...(spec.initContainers ?? [])]);
      nameServiceAccountTwice(spec);
    },
  },
);
export type PodSpec = Infer<typeof PodSpec>;
