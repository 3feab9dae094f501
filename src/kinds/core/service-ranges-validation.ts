import { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import { type AddressRange, isWithin, parseAddress } from '../addresses.ts';
import type { Service } from './service.ts';

/** What the server may hand out to services. */
export interface ServiceRanges {
  readonly clusterIPs: readonly AddressRange[];
  readonly nodePorts: { readonly first: number; readonly last: number };
}

const SPEC = Path.of('spec');

/** Addresses and ports that a client chose are the server's to give. Whoever gives them asks; a dry run gives none. */
export function validateServiceRanges({ spec }: Service, ranges: ServiceRanges, problems: Problems): void {
  const { first, last } = ranges.nodePorts;
  spec.ports?.forEach(({ nodePort = 0 }, at) => {
    if (nodePort === 0 || (nodePort >= first && nodePort <= last)) return;
    const rule = `provided port is not in the valid range. The range of valid ports is ${first}-${last}`;
    problems.invalid(SPEC.child('ports').index(at).child('nodePort'), nodePort, rule);
  });
  for (const text of spec.clusterIPs ?? []) {
    const address = parseAddress(text);
    if (!address || ranges.clusterIPs.some((range) => isWithin(address, range))) continue;
    const rule = `failed to allocate IP ${text}: the provided IP is not in the valid range`;
    problems.invalid(SPEC.child('clusterIPs'), spec.clusterIPs, rule);
  }
}
