import { amount, bool, int32, int64, string } from '../../schema/scalars.ts';
import { f, type Infer, list, map, struct } from '../../schema/schema.ts';
import { Affinity } from './affinity.ts';
import { Container } from './container.ts';
import { EphemeralContainer } from './ephemeral-container.ts';
import { LocalObjectReference } from './references.ts';
import { PodSecurityContext } from './security-context.ts';
import { Toleration } from './taint.ts';
import { TopologySpreadConstraint } from './topology.ts';
import { Volume } from './volume.ts';

export const HostAlias = struct('core.v1.HostAlias', {
  ip: f(1, string()),
  hostnames: f(2, list(string())),
});
export type HostAlias = Infer<typeof HostAlias>;

export const PodDNSConfigOption = struct('core.v1.PodDNSConfigOption', {
  name: f(1, string()),
  value: f(2, string().optional()),
});
export type PodDNSConfigOption = Infer<typeof PodDNSConfigOption>;

export const PodDNSConfig = struct('core.v1.PodDNSConfig', {
  nameservers: f(1, list(string())),
  searches: f(2, list(string())),
  options: f(3, list(PodDNSConfigOption)),
});
export type PodDNSConfig = Infer<typeof PodDNSConfig>;

export const PodOS = struct('core.v1.PodOS', {
  name: f(1, string().required()),
});
export type PodOS = Infer<typeof PodOS>;

export const PodReadinessGate = struct('core.v1.PodReadinessGate', {
  conditionType: f(1, string().required()),
});
export type PodReadinessGate = Infer<typeof PodReadinessGate>;

/** In the network of its node a container has no ports of its own: each is the node's. */
function exposeOnHost(containers: readonly Container[]): void {
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
    volumes: f(1, list(Volume).mergeBy('name').patchStrategy('merge', 'retainKeys'), 'What containers can mount.'),
    initContainers: f(
      20,
      list(Container).mergeBy('name'),
      'Run before all others, one after another, each until it has succeeded.',
    ),
    containers: f(2, list(Container).required().mergeBy('name'), 'Run side by side; at least one.'),
    ephemeralContainers: f(34, list(EphemeralContainer).mergeBy('name'), 'Added to a running pod to look into it.'),
    restartPolicy: f(
      3,
      string().oneOf('Always', 'Never', 'OnFailure').default('Always'),
      'When ended containers are started again.',
    ),
    terminationGracePeriodSeconds: f(
      4,
      int64().optional().default(30),
      'How long processes may take to end before they are killed.',
    ),
    activeDeadlineSeconds: f(5, int64().optional(), 'How long the pod may run at all.'),
    dnsPolicy: f(
      6,
      string().oneOf('ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None').default('ClusterFirst'),
      'Where names are looked up.',
    ),
    nodeSelector: f(7, map(string()).atomic(), 'Labels that the node must have.'),
    serviceAccountName: f(8, string(), 'Who the processes of the pod are towards the API.'),
    serviceAccount: f(9, string(), 'Older name of serviceAccountName.'),
    automountServiceAccountToken: f(21, bool().optional(), 'Whether containers find a token of the service account.'),
    nodeName: f(10, string(), 'The node that runs the pod; empty until one is chosen.'),
    hostNetwork: f(11, bool(), 'Use the network of the node.'),
    hostPID: f(12, bool()),
    hostIPC: f(13, bool()),
    shareProcessNamespace: f(27, bool().optional()),
    securityContext: f(14, PodSecurityContext.optional().default({}), 'Settings of privilege for all containers.'),
    imagePullSecrets: f(15, list(LocalObjectReference).mergeBy('name'), 'Credentials for pulling images.'),
    hostname: f(16, string()),
    subdomain: f(17, string()),
    affinity: f(18, Affinity.optional(), 'Which nodes, and which pods beside it, suit this pod.'),
    schedulerName: f(19, string().default('default-scheduler'), 'Who chooses the node.'),
    tolerations: f(22, list(Toleration), 'Taints of nodes that this pod bears.'),
    hostAliases: f(23, list(HostAlias).mergeBy('ip')),
    priorityClassName: f(24, string(), 'How important the pod is, by name.'),
    priority: f(25, int32().optional(), 'How important the pod is; higher goes first.'),
    dnsConfig: f(26, PodDNSConfig.optional()),
    readinessGates: f(28, list(PodReadinessGate), 'Further conditions that must hold before the pod counts as ready.'),
    runtimeClassName: f(29, string().optional(), 'The way its containers are run.'),
    enableServiceLinks: f(30, bool().optional()),
    preemptionPolicy: f(31, string().optional()),
    overhead: f(32, map(amount())),
    topologySpreadConstraints: f(
      33,
      list(TopologySpreadConstraint).mapBy('topologyKey', 'whenUnsatisfiable').mergeBy('topologyKey'),
      'How equal pods are spread over parts of the cluster.',
    ),
    setHostnameAsFQDN: f(35, bool().optional()),
    os: f(36, PodOS.optional()),
    hostUsers: f(37, bool().optional()),
  },
  {
    defaults(spec) {
      if (spec.hostNetwork) exposeOnHost([...(spec.containers ?? []), ...(spec.initContainers ?? [])]);
      nameServiceAccountTwice(spec);
    },
  },
);
export type PodSpec = Infer<typeof PodSpec>;
