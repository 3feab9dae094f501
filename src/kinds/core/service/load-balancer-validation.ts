import { parseAddress } from '../../../meta/addresses.ts';
import { formatted } from '../../../meta/field-rules.ts';
import { dns1123Subdomain } from '../../../meta/formats.ts';
import type { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import type { LoadBalancerStatus } from './load-balancer.ts';

/** Where traffic comes in: addresses are addresses, host names are not. */
export function validateLoadBalancerStatus({ ingress }: LoadBalancerStatus, path: Path, problems: Problems): void {
  ingress?.forEach(({ ip, hostname }, at) => {
    const place = path.child('ingress').index(at);
    if (ip && !parseAddress(ip)) problems.invalid(place.child('ip'), ip, 'must be a valid IP address');
    if (!hostname) return;
    formatted(problems, place, 'hostname', hostname, dns1123Subdomain);
    if (parseAddress(hostname)) {
      problems.invalid(place.child('hostname'), hostname, 'must be a DNS name, not an IP address');
    }
  });
}
