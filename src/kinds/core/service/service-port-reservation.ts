import type { ServiceClaims } from '../../../registry/reservation.ts';
import type { Draft } from '../../../schema/draft.ts';
import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
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
  spec: Draft<ServiceSpec>,
  old: ServiceSpec | undefined,
  claims: ServiceClaims,
  problems: Problems,
): void {
  if (!hasNodePorts(spec)) return;
  const { ports = [] } = spec;
  const isAutomatic = spec.type === 'NodePort' || spec.allocateLoadBalancerNodePorts === true;
  const kept = new Set(old && nodePortsOf(old));
  const siblings = siblingNodePorts(ports);
  const users = new PortUsers();
  for (const [at, port] of ports.entries()) {
    if (port.nodePort || isAutomatic) {
      const wanted = port.nodePort || (siblings.get(port.port) ?? 0);
      if (wanted) {
        const isOwn = users.isUsed(wanted, port);
        const problem = isOwn ? ALREADY_OWN : kept.has(wanted) ? undefined : claims.port(wanted);
        if (problem !== undefined) {
          problems.invalid(SPEC.child('ports').index(at).child('nodePort'), wanted, problem);
          return;
        }
      }
      port.nodePort = wanted || claims.anyPort();
      if (!siblings.has(port.port)) siblings.set(port.port, port.nodePort);
    }
    users.note(port);
  }
}

/** By number of a port, what the first of that number has or asks for. */
function siblingNodePorts(ports: readonly ServicePort[]): Map<number, number> {
  const found = new Map<number, number>();
  for (const { port, nodePort } of ports) if (nodePort && !found.has(port)) found.set(port, nodePort);
  return found;
}

/** Which ports of a service use a port on the nodes. That one port is offered twice over is for validation to tell. */
class PortUsers {
  /** By port on the nodes and protocol: the numbers of the ports, of which two are enough to know that there is another. */
  readonly #users = new Map<string, Set<number>>();

  isUsed(wanted: number, { protocol, port }: ServicePort): boolean {
    const users = this.#users.get(`${wanted}/${protocol}`);
    return users !== undefined && (users.size > 1 || !users.has(port));
  }

  note({ nodePort, protocol, port }: ServicePort): void {
    const key = `${nodePort}/${protocol}`;
    const users = this.#users.get(key);
    if (!users) this.#users.set(key, new Set([port]));
    else if (users.size < 2) users.add(port);
  }
}

/** Where balancers learn whether a node has pods of the service. It does not change as long as there is one. */
export function takeHealthPort(
  spec: Draft<ServiceSpec>,
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
