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
import type { Identity } from './identity.ts';
import type { PlaneRequest, Send } from './plane-client.ts';

/** A little more than a server may take for a request. */
const TIMEOUT_MS = 70_000;
/** Of one answer: pages of lists are asked for that are far smaller. */
const MOST_BYTES = 64 * 2 ** 20;
/** Watches have a connection each, and are as many as kinds are watched. */
const MOST_WATCHES = 10_000;
const UNAUTHORIZED = 401;

/** Begins a watch: gives the answer, whatever its status, for the caller to read or destroy. */
export type OpenStream = (target: string, accept: string) => Promise<IncomingMessage>;

/** Reaches a plane over HTTP, by connections that are kept open. */
export class HttpTransport {
  readonly #base: URL;
  readonly #requests: Outbound;
  readonly #watches: Outbound;
  readonly #program: string;

  /**
   * `program`: who the plane is told that sends requests, and the owner of fields that they change. Throws when the plane is
   * behind a proxy, which this client does not speak with.
   */
  constructor(connection: Connection, runtime: Runtime, program: string) {
    if (connection.proxyUrl !== undefined) throw new Error('proxy-url: proxies are not supported');
    this.#program = program;
    this.#base = new URL(connection.server);
    this.#requests = new Outbound(connection, runtime);
    this.#watches = new Outbound(connection, runtime, MOST_WATCHES);
  }

  /** Sends requests as somebody. */
  sendAs(identity: Identity): Send {
    return async (request) => {
      const { method, body, contentType = 'application/json', accept = 'application/json' } = request;
      const reply = await this.#send(request, {
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
      const answer = await this.#watches.stream(this.#urlOf(target), { ...(await this.#headersOf(identity)), accept });
      if (answer.statusCode === UNAUTHORIZED) identity.refused();
      return answer;
    };
  }

  async #headersOf(identity: Identity): Promise<OutboundHeaders> {
    return { 'user-agent': this.#program, ...(await identity.headers()) };
  }

  close(): void {
    this.#requests.close();
    this.#watches.close();
  }

  /** A read whose connection turned out to be closed is sent once more. A change is not: it may have been made. */
  async #send({ method, target }: PlaneRequest, request: OutboundRequest): Promise<OutboundReply> {
    const url = this.#urlOf(target);
    try {
      return await this.#requests.send(url, request);
    } catch (error) {
      if (method !== 'GET' || !(error instanceof ConnectionWasClosed)) throw error;
      return this.#requests.send(url, request);
    }
  }

  /** A server may be below a path of another. */
  #urlOf(target: string): URL {
    return new URL(`${this.#base.href.replace(/\/$/, '')}${target}`);
  }
}
