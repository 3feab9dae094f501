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
    volumes: f(1, list(Volume).mergeBy('name').patchStrategy('merge', 'retainKeys')),
    initContainers: f(20, list(Container).mergeBy('name')),
    containers: f(2, list(Container).required().mergeBy('name')),
    ephemeralContainers: f(34, list(EphemeralContainer).mergeBy('name')),
    restartPolicy: f(3, string().oneOf('Always', 'Never', 'OnFailure').default('Always')),
    terminationGracePeriodSeconds: f(4, int64().optional().default(30)),
    activeDeadlineSeconds: f(5, int64().optional()),
    dnsPolicy: f(
      6,
      string().oneOf('ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None').default('ClusterFirst'),
    ),
    nodeSelector: f(7, map(string()).atomic()),
    serviceAccountName: f(8, string()),
    serviceAccount: f(9, string()),
    automountServiceAccountToken: f(21, bool().optional()),
    nodeName: f(10, string()),
    hostNetwork: f(11, bool()),
    hostPID: f(12, bool()),
    hostIPC: f(13, bool()),
    shareProcessNamespace: f(27, bool().optional()),
    securityContext: f(14, PodSecurityContext.optional().default({})),
    imagePullSecrets: f(15, list(LocalObjectReference).mergeBy('name')),
    hostname: f(16, string()),
    subdomain: f(17, string()),
    affinity: f(18, Affinity.optional()),
    schedulerName: f(19, string().default('default-scheduler')),
    tolerations: f(22, list(Toleration)),
    hostAliases: f(23, list(HostAlias).mergeBy('ip')),
    priorityClassName: f(24, string()),
    priority: f(25, int32().optional()),
    dnsConfig: f(26, PodDNSConfig.optional()),
    readinessGates: f(28, list(PodReadinessGate)),
    runtimeClassName: f(29, string().optional()),
    enableServiceLinks: f(30, bool().optional()),
    preemptionPolicy: f(31, string().optional()),
    overhead: f(32, map(amount())),
    topologySpreadConstraints: f(
      33,
      list(TopologySpreadConstraint).mapBy('topologyKey', 'whenUnsatisfiable').mergeBy('topologyKey'),
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
