import { int32, string } from '../../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../../schema/schema.ts';

export const PortStatus = struct(
  'core.v1.PortStatus',
  {
    port: f(1, int32().required(), 'Port of the service, as in its spec.'),
    protocol: f(
      2,
      string().required().suggests('SCTP', 'TCP', 'UDP'),
      'TCP, UDP or SCTP, as in the spec of the service.',
    ),
    error: f(
      3,
      string().optional(),
      'Why the port does not work: a word in CamelCase, or a qualified name for reasons of a provider. Unset: it works.',
    ),
  },
  { description: 'Whether a load balancer serves one port of a service.' },
);
export type PortStatus = Infer<typeof PortStatus>;

export const LoadBalancerIngress = struct(
  'core.v1.LoadBalancerIngress',
  {
    ip: f(1, string(), 'Address of the load balancer, for those that have one.'),
    hostname: f(2, string(), 'DNS name of the load balancer, for those that are reached by name.'),
    ports: f(
      4,
      list(PortStatus).atomicList(),
      'Ports of the service at this point, with errors for those that do not work.',
    ),
  },
  { description: 'One point where a load balancer takes traffic: an address or a host name.' },
);
export type LoadBalancerIngress = Infer<typeof LoadBalancerIngress>;

export const LoadBalancerStatus = struct(
  'core.v1.LoadBalancerStatus',
  {
    ingress: f(
      1,
      list(LoadBalancerIngress),
      'Points that take traffic for the service or ingress; empty until the load balancer is ready.',
    ),
  },
  { description: 'Where a load balancer can be reached.' },
);
export type LoadBalancerStatus = Infer<typeof LoadBalancerStatus>;
