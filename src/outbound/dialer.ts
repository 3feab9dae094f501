import { lookup } from 'node:dns';
import { type ClientRequest, request as http, type RequestOptions } from 'node:http';
import { type Agent, request as https } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import type { Runtime } from '../runtime/runtime.ts';
import { limitAnnouncements } from './announcements.ts';
import type { ClusterNetwork, NetworkAddress } from './network.ts';
import type { OutboundTrust } from './outbound.ts';

/** Where a request is passed on to. */
export interface Destination extends NetworkAddress {
  readonly scheme: 'http' | 'https';
  /** Path and query, encoded. */
  readonly target: string;
}

export interface DialOptions {
  readonly method: string;
  /** Names and values in turn. `Host` is added. */
  readonly headers: readonly string[];
  readonly trust: OutboundTrust;
  /** False: an address that the cluster's network does not allow is as good as any other. */
  readonly guarded: boolean;
  readonly connectTimeoutMs: number;
  /** Where to connect to, if that is known already. Whoever answers there must be the destination all the same. */
  readonly at?: NetworkAddress | undefined;
  /** Has connections that are still open; without it one is opened for this request alone. */
  readonly agent?: Agent | undefined;
}

/** The network does not let requests through to that address. */
export class AddressNotAllowed extends Error {
  override readonly name = 'AddressNotAllowed';

  constructor() {
    super('address not allowed');
  }
}

/** `host:port` as URLs and headers spell it. */
export const authorityOf = ({ host, port }: NetworkAddress): string =>
  `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;

export const urlOf = (destination: Destination): string =>
  `${destination.scheme}://${authorityOf(destination)}${destination.target}`;

/**
 * Opens connections into the cluster, one for each request unless someone keeps them, so that whatever is done with one
 * concerns no other.
 */
export class Dialer {
  readonly #runtime: Runtime;
  readonly #network: ClusterNetwork;

  constructor(runtime: Runtime, network: ClusterNetwork) {
    this.#runtime = runtime;
    this.#network = network;
  }

  /** Whether a place at this IP address may be dialled. */
  allows(address: string): boolean {
    return this.#network.allows(address);
  }

  /** Begins a request, which fails with an `error` event if it cannot be sent. The caller writes the body and ends it. */
  open(
    destination: Destination,
    { method, headers, trust, guarded, connectTimeoutMs, at, agent }: DialOptions,
  ): ClientRequest {
    const { host, port } = at ?? this.#network.locate(destination);
    const isMoved = host !== destination.host;
    const options: RequestOptions = {
      method,
      host,
      port,
      path: destination.target,
      headers: ['Host', authorityOf(destination), ...headers],
      agent: agent ?? false,
      ...(guarded && !isMoved ? { lookup: this.#guardedLookup } : {}),
    };
    const isSecure = destination.scheme === 'https';
    const outgoing = isSecure ? https({ ...options, ...tlsOptions(destination, trust) }) : http(options);
    limitAnnouncements(outgoing);
    if (guarded && isIP(destination.host) !== 0 && !this.allows(destination.host))
      outgoing.destroy(new AddressNotAllowed());
    const timer = this.#runtime.after(connectTimeoutMs, () =>
      outgoing.destroy(new Error(`no connection to ${authorityOf(destination)} in ${connectTimeoutMs / 1000} s`)),
    );
    return outgoing
      .once('socket', (socket) => {
        if (outgoing.reusedSocket) timer.cancel();
        else socket.once(isSecure ? 'secureConnect' : 'connect', () => timer.cancel());
      })
      .once('close', () => timer.cancel());
  }

  /** Names are judged by what they stand for at the moment of dialling, so that they cannot change in between. */
  readonly #guardedLookup: LookupFunction = (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const refused = error ?? (found.every(({ address }) => this.allows(address)) ? null : new AddressNotAllowed());
      const [first] = found ?? [];
      if (refused || !first) callback(refused ?? new Error(`no addresses for ${hostname}`), []);
      else if (options.all) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}

/** The certificate must be that of the place in the cluster, wherever it is reached. */
const tlsOptions = ({ host }: Destination, trust: OutboundTrust) => ({
  minVersion: 'TLSv1.2' as const,
  servername: isIP(host) === 0 ? host : '',
  rejectUnauthorized: trust.insecureSkipTlsVerify !== true,
  checkServerIdentity: (_name: string, certificate: Parameters<typeof checkServerIdentity>[1]) =>
    checkServerIdentity(host, certificate),
  ...(trust.ca === undefined ? {} : { ca: trust.ca }),
  ...(trust.clientCertificate === undefined ? {} : { cert: trust.clientCertificate }),
  ...(trust.clientKey === undefined ? {} : { key: trust.clientKey }),
});
