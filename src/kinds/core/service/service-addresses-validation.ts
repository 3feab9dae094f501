import { ip, isOnePerFamily, parseAddress } from '../../../meta/addresses.ts';
import { oneOf, seenBefore } from '../../../meta/field-rules.ts';
import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import type { ServiceSpec } from './service.ts';

const SPEC = Path.of('spec');
const CLUSTER_IPS = SPEC.child('clusterIPs');
const FAMILIES = SPEC.child('ipFamilies');

/** A service that has no address of its own: its name stands for the addresses of its pods. */
export const isHeadless = ({ clusterIPs }: ServiceSpec): boolean =>
  clusterIPs?.length === 1 && clusterIPs[0] === 'None';

/** Addresses of a service, their families and the policy for them, whether they have been handed out yet or not. */
export function validateServiceAddresses(spec: ServiceSpec, problems: Problems): void {
  validateFirstAddress(spec, problems);
  validateFamilies(spec.ipFamilies ?? [], problems);
  oneOf(problems, SPEC, 'ipFamilyPolicy', spec.ipFamilyPolicy, POLICIES);
  if (isHeadless(spec) && (spec.type === 'NodePort' || spec.type === 'LoadBalancer')) {
    problems.invalid(CLUSTER_IPS.index(0), 'None', `may not be set to 'None' for ${spec.type} services`);
  }
  const sound = validateAddresses(spec.clusterIPs ?? [], problems);
  if (sound && !isHeadless(spec)) validateFamiliesOfAddresses(spec, problems);
}

const POLICIES = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];

/** The first of the addresses is also a field of its own. */
function validateFirstAddress({ clusterIP, clusterIPs = [] }: ServiceSpec, problems: Problems): void {
  if (!clusterIP) {
    if (clusterIPs.length > 0)
      problems.invalid(CLUSTER_IPS, clusterIPs, 'must be empty when `clusterIP` is not specified');
  } else if (clusterIPs.length === 0) problems.required(CLUSTER_IPS);
  else if (clusterIPs[0] !== clusterIP) problems.invalid(CLUSTER_IPS, clusterIPs, 'first value must match `clusterIP`');
}

function validateFamilies(families: readonly string[], problems: Problems): void {
  const isRepeated = seenBefore();
  families.forEach((family, at) => {
    const path = FAMILIES.index(at);
    if (family !== 'IPv4' && family !== 'IPv6') problems.notSupported(path, family, ['IPv4', 'IPv6']);
    if (isRepeated(family)) problems.duplicate(path, family);
  });
}

/** False when the addresses are not worth a second look. */
function validateAddresses(addresses: readonly string[], problems: Problems): boolean {
  let sound = true;
  addresses.forEach((address, at) => {
    if (at === 0 && address === 'None') {
      if (addresses.length === 1) return;
      problems.invalid(CLUSTER_IPS, addresses, "'None' must be the first and only value");
      sound = false;
      return;
    }
    const problem = ip(address);
    if (problem === undefined) return;
    problems.invalid(CLUSTER_IPS.index(at), address, problem);
    sound = false;
  });
  if (addresses.length > 2) problems.invalid(CLUSTER_IPS, addresses, 'may only hold up to 2 values');
  return sound;
}

function validateFamiliesOfAddresses({ clusterIPs = [], ipFamilies = [] }: ServiceSpec, problems: Problems): void {
  const parsed = clusterIPs.map(parseAddress).filter((address) => address !== undefined);
  if (!isOnePerFamily(parsed)) {
    problems.invalid(CLUSTER_IPS, clusterIPs, 'may specify no more than one IP for each IP family');
  }
  parsed.forEach(({ family }, at) => {
    const wanted = ipFamilies[at];
    if (wanted === undefined || wanted === `IPv${family}`) return;
    const rule = `expected an ${wanted} value as indicated by \`ipFamilies[${at}]\``;
    problems.invalid(CLUSTER_IPS.index(at), clusterIPs[at], rule);
  });
}
