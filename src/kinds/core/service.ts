import { bool, int32, intOrString, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, map, struct } from '../../schema/schema.ts';
import { Condition } from '../meta/condition.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import { LoadBalancerStatus } from './load-balancer.ts';

export const ClientIPConfig = struct('core.v1.ClientIPConfig', {
  timeoutSeconds: f(1, int32().optional()),
});
export type ClientIPConfig = Infer<typeof ClientIPConfig>;

export const SessionAffinityConfig = struct('core.v1.SessionAffinityConfig', {
  clientIP: f(1, ClientIPConfig.optional()),
});
export type SessionAffinityConfig = Infer<typeof SessionAffinityConfig>;

export const ServicePort = struct(
  'core.v1.ServicePort',
  {
    name: f(1, string()),
    protocol: f(2, string().publishedDefault('TCP').oneOf('SCTP', 'TCP', 'UDP')),
    appProtocol: f(6, string().optional()),
    port: f(3, int32().required(), 'The port of the service.'),
    targetPort: f(4, intOrString(), 'Number or name of the port on the pods.'),
    nodePort: f(5, int32(), 'The port on every node.'),
  },
  {
    defaults(port) {
      port.targetPort ||= port.port;
    },
  },
);
export type ServicePort = Infer<typeof ServicePort>;

const DEFAULT_AFFINITY_SECONDS = 3 * 60 * 60;

export const ServiceSpec = struct(
  'core.v1.ServiceSpec',
  {
    ports: f(1, list(ServicePort).mapBy('port', 'protocol').mergeBy('port'), 'What the service offers.'),
    selector: f(2, map(string()).atomic(), 'Labels of the pods behind it.'),
    clusterIP: f(3, string(), 'Address inside the cluster; None for no address at all.'),
    clusterIPs: f(18, list(string()).atomicList()),
    type: f(
      4,
      string().oneOf('ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort').default('ClusterIP'),
      'How far the service can be reached.',
    ),
    externalIPs: f(5, list(string()), 'Further addresses that lead to it.'),
    sessionAffinity: f(
      7,
      string().oneOf('ClientIP', 'None').default('None'),
      'Whether a client keeps reaching the same pod.',
    ),
    loadBalancerIP: f(8, string()),
    loadBalancerSourceRanges: f(9, list(string())),
    externalName: f(10, string(), 'Another name that this one stands for.'),
    externalTrafficPolicy: f(
      11,
      string().suggests('Cluster', 'Local'),
      'Whether traffic from outside stays on the node it came to.',
    ),
    healthCheckNodePort: f(12, int32()),
    publishNotReadyAddresses: f(13, bool()),
    sessionAffinityConfig: f(14, SessionAffinityConfig.optional()),
    ipFamilies: f(19, list(string()).atomicList(), 'IPv4, IPv6 or both, in order.'),
    ipFamilyPolicy: f(17, string().optional(), 'Whether one family or two are wanted.'),
    allocateLoadBalancerNodePorts: f(20, bool().optional()),
    loadBalancerClass: f(21, string().optional()),
    internalTrafficPolicy: f(22, string().optional(), 'Whether traffic from inside stays on its node.'),
  },
  {
    defaults(spec) {
      if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
      if (spec.sessionAffinity === 'ClientIP' && spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined) {
        spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: DEFAULT_AFFINITY_SECONDS } };
      }
      const isExternal = spec.type === 'NodePort' || spec.type === 'LoadBalancer';
      if (isExternal) spec.externalTrafficPolicy ||= 'Cluster';
      if (isExternal || spec.type === 'ClusterIP') spec.internalTrafficPolicy ??= 'Cluster';
      if (spec.type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true;
    },
  },
);
export type ServiceSpec = Infer<typeof ServiceSpec>;

export const ServiceStatus = struct('core.v1.ServiceStatus', {
  loadBalancer: f(1, LoadBalancerStatus),
  conditions: f(2, list(Condition).mapBy('type').mergeBy('type')),
});
export type ServiceStatus = Infer<typeof ServiceStatus>;

export const Service = kind(
  'core.v1.Service',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, ServiceSpec),
    status: f(3, ServiceStatus),
  },
  { description: 'One stable address in front of the pods that a selector finds.' },
);
export type Service = Infer<typeof Service>;
