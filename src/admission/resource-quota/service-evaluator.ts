import type { Service } from '../../kinds/core/service/service.ts';
import { countOf } from './count-evaluator.ts';
import type { Evaluator } from './evaluator.ts';
import { ONE, type Usage, whole, ZERO } from './usage.ts';

const COUNT = countOf('', 'services');
const RESOURCES = new Set([COUNT, 'services', 'services.loadbalancers', 'services.nodeports']);

/** Services, and what they hold outside of the plane. */
export const serviceEvaluator: Evaluator<Service> = {
  changes: true,
  counts: (resource) => RESOURCES.has(resource),
  usage: usageOfService,
};

function usageOfService({ spec }: Service): Usage {
  return new Map([
    [COUNT, ONE],
    ['services', ONE],
    ['services.loadbalancers', spec.type === 'LoadBalancer' ? ONE : ZERO],
    ['services.nodeports', whole(nodePortsOf(spec))],
  ]);
}

/** A load balancer that needs no ports on nodes has only those that it names. */
function nodePortsOf({ type, ports = [], allocateLoadBalancerNodePorts }: Service['spec']): number {
  if (type === 'NodePort') return ports.length;
  if (type !== 'LoadBalancer') return 0;
  return allocateLoadBalancerNodePorts === false ? ports.filter(({ nodePort }) => nodePort).length : ports.length;
}
