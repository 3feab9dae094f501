import { parseAddressRange } from '../../../meta/addresses.ts';
import { unchanged } from '../../../meta/field-rules.ts';
import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import { validateNodeSelector } from '../../core/pod/scheduling-validation.ts';
import type { ClusterCIDR, ClusterCIDRSpec } from './cluster-cidr.ts';

const SPEC = Path.of('spec');

/** Fewer bits would leave a node too few addresses to be of use. */
const FEWEST_HOST_BITS = 4;

const FAMILIES = [
  { field: 'ipv4', family: 4, bits: 32 },
  { field: 'ipv6', family: 6, bits: 128 },
] as const;

export function validateClusterCIDR({ spec }: ClusterCIDR, problems: Problems): void {
  if (spec.nodeSelector) validateNodeSelector(spec.nodeSelector, SPEC.child('nodeSelector'), problems);
  if (!spec.ipv4 && !spec.ipv6) problems.required(SPEC, 'one or both of ipv4 and ipv6 must be set');
  for (const family of FAMILIES) if (spec[family.field]) validateRange(spec, family, problems);
}

function validateRange(
  spec: ClusterCIDRSpec,
  { field, family, bits }: (typeof FAMILIES)[number],
  problems: Problems,
): void {
  const range = parseAddressRange(spec[field]);
  if (range?.address.family !== family) {
    problems.invalid(SPEC.child(field), spec[field], `must be a range of IPv${family} addresses`);
    return;
  }
  const most = bits - range.length;
  if (spec.perNodeHostBits < FEWEST_HOST_BITS || spec.perNodeHostBits > most) {
    const rule = `must be at least ${FEWEST_HOST_BITS}, and at most the ${most} that ${field} leaves open`;
    problems.invalid(SPEC.child('perNodeHostBits'), spec.perNodeHostBits, rule);
  }
}

/** Addresses may have been given out of it. */
export function validateClusterCIDRUpdate({ spec }: ClusterCIDR, old: ClusterCIDR, problems: Problems): void {
  unchanged(problems, SPEC, 'nodeSelector', spec.nodeSelector, old.spec.nodeSelector);
  unchanged(problems, SPEC, 'perNodeHostBits', spec.perNodeHostBits, old.spec.perNodeHostBits);
  unchanged(problems, SPEC, 'ipv4', spec.ipv4, old.spec.ipv4);
  unchanged(problems, SPEC, 'ipv6', spec.ipv6, old.spec.ipv6);
}
