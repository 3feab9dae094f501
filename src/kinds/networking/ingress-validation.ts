import { parseAddress } from '../../meta/addresses.ts';
import { formatted, formattedIfSet, named, required } from '../../meta/field-rules.ts';
import {
  absolutePath,
  dns1035Label,
  dns1123Subdomain,
  pathSegment,
  portName,
  portNumber,
  wildcardDns1123Subdomain,
} from '../../meta/formats.ts';
import type { HookContext } from '../../registry/resource-type.ts';
import { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import { validateLoadBalancerStatus } from '../core/service/load-balancer-validation.ts';
import type { HTTPIngressPath, Ingress, IngressBackend, IngressRule, IngressServiceBackend } from './ingress.ts';

const SPEC = Path.of('spec');

export function validateIngress({ spec }: Ingress, problems: Problems): void {
  const { rules = [], defaultBackend, tls = [], ingressClassName } = spec;
  if (rules.length === 0 && !defaultBackend) {
    problems.invalid(SPEC, rules, 'either `defaultBackend` or `rules` must be specified');
  }
  if (defaultBackend) validateBackend(defaultBackend, SPEC.child('defaultBackend'), problems);
  rules.forEach((rule, at) => {
    validateRule(rule, SPEC.child('rules').index(at), problems);
  });
  tls.forEach(({ hosts = [], secretName }, at) => {
    const path = SPEC.child('tls').index(at);
    hosts.forEach((host, hostAt) => {
      const problem = hostName(host);
      if (problem !== undefined) problems.invalid(path.child('hosts').index(hostAt), host, problem);
    });
    formattedIfSet(problems, path, 'secretName', secretName, dns1123Subdomain);
  });
  if (ingressClassName !== undefined) {
    formatted(problems, SPEC, 'ingressClassName', ingressClassName, dns1123Subdomain);
  }
}

/** A host name, or all below one. */
const hostName = (host: string): string | undefined =>
  host.includes('*') ? wildcardDns1123Subdomain(host) : dns1123Subdomain(host);

function validateRule({ host, http }: IngressRule, path: Path, problems: Problems): void {
  if (host && parseAddress(host)) {
    problems.invalid(path.child('host'), host, 'must be a DNS name, not an IP address');
  }
  formattedIfSet(problems, path, 'host', host, hostName);
  if (!http) return;
  const paths = path.child('http').child('paths');
  if (!http.paths?.length) problems.required(paths);
  http.paths?.forEach((one, at) => {
    validatePath(one, paths.index(at), problems);
  });
}

const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix'];
const ODD_PARTS = ['//', '/./', '/../', '%2f', '%2F'];
const ODD_ENDS = ['/..', '/.'];

function validatePath({ pathType, path: url = '', backend }: HTTPIngressPath, path: Path, problems: Problems): void {
  if (pathType === null) {
    problems.required(path.child('pathType'), 'pathType must be specified');
    return;
  }
  if (!PATH_TYPES.includes(pathType)) problems.notSupported(path.child('pathType'), pathType, PATH_TYPES);
  else if (pathType === 'ImplementationSpecific') formattedIfSet(problems, path, 'path', url, absolutePath);
  else formatted(problems, path, 'path', url, plainPath);
  validateBackend(backend, path.child('backend'), problems);
}

/** A path that can be compared with those of requests as it stands. */
function plainPath(url: string): string | undefined {
  const problem = absolutePath(url);
  if (problem !== undefined) return problem;
  const part = ODD_PARTS.find((odd) => url.includes(odd));
  if (part !== undefined) return `must not contain '${part}'`;
  const end = ODD_ENDS.find((odd) => url.endsWith(odd));
  return end === undefined ? undefined : `cannot end with '${end}'`;
}

/** Where requests go: to a service or to some other object. */
function validateBackend({ service, resource }: IngressBackend, path: Path, problems: Problems): void {
  if (service && resource) problems.invalid(path, '', 'cannot set both resource and service backends');
  else if (service) validateServiceBackend(service, path, problems);
  else if (resource) validateReference(resource, path.child('resource'), problems);
  else problems.invalid(path, '', 'resource or service backend is required');
}

/** That there is one port and only one is noted at the backend, as clients know it. */
function validateServiceBackend({ name, port }: IngressServiceBackend, path: Path, problems: Problems): void {
  const service = path.child('service');
  named(problems, service, 'name', name, dns1035Label);
  if (port.name && port.number) problems.invalid(path, '', 'cannot set both port name & port number');
  else if (port.name) formatted(problems, service.child('port'), 'name', port.name, portName);
  else if (port.number) formatted(problems, service.child('port'), 'number', port.number, portNumber);
  else problems.required(path, 'port name or number is required');
}

interface Reference {
  readonly apiGroup?: string | null;
  readonly kind: string;
  readonly name: string;
}

const segment = (name: string): string | undefined => pathSegment(name);

/** An object by group, kind and name. */
export function validateReference({ apiGroup, kind, name }: Reference, path: Path, problems: Problems): void {
  if (typeof apiGroup === 'string') formatted(problems, path, 'apiGroup', apiGroup, dns1123Subdomain);
  if (required(problems, path, 'kind', kind, 'kind is required')) formatted(problems, path, 'kind', kind, segment);
  if (required(problems, path, 'name', name, 'name is required')) formatted(problems, path, 'name', name, segment);
}

/** The class can be named in two ways, but not in both at once. */
export function validateIngressCreate(
  { metadata, spec }: Ingress,
  problems: Problems,
  { vocabulary }: HookContext,
): void {
  const { ingressClass } = vocabulary.annotations;
  const annotation = metadata.annotations?.[ingressClass];
  if (annotation === undefined || spec.ingressClassName === undefined) return;
  problems.invalid(
    Path.of('annotations').child(ingressClass),
    annotation,
    'can not be set when the class field is also set',
  );
}

export function validateIngressStatusUpdate({ status }: Ingress, _old: Ingress, problems: Problems): void {
  validateLoadBalancerStatus(status.loadBalancer, Path.of('status', 'loadBalancer'), problems);
}
