import type { IncomingMessage } from 'node:http';
import type { Connection } from '../outbound/config.ts';
import {
  ConnectionWasClosed,
  Outbound,
  type OutboundHeaders,
  type OutboundReply,
  type OutboundRequest,
} from '../outbound/outbound.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { type ClientCertificate, type Identity, withoutCredentials } from './identity.ts';
import type { PlaneRequest, Send } from './plane-client.ts';
import { CertifiedPools, type RetirablePool } from './transport/certified-pools.ts';

/** A little more than a server may take for a request. */
const TIMEOUT_MS = 70_000;
/** Of one answer: pages of lists are asked for that are far smaller. */
const MOST_BYTES = 64 * 2 ** 20;
/** Watches have a connection each, and are as many as kinds are watched. */
const MOST_WATCHES = 10_000;
const UNAUTHORIZED = 401;

/** Begins a watch: gives the answer, whatever its status, for the caller to read or destroy. */
export type OpenStream = (target: string, accept: string) => Promise<IncomingMessage>;

/** Reaches a plane over HTTP, by connections that are kept open and show the certificate of whoever sends requests. */
export class HttpTransport {
  readonly #base: URL;
  readonly #pools: CertifiedPools<Connections>;
  readonly #program: string;

  /**
   * `program`: who the plane is told that sends requests, and the owner of fields that they change. Throws when the plane is
   * behind a proxy, which this client does not speak with.
   */
  constructor(connection: Connection, runtime: Runtime, program: string) {
    if (connection.proxyUrl !== undefined) throw new Error('proxy-url: proxies are not supported');
    this.#program = program;
    this.#base = new URL(connection.server);
    this.#pools = new CertifiedPools((certificate) => new Connections(connection, runtime, certificate));
  }

  /** Sends requests as somebody. */
  sendAs(identity: Identity): Send {
    return async (request) => {
      const { method, body, contentType = 'application/json', accept = 'application/json' } = request;
      const { requests } = await this.#pools.of(identity);
      const reply = await this.#send(requests, request, {
        method,
        headers: {
          ...(await this.#headersOf(identity)),
          accept,
          ...(body === undefined ? {} : { 'content-type': contentType }),
        },
        timeoutMs: request.timeoutMs ?? TIMEOUT_MS,
        mostBytes: MOST_BYTES,
        ...(body === undefined ? {} : { body }),
        ...(request.signal ? { signal: request.signal } : {}),
      });
      if (reply.status === UNAUTHORIZED) identity.refused();
      return reply;
    };
  }

  /** Opens watches as somebody. */
  streamAs(identity: Identity): OpenStream {
    return async (target, accept) => {
      const { watches } = await this.#pools.of(identity);
      const answer = await watches.stream(this.#urlOf(target), { ...(await this.#headersOf(identity)), accept });
      if (answer.statusCode === UNAUTHORIZED) identity.refused();
      return answer;
    };
  }

  async #headersOf(identity: Identity): Promise<OutboundHeaders> {
    return { 'user-agent': this.#program, ...(await identity.headers()) };
  }

  close(): void {
    this.#pools.close();
  }

  /** A read whose connection turned out to be closed is sent once more. A change is not: it may have been made. */
  async #send(requests: Outbound, { method, target }: PlaneRequest, request: OutboundRequest): Promise<OutboundReply> {
    const url = this.#urlOf(target);
    try {
      return await requests.send(url, request);
    } catch (error) {
      if (method !== 'GET' || !(error instanceof ConnectionWasClosed)) throw error;
      return requests.send(url, request);
    }
  }

  /** A server may be below a path of another. */
  #urlOf(target: string): URL {
    return new URL(`${this.#base.href.replace(/\/$/, '')}${target}`);
  }
}

/** Watches do not wait for other requests, nor those for watches. */
class Connections implements RetirablePool {
  readonly requests: Outbound;
  readonly watches: Outbound;

  constructor(connection: Connection, runtime: Runtime, shown: ClientCertificate | undefined) {
    const trust = {
      ...withoutCredentials(connection),
      clientCertificate: shown?.certificate,
      clientKey: shown?.key,
    };
    this.requests = new Outbound(trust, runtime);
    this.watches = new Outbound(trust, runtime, MOST_WATCHES);
  }

  retire(): void {
    this.requests.retire();
    this.watches.retire();
  }

  close(): void {
    this.requests.close();
    this.watches.close();
  }
}
