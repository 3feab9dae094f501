import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import type { Service, ServiceSpec } from './service.ts';
import { isHeadless } from './service-addresses-validation.ts';
import { needsHealthCheck } from './service-validation.ts';

const SPEC = Path.of('spec');
const FIXED = 'may not change once set';

/** What a service can be reached by does not change under its clients, though a second address may come and go. */
export function validateServiceUpdate({ spec }: Service, { spec: old }: Service, problems: Problems): void {
  if (spec.type !== 'ExternalName' && old.type !== 'ExternalName') {
    const headless = isHeadless(spec);
    if (!headless || !isHeadless(old)) validateAddresses(spec, old, problems);
    if (!headless && !isHeadless(old)) validateFamilies(spec, old, problems);
  }
  const { loadBalancerClass } = spec;
  if (spec.type === 'LoadBalancer' && old.type === 'LoadBalancer' && loadBalancerClass !== old.loadBalancerClass) {
    problems.invalid(SPEC.child('loadBalancerClass'), loadBalancerClass ?? null, FIXED);
  }
  const { healthCheckNodePort = 0 } = spec;
  if (needsHealthCheck(spec) && needsHealthCheck(old) && healthCheckNodePort !== (old.healthCheckNodePort ?? 0)) {
    problems.forbidden(SPEC.child('healthCheckNodePort'), 'field is immutable');
  }
}

function validateAddresses(
  { clusterIPs = [], ipFamilyPolicy }: ServiceSpec,
  old: ServiceSpec,
  problems: Problems,
): void {
  const path = SPEC.child('clusterIPs');
  const { clusterIPs: before = [] } = old;
  if (clusterIPs.length === before.length) {
    before.forEach((address, at) => {
      if (address !== clusterIPs[at]) problems.invalid(path.index(at), clusterIPs, FIXED);
    });
    return;
  }
  const [first, firstBefore] = [clusterIPs[0], before[0]];
  if (first === undefined) problems.invalid(path.index(0), clusterIPs, 'primary clusterIP can not be unset');
  else if (firstBefore !== undefined && first !== firstBefore) problems.invalid(path.index(0), clusterIPs, FIXED);
  if (clusterIPs.length === 1 && before.length > 1) validateRelease('clusterIP', ipFamilyPolicy, problems);
}

/** Problems of families are noted at the first one, as clients know them. */
function validateFamilies(spec: ServiceSpec, old: ServiceSpec, problems: Problems): void {
  const path = SPEC.child('ipFamilies').index(0);
  const { ipFamilies = [], clusterIPs = [], ipFamilyPolicy } = spec;
  const { ipFamilies: before = [] } = old;
  const released = before.length > ipFamilies.length;
  const compared = before.length === ipFamilies.length ? before : before.slice(0, Math.min(1, ipFamilies.length));
  if (compared.some((family, at) => family !== ipFamilies[at])) problems.invalid(path, ipFamilies, FIXED);
  if (released && clusterIPs.length === 0) problems.invalid(path, ipFamilies, 'primary ipFamily can not be unset');
  if (released && ipFamilies.length === 1) validateRelease('ipFamily', ipFamilyPolicy, problems);
}

/** Who gives up the second of two says so in the policy. */
function validateRelease(what: string, policy: string | undefined, problems: Problems): void {
  if (policy === 'SingleStack') return;
  const rule = `must be set to 'SingleStack' when releasing the secondary ${what}`;
  problems.invalid(SPEC.child('ipFamilyPolicy'), policy ?? null, rule);
}
