import type { ServiceClaims } from '../../registry/reservation.ts';
import { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import type { ServicePort, ServiceSpec } from './service.ts';
import { hasNodePorts, nodePortsOf } from './service-preparation.ts';
import { needsHealthCheck } from './service-validation.ts';

const SPEC = Path.of('spec');
const ALREADY_OWN = 'provided port is already allocated';

/**
 * A port on the nodes for each port of the service. Those that differ only in their protocol share one, which may be
 * asked for in any of them.
 */
export function takeNodePorts(
  spec: ServiceSpec,
  old: ServiceSpec | undefined,
  claims: ServiceClaims,
  problems: Problems,
): void {
  if (!hasNodePorts(spec)) return;
  const { ports = [] } = spec;
  const isAutomatic = spec.type === 'NodePort' || spec.allocateLoadBalancerNodePorts === true;
  const kept = new Set(old && nodePortsOf(old));
  for (const [at, port] of ports.entries()) {
    if (!port.nodePort && !isAutomatic) continue;
    const wanted = port.nodePort || siblingNodePort(port, ports);
    if (wanted) {
      const isOwn = isUsed(wanted, port, ports.slice(0, at));
      const problem = isOwn ? ALREADY_OWN : kept.has(wanted) ? undefined : claims.port(wanted);
      if (problem !== undefined) {
        problems.invalid(SPEC.child('ports').index(at).child('nodePort'), wanted, problem);
        return;
      }
    }
    port.nodePort = wanted || claims.anyPort();
  }
}

/** What another port of the same number has or asks for; ports before this one have theirs by now. */
const siblingNodePort = ({ port }: ServicePort, ports: readonly ServicePort[]): number =>
  ports.find((other) => other.port === port && other.nodePort)?.nodePort ?? 0;

/** By another port of the service. That one port is offered twice over is for validation to tell. */
const isUsed = (wanted: number, { protocol, port }: ServicePort, before: readonly ServicePort[]): boolean =>
  before.some((other) => other.nodePort === wanted && other.protocol === protocol && other.port !== port);

/** Where balancers learn whether a node has pods of the service. It does not change as long as there is one. */
export function takeHealthPort(
  spec: ServiceSpec,
  old: ServiceSpec | undefined,
  claims: ServiceClaims,
  problems: Problems,
): void {
  if (!needsHealthCheck(spec) || (old && needsHealthCheck(old) && old.healthCheckNodePort)) return;
  const { healthCheckNodePort: wanted = 0, ports } = spec;
  if (wanted === 0) {
    spec.healthCheckNodePort = claims.anyPort();
    return;
  }
  const problem = ports?.some(({ nodePort }) => nodePort === wanted) ? ALREADY_OWN : claims.port(wanted);
  if (problem !== undefined) problems.invalid(SPEC.child('healthCheckNodePort'), wanted, problem);
}
