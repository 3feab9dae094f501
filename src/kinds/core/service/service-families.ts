import { parseAddress } from '../../../meta/addresses.ts';
import type { Draft } from '../../../schema/draft.ts';
import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import { sameValue } from '../../../schema/same-value.ts';
import type { ServiceSpec } from './service.ts';
import { validateServiceAddresses } from './service-addresses-validation.ts';

const SPEC = Path.of('spec');
const POLICY = SPEC.child('ipFamilyPolicy');

/**
 * Settles the IP families of a service that is not an alias: the policy, and a family for each address that it has or is
 * to get. `offered` are the families the server has addresses of, the default one first. Nothing is settled when there
 * are problems.
 */
export function settleFamilies(
  spec: Draft<ServiceSpec>,
  old: ServiceSpec | undefined,
  offered: readonly string[],
  problems: Problems,
): void {
  if (old && isUntouchedPreference(spec, old)) return;
  spec.ipFamilyPolicy ??= old?.ipFamilyPolicy ?? (isBare(spec) ? 'RequireDualStack' : 'SingleStack');
  validateServiceAddresses(spec, problems);
  if (problems.found.length > 0) return;
  if (old) settleRelease(spec, old, problems);
  checkSingle(spec, problems);
  inferFamilies(spec, offered, problems);
  if (problems.found.length > 0) return;
  if (isBare(spec)) completeFamilies(spec, offered, true);
  else {
    checkOffer(spec, offered, problems);
    if (problems.found.length === 0) completeFamilies(spec, offered, offered.length > 1);
  }
}

/** Whoever would like two families keeps what there was to have at first, though the server may offer others by now. */
const isUntouchedPreference = (spec: ServiceSpec, old: ServiceSpec): boolean =>
  spec.type === old.type &&
  spec.ipFamilyPolicy === 'PreferDualStack' &&
  (old.ipFamilyPolicy ?? 'PreferDualStack') === 'PreferDualStack' &&
  sameValue(spec.clusterIPs, old.clusterIPs) &&
  sameValue(spec.ipFamilies, old.ipFamilies);

/** Without addresses and without pods that would have some: may be of families the server knows nothing of. */
const isBare = ({ clusterIP, selector }: ServiceSpec): boolean =>
  clusterIP === 'None' && Object.keys(selector ?? {}).length === 0;

/** One family where there were two: the policy says so, alone or together with the lists. */
function settleRelease(spec: Draft<ServiceSpec>, old: ServiceSpec, problems: Problems): void {
  const { clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = spec;
  if (ipFamilyPolicy === 'SingleStack') {
    if (sameValue(clusterIPs, old.clusterIPs)) spec.clusterIPs = clusterIPs.slice(0, 1);
    if (sameValue(ipFamilies, old.ipFamilies)) spec.ipFamilies = ipFamilies.slice(0, 1);
    return;
  }
  const isReduced = (now: readonly string[], before: readonly string[] = []): boolean =>
    now.length > 0 && now.length < before.length;
  const need = "must be 'SingleStack' to release the secondary";
  if (isReduced(clusterIPs, old.clusterIPs)) problems.invalid(POLICY, ipFamilyPolicy, `${need} cluster IP`);
  if (isReduced(ipFamilies, old.ipFamilies)) problems.invalid(POLICY, ipFamilyPolicy, `${need} IP family`);
}

function checkSingle({ clusterIPs = [], ipFamilies = [], ipFamilyPolicy }: ServiceSpec, problems: Problems): void {
  if (ipFamilyPolicy !== 'SingleStack') return;
  const need = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";
  if (clusterIPs.length > 1) problems.invalid(POLICY, ipFamilyPolicy, `${need} cluster IPs are specified`);
  if (ipFamilies.length > 1) problems.invalid(POLICY, ipFamilyPolicy, `${need} IP families are specified`);
}

/** An address says its own family. Those that are named have been found to agree with the addresses. */
function inferFamilies(spec: Draft<ServiceSpec>, offered: readonly string[], problems: Problems): void {
  const { clusterIPs = [] } = spec;
  if (clusterIPs[0] === 'None') return;
  const families = [...(spec.ipFamilies ?? [])];
  for (let at = families.length; at < clusterIPs.length; at++) {
    const family = `IPv${parseAddress(clusterIPs[at] ?? '')?.family}`;
    families.push(family);
    if (offered.includes(family)) continue;
    problems.invalid(SPEC.child('clusterIPs').index(at), clusterIPs, `${family} is not configured on this cluster`);
  }
  spec.ipFamilies = families;
}

function checkOffer(
  { ipFamilies = [], ipFamilyPolicy }: ServiceSpec,
  offered: readonly string[],
  problems: Problems,
): void {
  if (ipFamilyPolicy === 'RequireDualStack' && offered.length < 2) {
    problems.invalid(POLICY, ipFamilyPolicy, 'this cluster is not configured for dual-stack services');
  }
  ipFamilies.forEach((family, at) => {
    if (offered.includes(family)) return;
    problems.invalid(SPEC.child('ipFamilies').index(at), family, 'not configured on this cluster');
  });
}

function completeFamilies(spec: Draft<ServiceSpec>, offered: readonly string[], canBeTwo: boolean): void {
  const first = spec.ipFamilies?.[0] ?? offered[0] ?? 'IPv4';
  const families = spec.ipFamilies?.length ? [...spec.ipFamilies] : [first];
  if (canBeTwo && families.length === 1 && spec.ipFamilyPolicy !== 'SingleStack') {
    families.push(first === 'IPv4' ? 'IPv6' : 'IPv4');
  }
  spec.ipFamilies = families;
}
