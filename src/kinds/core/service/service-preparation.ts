import type { Draft } from '../../../schema/draft.ts';
import { sameValue } from '../../../schema/same-value.ts';
import type { Service, ServiceSpec } from './service.ts';

/**
 * Addresses and ports that the server has given a service are kept when a writer leaves them out, and go when the
 * service becomes one that has no use for them. A writer who sets them means it: that is for validation to judge.
 */

export function prepareService({ spec }: Draft<Service>): void {
  if (spec.clusterIP && !spec.clusterIPs?.length) spec.clusterIPs = [spec.clusterIP];
}

export function prepareServiceUpdate({ spec }: Draft<Service>, { spec: old }: Service): void {
  keepGiven(spec, old);
  alignAddresses(spec, old);
  dropUseless(spec, old);
}

type Need = (spec: ServiceSpec) => boolean;

const needsAddress: Need = ({ type }) => type !== 'ExternalName';
export const hasNodePorts: Need = ({ type }) => type === 'NodePort' || type === 'LoadBalancer';
/** The ports that a service has on nodes. An alias may mention some, which mean nothing. */
export const nodePortsOf = (spec: ServiceSpec): number[] =>
  hasNodePorts(spec) ? (spec.ports ?? []).flatMap(({ nodePort }) => nodePort || []) : [];

const isBalanced: Need = ({ type }) => type === 'LoadBalancer';
const needsHealthPort: Need = (spec) => isBalanced(spec) && spec.externalTrafficPolicy === 'Local';

function keepGiven(spec: Draft<ServiceSpec>, old: ServiceSpec): void {
  if (needsAddress(old) && needsAddress(spec) && !spec.clusterIP && old.clusterIP) spec.clusterIP = old.clusterIP;
  if (hasNodePorts(old) && hasNodePorts(spec)) keepNodePorts(spec, old);
  if (needsHealthPort(old) && needsHealthPort(spec) && !spec.healthCheckNodePort && old.healthCheckNodePort) {
    spec.healthCheckNodePort = old.healthCheckNodePort;
  }
}

/** A port keeps its number by name, unless another port of the service has taken it over. */
function keepNodePorts(spec: Draft<ServiceSpec>, old: ServiceSpec): void {
  const taken = new Set(spec.ports?.map(({ nodePort }) => nodePort));
  const given = new Map(old.ports?.map(({ name = '', nodePort }) => [name, nodePort]));
  for (const port of spec.ports ?? []) {
    const before = given.get(port.name ?? '');
    if (!port.nodePort && before && !taken.has(before)) port.nodePort = before;
  }
}

/** `clusterIP` is the first of `clusterIPs`. Whoever changes only the former means both. */
function alignAddresses(spec: Draft<ServiceSpec>, old: ServiceSpec): void {
  const isSame = (spec.clusterIP ?? '') === (old.clusterIP ?? '');
  if (isSame && !spec.clusterIPs?.length && old.clusterIPs) spec.clusterIPs = [...old.clusterIPs];
  else if (!isSame && (!spec.clusterIPs?.length || sameValue(spec.clusterIPs, old.clusterIPs))) {
    spec.clusterIPs = spec.clusterIP ? [spec.clusterIP] : [];
  }
}

function dropUseless(spec: Draft<ServiceSpec>, old: ServiceSpec): void {
  const outgrows = (need: Need): boolean => need(old) && !need(spec);
  if (outgrows(needsAddress)) drop(spec, old, 'clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy');
  if (outgrows(hasNodePorts)) {
    dropNodePorts(spec, old);
    drop(spec, old, 'externalTrafficPolicy');
  }
  if (outgrows(needsHealthPort)) drop(spec, old, 'healthCheckNodePort');
  if (outgrows(isBalanced)) drop(spec, old, 'allocateLoadBalancerNodePorts', 'loadBalancerClass');
}

/** Only what the writer has not changed. */
function drop(spec: ServiceSpec, old: ServiceSpec, ...fields: readonly (keyof ServiceSpec)[]): void {
  for (const field of fields) if (sameValue(spec[field], old[field])) delete spec[field];
}

function dropNodePorts(spec: Draft<ServiceSpec>, old: ServiceSpec): void {
  const before = new Set(old.ports?.map(({ nodePort }) => nodePort));
  if (!spec.ports?.every(({ nodePort }) => !nodePort || before.has(nodePort))) return;
  for (const port of spec.ports) delete port.nodePort;
}
