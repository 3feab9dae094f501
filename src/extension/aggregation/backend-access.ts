import { MASTERS_GROUP, type UserInfo, userNamed } from '../../api/user.ts';
import type { ServicePlaces } from '../../kinds/core/service/service-places.ts';
import type { Destination } from '../../outbound/dialer.ts';
import type { ClusterNetwork, NetworkAddress } from '../../outbound/network.ts';
import type { OutboundTrust } from '../../outbound/outbound.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { RemoteVersion } from './remote-version.ts';

/** A route to the server behind a remote version. */
export interface BackendRoute {
  /** By the name of the service, which its certificate must have. */
  readonly destination: Destination;
  /** Where that is. */
  readonly at: NetworkAddress;
  readonly trust: OutboundTrust;
  readonly guarded: boolean;
  readonly connectTimeoutMs: number;
}

/** What this server shows to those it passes requests on to: whoever has it may say who asks. */
export type ProxyCertificate = Pick<OutboundTrust, 'clientCertificate' | 'clientKey'>;

export interface BackendAccessParts {
  readonly network: ClusterNetwork;
  readonly places: ServicePlaces;
  /** Asked for each request, so that another certificate counts from the next one on. */
  certificate(): ProxyCertificate;
}

const CONNECT_TIMEOUT_MS = 10_000;

/** How the servers behind remote versions are reached. */
export class BackendAccess {
  readonly #parts: BackendAccessParts;

  constructor(parts: BackendAccessParts) {
    this.#parts = parts;
  }

  /** `target`: path and query. Throws an Error of one line when nobody is behind the service. */
  route(remote: RemoteVersion, target: string): BackendRoute {
    const { host, service, trust } = remote;
    return {
      destination: { scheme: 'https', host, port: service.port, target },
      at: this.#place(remote),
      trust: { ...trust, ...this.#parts.certificate() },
      guarded: false,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
    };
  }

  /** Whoever stands in for the cluster's network may know the service by name, or the places behind it. */
  knowsByName({ host, service: { port } }: RemoteVersion): boolean {
    const found = this.#parts.network.locate({ host, port });
    return found.host !== host || found.port !== port;
  }

  #place(remote: RemoteVersion): NetworkAddress {
    const { network, places } = this.#parts;
    if (this.knowsByName(remote)) return network.locate({ host: remote.host, port: remote.service.port });
    return network.locate(places.find(remote.service));
  }
}

/** Who asks when this server wants to know something for itself: someone who may read whatever there is. */
export const aggregatorUser = ({ systemNames }: Vocabulary): UserInfo =>
  userNamed(systemNames.aggregator, [MASTERS_GROUP]);
