import { Condition } from '../../../meta/condition.ts';
import { ObjectMeta } from '../../../meta/object-meta.ts';
import { bool, int32, intOrString, string } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, map, struct } from '../../../schema/schema.ts';
import { LoadBalancerStatus } from './load-balancer.ts';

export const ClientIPConfig = struct(
  'core.v1.ClientIPConfig',
  {
    timeoutSeconds: f(
      1,
      int32().optional(),
      'Seconds after which an idle client may be sent to another pod, from 1 to 86400; 10800 (3 hours) by default.',
    ),
  },
  { description: 'How session affinity by client address works.' },
);
export type ClientIPConfig = Infer<typeof ClientIPConfig>;

export const SessionAffinityConfig = struct(
  'core.v1.SessionAffinityConfig',
  {
    clientIP: f(1, ClientIPConfig.optional(), 'Settings for sessionAffinity ClientIP.'),
  },
  { description: 'How session affinity works.' },
);
export type SessionAffinityConfig = Infer<typeof SessionAffinityConfig>;

export const ServicePort = struct(
  'core.v1.ServicePort',
  {
    name: f(
      1,
      string(),
      'Name of the port, a DNS label unique within the service. Required if there are several ports.',
    ),
    protocol: f(2, string().publishedDefault('TCP').oneOf('SCTP', 'TCP', 'UDP'), 'TCP, UDP or SCTP; TCP by default.'),
    appProtocol: f(
      6,
      string().optional(),
      'Protocol spoken over the port, such as http or example.com/own, for load balancers that treat protocols differently.',
    ),
    port: f(
      3,
      int32().required(),
      'Port that the service listens on, from 1 to 65535. Each pair of protocol and port at most once.',
    ),
    targetPort: f(
      4,
      intOrString(),
      'Port of the pods: a number, or the name of a container port. Unset: the same as port.',
    ),
    nodePort: f(
      5,
      int32(),
      'Port on every node that leads here, for types NodePort and LoadBalancer. Unset: one is given from the range of the server.',
    ),
  },
  {
    description: 'A port that a service offers.',
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
    ports: f(
      1,
      list(ServicePort).mapBy('port', 'protocol').mergeBy('port'),
      'Ports of the service. At least one, unless the service is headless or of type ExternalName.',
    ),
    selector: f(
      2,
      map(string()).atomic(),
      'Labels of the pods that traffic is sent to. Unset: someone else manages the endpoints. Ignored for type ExternalName.',
    ),
    clusterIP: f(
      3,
      string(),
      'Address inside the cluster; the first of clusterIPs. Unset: one is given. None makes the service headless: its name stands for its pods.',
    ),
    clusterIPs: f(
      18,
      list(string()).atomicList(),
      'Addresses inside the cluster, at most one for each IP family. Unset: given as ipFamilies and ipFamilyPolicy say. None as in clusterIP.',
    ),
    type: f(
      4,
      string().oneOf('ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort').default('ClusterIP'),
      'ClusterIP (default): reachable inside the cluster; NodePort: also by a port of every node; LoadBalancer: also from outside; ExternalName: a DNS alias.',
    ),
    externalIPs: f(
      5,
      list(string()),
      'Addresses whose traffic nodes take for the service. Not managed by the platform: routing them to a node is up to you.',
    ),
    sessionAffinity: f(
      7,
      string().oneOf('ClientIP', 'None').default('None'),
      'ClientIP sends a client, told by its address, to the same pod again; None (default) does not.',
    ),
    loadBalancerIP: f(
      8,
      string(),
      'Address asked of the load balancer, for type LoadBalancer. Deprecated: providers may ignore it.',
    ),
    loadBalancerSourceRanges: f(
      9,
      list(string()),
      'Address ranges of clients that the load balancer lets in, for type LoadBalancer. Unset: all.',
    ),
    externalName: f(10, string(), 'Domain name that the service is an alias of; required for type ExternalName.'),
    externalTrafficPolicy: f(
      11,
      string().suggests('Cluster', 'Local'),
      'Traffic from outside goes to pods on all nodes (Cluster, default) or only on the node it came to (Local, keeps client addresses).',
    ),
    healthCheckNodePort: f(
      12,
      int32(),
      'Port on nodes where the load balancer asks for health, for LoadBalancer with policy Local only. Unset: one is given.',
    ),
    publishNotReadyAddresses: f(
      13,
      bool(),
      'Treats pods as ready even when they are not, as peers that find each other by DNS need. False by default.',
    ),
    sessionAffinityConfig: f(
      14,
      SessionAffinityConfig.optional(),
      'Settings of sessionAffinity; dropped if that is None.',
    ),
    ipFamilies: f(
      19,
      list(string()).atomicList(),
      'IPv4, IPv6 or both, in the order of clusterIPs. Unset: as ipFamilyPolicy and the server say. The first cannot be changed.',
    ),
    ipFamilyPolicy: f(
      17,
      string().optional(),
      'SingleStack (default): one IP family; PreferDualStack: two if the cluster has them; RequireDualStack: two or refused.',
    ),
    allocateLoadBalancerNodePorts: f(
      20,
      bool().optional(),
      'False gives a LoadBalancer no node ports, if the implementation needs none. True by default; only for that type.',
    ),
    loadBalancerClass: f(
      21,
      string().optional(),
      'Which implementation makes the load balancer, as a name like example.com/internal. Unset: that of the cloud. Only for type LoadBalancer.',
    ),
    internalTrafficPolicy: f(
      22,
      string().optional(),
      'Traffic from inside the cluster goes to pods on all nodes (Cluster, default) or only on the node of the client (Local).',
    ),
  },
  {
    description: 'What a service offers, and which pods stand behind it.',
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

export const ServiceStatus = struct(
  'core.v1.ServiceStatus',
  {
    loadBalancer: f(1, LoadBalancerStatus, 'State of the load balancer, for type LoadBalancer.'),
    conditions: f(
      2,
      list(Condition).mapBy('type').mergeBy('type'),
      'Aspects of the state of the service, one of each type.',
    ),
  },
  { description: 'Where a service can be reached from outside.' },
);
export type ServiceStatus = Infer<typeof ServiceStatus>;

export const Service = kind(
  'core.v1.Service',
  {
    metadata: f(1, ObjectMeta, 'Standard object metadata: name, namespace, labels, annotations, owners.'),
    spec: f(2, ServiceSpec, 'What the service offers, and which pods stand behind it.'),
    status: f(3, ServiceStatus, 'Where the service can be reached from outside. Set by the platform.'),
  },
  { description: 'A stable address and name in front of a changing set of pods.' },
);
export type Service = Infer<typeof Service>;
