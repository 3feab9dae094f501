import { ip, nonSpecialIP, parseAddressRange } from '../../../meta/addresses.ts';
import {
  distinct,
  eachFormatted,
  forbidden,
  formatted,
  formattedIfSet,
  oneOf,
  required,
} from '../../../meta/field-rules.ts';
import { dns1123Label, dns1123Subdomain, portNumber, portReference, qualifiedName } from '../../../meta/formats.ts';
import { validateLabels } from '../../../meta/labels-validation.ts';
import type { HookContext } from '../../../registry/resource-type.ts';
import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import { validateLoadBalancerStatus } from './load-balancer-validation.ts';
import type { Service, ServicePort, ServiceSpec } from './service.ts';
import { isHeadless, validateServiceAddresses } from './service-addresses-validation.ts';

const SPEC = Path.of('spec');
const PORTS = SPEC.child('ports');

export function validateService(service: Service, problems: Problems, context: HookContext): void {
  const { spec } = service;
  validatePorts(spec, problems);
  validateLabels(spec.selector, SPEC.child('selector'), problems);
  validateSessionAffinity(spec, problems);
  if (spec.type === 'ExternalName') validateExternalName(spec, problems);
  else validateServiceAddresses(spec, problems);
  eachFormatted(problems, SPEC, 'externalIPs', spec.externalIPs, (text) => ip(text) ?? nonSpecialIP(text));
  validateLoadBalancer(spec, problems);
  validateSourceRanges(service, problems, context);
  validateTrafficPolicies(spec, problems);
}

/** The port of the agent on every node, which must not be opened to the world. */
const AGENT_PORT = 10250;

function validatePorts(spec: ServiceSpec, problems: Problems): void {
  const { type, ports = [] } = spec;
  if (ports.length === 0 && !isHeadless(spec) && type !== 'ExternalName') problems.required(PORTS);
  ports.forEach((port, at) => {
    const path = PORTS.index(at);
    validatePort(port, ports.length > 1, path, problems);
    if (type === 'LoadBalancer' && port.port === AGENT_PORT) {
      problems.invalid(
        path,
        AGENT_PORT,
        `may not expose port ${AGENT_PORT} externally since every node uses it itself`,
      );
    }
    if (type === 'ClusterIP') {
      forbidden(problems, path, 'nodePort', port.nodePort, "may not be used when `type` is 'ClusterIP'");
    }
  });
  validateDistinctPorts(ports, problems);
}

function validateDistinctPorts(ports: readonly ServicePort[], problems: Problems): void {
  const names = ports.map(({ name }) => name);
  const onNodes = ports.map(({ protocol, nodePort }) => (nodePort ? `${protocol}/${nodePort}` : undefined));
  const own = ports.map(({ protocol, port }) => `${protocol}/${port}`);
  distinct(problems, PORTS, 'name', names);
  distinct(problems, PORTS, 'nodePort', onNodes);
  distinct(problems, PORTS, '', own);
}

function validatePort(port: ServicePort, needsName: boolean, path: Path, problems: Problems): void {
  if (needsName) required(problems, path, 'name', port.name);
  formattedIfSet(problems, path, 'name', port.name, dns1123Label);
  formatted(problems, path, 'port', port.port, portNumber);
  formatted(problems, path, 'targetPort', port.targetPort, portReference);
  if (port.appProtocol !== undefined) formatted(problems, path, 'appProtocol', port.appProtocol, qualifiedName);
}

const LONGEST_AFFINITY = 86400;

function validateSessionAffinity(
  { sessionAffinity, sessionAffinityConfig: config }: ServiceSpec,
  problems: Problems,
): void {
  const path = SPEC.child('sessionAffinityConfig');
  // Without affinity the defaults have removed the rest of it.
  if (sessionAffinity !== 'ClientIP') return;
  const why = 'when session affinity type is ClientIP';
  const seconds = config?.clientIP?.timeoutSeconds;
  if (!config) problems.required(path, why);
  else if (!config.clientIP) problems.required(path.child('clientIP'), why);
  else if (seconds === undefined) problems.required(path.child('clientIP').child('timeoutSeconds'), why);
  else if (seconds < 1 || seconds > LONGEST_AFFINITY) {
    const rule = `must be greater than 0 and less than ${LONGEST_AFFINITY}`;
    problems.invalid(path.child('clientIP').child('timeoutSeconds'), seconds, rule);
  }
}

/** An alias has a name to go to and no addresses of its own. */
function validateExternalName(spec: ServiceSpec, problems: Problems): void {
  const why = 'may not be set for ExternalName services';
  forbidden(problems, SPEC, 'clusterIPs', spec.clusterIPs, why);
  forbidden(problems, SPEC, 'ipFamilies', spec.ipFamilies, why);
  forbidden(problems, SPEC, 'ipFamilyPolicy', spec.ipFamilyPolicy, why);
  const { externalName = '' } = spec;
  const name = externalName.endsWith('.') ? externalName.slice(0, -1) : externalName;
  if (required(problems, SPEC, 'externalName', name)) formatted(problems, SPEC, 'externalName', name, dns1123Subdomain);
}

const ONLY_LOAD_BALANCER = "may only be used when `type` is 'LoadBalancer'";

function validateLoadBalancer(spec: ServiceSpec, problems: Problems): void {
  const { type, loadBalancerClass, allocateLoadBalancerNodePorts: allocate } = spec;
  if (type === 'LoadBalancer') {
    if (loadBalancerClass !== undefined) {
      formatted(problems, SPEC, 'loadBalancerClass', loadBalancerClass, qualifiedName);
    }
    return;
  }
  if (loadBalancerClass !== undefined) problems.forbidden(SPEC.child('loadBalancerClass'), ONLY_LOAD_BALANCER);
  if (allocate !== undefined) {
    problems.forbidden(SPEC.child('allocateLoadBalancerNodePorts'), ONLY_LOAD_BALANCER);
  }
}

/** Of source addresses: far above what any load balancer takes. */
const MOST_RANGES = 5_000;

/** The field, or in its absence the annotation that was there before it. Clients know the field with this capital. */
function validateSourceRanges({ metadata, spec }: Service, problems: Problems, { vocabulary }: HookContext): void {
  const { loadBalancerSourceRanges: key } = vocabulary.annotations;
  const { loadBalancerSourceRanges: field = [] } = spec;
  const annotation = metadata.annotations?.[key];
  if (field.length === 0 && annotation === undefined) return;
  const path = field.length > 0 ? SPEC.child('LoadBalancerSourceRanges') : Path.of('metadata', 'annotations').key(key);
  const ranges = field.length > 0 ? field : annotation?.trim() ? annotation.trim().split(',', MOST_RANGES + 1) : [];
  if (spec.type !== 'LoadBalancer') problems.forbidden(path, ONLY_LOAD_BALANCER);
  if (ranges.length > MOST_RANGES) {
    problems.invalid(path, `${ranges.length} ranges`, `must have at most ${MOST_RANGES} ranges`);
    return;
  }
  if (!ranges.every((range) => parseAddressRange(range.trim()))) {
    problems.invalid(path, ranges, 'must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 ');
  }
}

const POLICIES = ['Cluster', 'Local'];

/** Whether the server watches the health of the service's own nodes. */
export const needsHealthCheck = ({ type, externalTrafficPolicy }: ServiceSpec): boolean =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local';

function validateTrafficPolicies(spec: ServiceSpec, problems: Problems): void {
  const { type, externalTrafficPolicy: external, healthCheckNodePort } = spec;
  if (type === 'LoadBalancer' || type === 'NodePort') {
    oneOf(problems, SPEC, 'externalTrafficPolicy', external, POLICIES);
  } else if (external) {
    const rule = "may only be set when `type` is 'NodePort' or 'LoadBalancer'";
    problems.invalid(SPEC.child('externalTrafficPolicy'), external, rule);
  }
  oneOf(problems, SPEC, 'internalTrafficPolicy', spec.internalTrafficPolicy, POLICIES);
  if (!healthCheckNodePort) return;
  if (needsHealthCheck(spec)) formatted(problems, SPEC, 'healthCheckNodePort', healthCheckNodePort, portNumber);
  else {
    const rule = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    problems.invalid(SPEC.child('healthCheckNodePort'), healthCheckNodePort, rule);
  }
}

export function validateServiceStatusUpdate({ status }: Service, _old: Service, problems: Problems): void {
  validateLoadBalancerStatus(status.loadBalancer, Path.of('status', 'loadBalancer'), problems);
}
