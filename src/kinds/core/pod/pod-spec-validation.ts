import { parseAddress } from '../../../meta/addresses.ts';
import { formatted, formattedIfSet, oneOf, within } from '../../../meta/field-rules.ts';
import { dns1123Label, dns1123Subdomain, qualifiedName } from '../../../meta/formats.ts';
import { validateLabels } from '../../../meta/labels-validation.ts';
import type { HookContext } from '../../../registry/resource-type.ts';
import type { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import { validateOverhead } from '../resource-validation.ts';
import { validateVolumes } from '../volume/volume-validation.ts';
import { validateAllContainers } from './container-validation.ts';
import { validateHostProcess, validateOs } from './pod-os-validation.ts';
import type { HostAlias, PodDNSConfig, PodSpec } from './pod-spec.ts';
import { validateAffinity, validateTolerations, validateTopologySpread } from './scheduling-validation.ts';
import { validatePodSecurityContext } from './security-context-validation.ts';

export const LARGEST_DEADLINE = 2 ** 31 - 1;

const PREEMPTION_POLICIES = ['Never', 'PreemptLowerPriority'];

/** The rules of a pod's spec, of a pod or of a template. `pod` is the name of the pod, '' for a template. */
export function validatePodSpec(
  spec: PodSpec,
  path: Path,
  problems: Problems,
  context: HookContext,
  pod: string = '',
): void {
  const volumes = validateVolumes(spec.volumes, pod, path.child('volumes'), problems, context);
  validateAllContainers(spec, volumes, path, problems, context);
  validateLabels(spec.nodeSelector, path.child('nodeSelector'), problems);
  validateHostNetwork(spec, path, problems);
  const { securityContext, affinity, tolerations, topologySpreadConstraints: spread, hostAliases } = spec;
  if (securityContext) validatePodSecurityContext(securityContext, spec, path.child('securityContext'), problems);
  if (affinity) validateAffinity(affinity, path.child('affinity'), problems);
  if (tolerations) validateTolerations(tolerations, path.child('tolerations'), problems);
  if (spread) validateTopologySpread(spread, path.child('topologySpreadConstraints'), problems);
  if (hostAliases) validateHostAliases(hostAliases, path.child('hostAliases'), problems);
  if (spec.overhead) validateOverhead(spec.overhead, path.child('overhead'), problems, context);
  validateDns(spec, path.child('dnsConfig'), problems);
  validateReadinessGates(spec, path, problems);
  validateNames(spec, path, problems);
  within(problems, path, 'activeDeadlineSeconds', spec.activeDeadlineSeconds, 1, LARGEST_DEADLINE);
  oneOf(problems, path, 'preemptionPolicy', spec.preemptionPolicy, PREEMPTION_POLICIES);
  validateHostProcess(spec, path, problems, context);
  validateOs(spec, path, problems);
}

function validateNames(spec: PodSpec, path: Path, problems: Problems): void {
  formattedIfSet(problems, path, 'serviceAccountName', spec.serviceAccountName, dns1123Subdomain);
  formattedIfSet(problems, path, 'nodeName', spec.nodeName, dns1123Subdomain);
  formattedIfSet(problems, path, 'hostname', spec.hostname, dns1123Label);
  formattedIfSet(problems, path, 'subdomain', spec.subdomain, dns1123Label);
  formattedIfSet(problems, path, 'priorityClassName', spec.priorityClassName, dns1123Subdomain);
  const { runtimeClassName } = spec;
  if (runtimeClassName !== undefined) {
    formatted(problems, path, 'runtimeClassName', runtimeClassName, dns1123Subdomain);
  }
}

/** On the network of the host, a port of a container is that port of the host and no other. */
function validateHostNetwork({ hostNetwork, containers }: PodSpec, path: Path, problems: Problems): void {
  if (!hostNetwork) return;
  containers?.forEach(({ ports }, at) => {
    ports?.forEach(({ hostPort, containerPort }, portAt) => {
      if (hostPort === containerPort) return;
      const port = path.child('containers').index(at).child('ports').index(portAt);
      problems.invalid(port.child('containerPort'), containerPort, 'must match `hostPort` when `hostNetwork` is true');
    });
  });
}

/** Problems of aliases are noted at the list, without an index: that is how clients know them. */
function validateHostAliases(aliases: readonly HostAlias[], path: Path, problems: Problems): void {
  for (const { ip = '', hostnames } of aliases) {
    if (!parseAddress(ip)) problems.invalid(path.child('ip'), ip, 'must be valid IP address');
    for (const hostname of hostnames ?? []) formatted(problems, path, 'hostnames', hostname, dns1123Subdomain);
  }
}

const MOST_NAMESERVERS = 3;
const MOST_SEARCHES = 6;
const LONGEST_SEARCHES = 256;

function validateDns({ dnsPolicy, dnsConfig }: PodSpec, path: Path, problems: Problems): void {
  if (dnsPolicy === 'None' && !dnsConfig) {
    problems.required(path, 'must provide `dnsConfig` when `dnsPolicy` is None');
  } else if (dnsPolicy === 'None' && !dnsConfig?.nameservers?.length) {
    problems.required(path.child('nameservers'), 'must provide at least one DNS nameserver when `dnsPolicy` is None');
  } else if (dnsConfig) validateDnsConfig(dnsConfig, path, problems);
}

function validateDnsConfig(
  { nameservers = [], searches = [], options = [] }: PodDNSConfig,
  path: Path,
  problems: Problems,
) {
  if (nameservers.length > MOST_NAMESERVERS) {
    problems.invalid(path.child('nameservers'), nameservers, `must not have more than ${MOST_NAMESERVERS} nameservers`);
  }
  nameservers.forEach((server, at) => {
    if (!parseAddress(server))
      problems.invalid(path.child('nameservers').index(at), server, 'must be valid IP address');
  });
  if (searches.length > MOST_SEARCHES) {
    problems.invalid(path.child('searches'), searches, `must not have more than ${MOST_SEARCHES} search paths`);
  }
  if (searches.join(' ').length > LONGEST_SEARCHES) {
    const rule = `must not have more than ${LONGEST_SEARCHES} characters (including spaces) in the search list`;
    problems.invalid(path.child('searches'), searches, rule);
  }
  searches.forEach((search, at) => {
    const problem = dns1123Subdomain(search.endsWith('.') ? search.slice(0, -1) : search);
    if (problem !== undefined) problems.invalid(path.child('searches').index(at), search, problem);
  });
  options.forEach(({ name }, at) => {
    if (!name) problems.required(path.child('options').index(at), 'must not be empty');
  });
}

function validateReadinessGates({ readinessGates }: PodSpec, path: Path, problems: Problems): void {
  readinessGates?.forEach(({ conditionType }, at) => {
    formatted(problems, path.child('readinessGates').index(at), 'conditionType', conditionType, qualifiedName);
  });
}
