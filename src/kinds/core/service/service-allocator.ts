import type { Informer, ObjectListener } from '../../../registry/informer.ts';
import type { ServiceClaims, ServiceSupply } from '../../../registry/reservation.ts';
import type { ApiObject } from '../../../registry/resource-type.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import type { Service } from './service.ts';
import { Claims, Holds } from './service-claims.ts';
import { makePools, type Pools, supplyOf, type Tally } from './service-pools.ts';
import { nodePortsOf } from './service-preparation.ts';
import { firstAddress, type ServiceRanges } from './service-ranges.ts';

/** What is known of one range of addresses. */
export interface AddressUse {
  readonly range: string;
  readonly held: number;
  readonly free: number;
  readonly given: Readonly<Tally>;
  readonly refused: Readonly<Tally>;
}

/** The name under which a service holds what it has. */
export const ownerOf = ({ metadata: { namespace = '', name = '' } }: ApiObject): string => `${namespace}/${name}`;

/**
 * Which service has which address and which port on the nodes. The account is that of what is stored, which it follows,
 * and of the writes that are on their way through this server.
 *
 * Of several servers over one store each keeps this account by itself: a write that takes something is committed with a
 * guard (`reserve` in `registry/write.ts`), and made anew when a write on another server took something meanwhile.
 */
export class ServiceAllocator implements ServiceSupply {
  readonly families: readonly string[];
  /** The first address, which is for the server itself. */
  readonly serverAddress: string;
  readonly #pools: Pools;
  /** What stored services hold, by owner. */
  readonly #stored = new Map<string, Holds>();

  constructor(ranges: ServiceRanges, runtime: Runtime) {
    this.#pools = makePools(ranges, runtime);
    this.families = [...this.#pools.addresses.keys()];
    this.serverAddress = firstAddress(ranges);
  }

  /** Takes in the stored services, and from then on every change of them. */
  follow(informer: Informer): { close(): void } {
    const listener: ObjectListener = {
      onSet: (service: Service) => this.#keep(service),
      onRemove: (service) => this.#forget(ownerOf(service)),
    };
    return informer.follow({ group: '', plural: 'services' }, listener);
  }

  begin(owner: string, dryRun: boolean): ServiceClaims {
    return new Claims(this.#pools, owner, dryRun);
  }

  /** Everything that is not free, by what is stored or on its way. */
  inUse(): { readonly addresses: readonly string[]; readonly ports: readonly number[] } {
    const addresses = [...this.#pools.addresses.values()].flatMap(({ pool }) => pool.held());
    return { addresses, ports: this.#pools.ports.pool.held() };
  }

  /** How much of each range of addresses is in use, and how often addresses of it were asked for. */
  addressUse(): AddressUse[] {
    return [...this.#pools.addresses.values()].map(({ range, pool, given, refused }) => ({
      ...pool.use,
      range,
      given,
      refused,
    }));
  }

  #keep(service: Service): void {
    const owner = ownerOf(service);
    const holds = new Holds(owner);
    const { clusterIPs = [], healthCheckNodePort } = service.spec;
    for (const address of clusterIPs) {
      const supply = supplyOf(this.#pools, address);
      if (supply) holds.add(supply.pool, address);
    }
    for (const port of nodePortsOf(service.spec)) holds.add(this.#pools.ports.pool, port);
    if (healthCheckNodePort) holds.add(this.#pools.ports.pool, healthCheckNodePort);
    this.#forget(owner);
    this.#stored.set(owner, holds);
  }

  #forget(owner: string): void {
    this.#stored.get(owner)?.end();
    this.#stored.delete(owner);
  }
}
