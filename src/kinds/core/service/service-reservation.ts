import type { Reservation, ServiceClaims } from '../../../registry/reservation.ts';
import type { ReservationContext } from '../../../registry/resource-type.ts';
import type { Draft } from '../../../schema/draft.ts';
import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import type { Service, ServiceSpec } from './service.ts';
import { isHeadless } from './service-addresses-validation.ts';
import { ownerOf } from './service-allocator.ts';
import { settleFamilies } from './service-families.ts';
import { takeHealthPort, takeNodePorts } from './service-port-reservation.ts';

/**
 * Gives a service the addresses and ports that it needs and lacks, and takes for it those that it asks for. What the
 * service has stays with it until the new version is stored, so that nothing is lost when that fails.
 */
export function reserveService(
  service: Draft<Service>,
  old: Service | undefined,
  problems: Problems,
  { services, dryRun }: ReservationContext,
): Reservation | undefined {
  if (!services) return undefined;
  const claims = services.begin(ownerOf(service), dryRun);
  let isKept = false;
  try {
    if (service.spec.type !== 'ExternalName') settleFamilies(service.spec, old?.spec, services.families, problems);
    for (const take of [takeAddresses, takeNodePorts, takeHealthPort]) {
      if (problems.found.length === 0) take(service.spec, old?.spec, claims, problems);
    }
    isKept = !dryRun && problems.found.length === 0;
    return isKept ? claims : undefined;
  } finally {
    if (!isKept) claims.end();
  }
}

/** One address for each family. Those that the service had do not change: whether they should is not judged here. */
function takeAddresses(
  spec: Draft<ServiceSpec>,
  old: ServiceSpec | undefined,
  claims: ServiceClaims,
  problems: Problems,
): void {
  if (spec.type === 'ExternalName' || isHeadless(spec) || (old && isHeadless(old))) return;
  const { ipFamilies = [], clusterIPs = [] } = spec;
  const had = old?.clusterIPs?.length ?? 0;
  for (const wanted of clusterIPs.slice(had)) {
    const problem = claims.address(wanted);
    if (problem === undefined) continue;
    problems.invalid(Path.of('spec', 'clusterIPs'), clusterIPs, `failed to allocate IP ${wanted}: ${problem}`);
    return;
  }
  const lacking = ipFamilies.slice(Math.max(had, clusterIPs.length));
  if (lacking.length === 0) return;
  spec.clusterIPs = [...clusterIPs, ...lacking.map((family) => claims.anyAddress(family))];
  spec.clusterIP = spec.clusterIPs[0] ?? '';
}
