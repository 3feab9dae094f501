import { int32, string } from '../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../schema/schema.ts';

export const PortStatus = struct('core.v1.PortStatus', {
  port: f(1, int32().required()),
  protocol: f(2, string().required().suggests('SCTP', 'TCP', 'UDP')),
  error: f(3, string().optional()),
});
export type PortStatus = Infer<typeof PortStatus>;

export const LoadBalancerIngress = struct('core.v1.LoadBalancerIngress', {
  ip: f(1, string()),
  hostname: f(2, string()),
  ports: f(4, list(PortStatus).atomicList()),
});
export type LoadBalancerIngress = Infer<typeof LoadBalancerIngress>;

export const LoadBalancerStatus = struct('core.v1.LoadBalancerStatus', {
  ingress: f(1, list(LoadBalancerIngress)),
});
export type LoadBalancerStatus = Infer<typeof LoadBalancerStatus>;
