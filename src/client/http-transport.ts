import type { Duplex, Readable } from 'node:stream';
import type { Connection } from '../outbound/config.ts';
import type { OutboundHeaders } from '../outbound/outbound.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { type ClientCertificate, type Identity, withoutCredentials } from './identity.ts';
import type { PlaneRequest, Send } from './plane-client.ts';
import { Cancellation } from './transport/cancellation.ts';
import { CertifiedPools } from './transport/certified-pools.ts';
import { decoded, readWhole } from './transport/decoding.ts';
import { dial, type HttpVersion, type Route } from './transport/dial.ts';
import type { ExchangeAnswer, HttpConnections, RequestBody } from './transport/exchange.ts';
import { type Environment, isLoopback, proxyByEnvironment, readProxy } from './transport/proxy-choice.ts';
import { repeating } from './transport/repeating.ts';
import { ServerConnections } from './transport/server-connections.ts';

/** A little more than a server may take for a request. */
const TIMEOUT_MS = 70_000;
/** How long the beginning of a long answer may take. */
const BEGINNING_TIMEOUT_MS = 10_000;
/** Of one answer: pages of lists are asked for that are far smaller. */
const MOST_BYTES = 64 * 2 ** 20;
const MOST_RETRIES = 10;
const UNAUTHORIZED = 401;
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** An answer that is read as it comes, whatever its status, or destroyed. */
export type AnswerStream = Readable & { readonly statusCode?: number | undefined };

/** Begins a watch. */
export type OpenStream = (target: string, accept: string) => Promise<AnswerStream>;

/** Any request, whose body and answer may be streams. */
export interface OpenRequest extends Omit<PlaneRequest, 'method' | 'body'> {
  readonly method: string;
  readonly body?: RequestBody;
  readonly headers?: OutboundHeaders;
  /** `timeoutMs` is for the beginning of the answer alone; what follows may last. */
  readonly isLong?: boolean;
}

/** Sends a request and resolves when its answer has begun, whatever its status. */
export type Open = (request: OpenRequest) => Promise<ExchangeAnswer>;

/** A connection for one request in HTTP/1.1 and whatever follows when the server agrees to another protocol. */
export interface OwnConnection {
  readonly socket: Duplex;
  /** Value of the header `Host`. */
  readonly host: string;
  /** Before every path. */
  readonly prefix: string;
  /** Say whose request it is. */
  readonly headers: OutboundHeaders;
}

export type Dial = () => Promise<OwnConnection>;

/** Told of every request that was sent, repetitions included. */
export interface TransportMeter {
  /** `status`: of the answer; undefined where there was none. Bytes of a body that is a stream are not known. */
  answered(method: string, host: string, status: number | undefined, milliseconds: number, sentBytes: number): void;
  /** An answer was read to its end. */
  received(method: string, host: string, bytes: number): void;
}

export interface TransportOptions {
  /** Names proxies. That of the process when absent. */
  readonly environment?: Environment;
  /** False: HTTP/1.1 alone, which is quicker to load for a program that sends one request. */
  readonly http2?: boolean;
  /** Whether large answers come compressed. When absent, those of other machines do. */
  readonly compression?: boolean;
  readonly meter?: TransportMeter;
}

/**
 * Reaches a plane over HTTP, by connections that are kept open and show the certificate of whoever sends requests. HTTP/2 where
 * the plane speaks it, through a proxy where the configuration or the environment names one.
 */
export class HttpTransport {
  readonly #base: URL;
  readonly #prefix: string;
  readonly #connection: Connection;
  readonly #runtime: Runtime;
  readonly #program: string;
  readonly #proxy: URL | undefined;
  readonly #compression: boolean;
  readonly #meter: TransportMeter | undefined;
  readonly #pools: CertifiedPools<HttpConnections>;

  /** `program`: who the plane is told that sends requests, and the owner of fields that they change. */
  constructor(connection: Connection, runtime: Runtime, program: string, options: TransportOptions = {}) {
    const { environment = process.env, http2 = true } = options;
    const { server, proxyUrl } = connection;
    this.#base = new URL(server);
    this.#prefix = this.#base.pathname.replace(/\/$/, '');
    this.#connection = connection;
    this.#runtime = runtime;
    this.#program = program;
    this.#proxy = proxyUrl ? readProxy(proxyUrl, 'proxy-url') : proxyByEnvironment(this.#base, environment);
    this.#meter = options.meter;
    this.#compression = options.compression ?? !isLoopback(this.#base);
    const versions: readonly HttpVersion[] = http2 ? ['h2', 'http/1.1'] : ['http/1.1'];
    this.#pools = new CertifiedPools((shown) => new ServerConnections(this.#route(shown), versions, runtime));
  }

  /** Sends requests as somebody. */
  sendAs(identity: Identity): Send {
    return async (request) => {
      const cancellation = new Cancellation(this.#runtime, request.timeoutMs ?? TIMEOUT_MS, request.signal);
      try {
        const { status, headers, body } = await this.#exchange(identity, request, cancellation);
        const bytes = await readWhole(body, MOST_BYTES);
        this.#meter?.received(request.method, this.#base.host, bytes.length);
        return { status, headers, body: bytes };
      } finally {
        cancellation.release();
      }
    };
  }

  /** Opens watches as somebody. Whoever watches begins anew when that fails, so nothing is waited for here. */
  streamAs(identity: Identity): OpenStream {
    const open = this.openAs(identity);
    return async (target, accept) => {
      const { status, body } = await open({ method: 'GET', target, accept, isLong: true, retries: 0 });
      return Object.assign(body, { statusCode: status });
    };
  }

  /** Sends requests as somebody whose answers, or bodies, are streams. */
  openAs(identity: Identity): Open {
    return async (request) => {
      const { isLong = false, timeoutMs = isLong ? BEGINNING_TIMEOUT_MS : TIMEOUT_MS } = request;
      const cancellation = new Cancellation(this.#runtime, timeoutMs, request.signal);
      try {
        const answer = await this.#exchange(identity, request, cancellation);
        if (isLong) cancellation.liftDeadline();
        answer.body.once('close', () => cancellation.release());
        return answer;
      } catch (error) {
        cancellation.release();
        throw error;
      }
    };
  }

  /** Opens connections of their own as somebody, for requests that leave HTTP. */
  dialAs(identity: Identity): Dial {
    return async () => {
      const headers = await this.#headersOf(identity);
      const route = this.#route(await identity.certificate?.());
      const { socket } = await dial(route, ['http/1.1'], this.#runtime, true);
      return { socket, host: this.#base.host, prefix: this.#prefix, headers };
    };
  }

  close(): void {
    this.#pools.close();
  }

  async #exchange(identity: Identity, request: OpenRequest, cancellation: Cancellation): Promise<ExchangeAnswer> {
    const { method, target, body, retries = MOST_RETRIES, isLong = false } = request;
    const isText = typeof body === 'string' || body instanceof Uint8Array;
    const known = { isRead: READS.has(method), canRepeat: body === undefined || isText, retries };
    let shown: OutboundHeaders = {};
    const answer = await repeating(known, cancellation, async () => {
      shown = await this.#headersOf(identity);
      const headers = { ...shown, ...this.#about(request) };
      const connections = await this.#pools.of(identity);
      const path = `${this.#prefix}${target}`;
      const sent = { method, path, headers, body, isLong, signal: cancellation.signal };
      return this.#metered(method, body, () => connections.exchange(sent));
    });
    if (answer.status === UNAUTHORIZED) identity.refused(shown);
    return decoded(answer);
  }

  async #metered(
    method: string,
    body: RequestBody | undefined,
    exchange: () => Promise<ExchangeAnswer>,
  ): Promise<ExchangeAnswer> {
    if (!this.#meter) return exchange();
    const began = this.#runtime.monotonic();
    const bytes = typeof body === 'string' || body instanceof Uint8Array ? Buffer.byteLength(body) : 0;
    let status: number | undefined;
    try {
      const answer = await exchange();
      status = answer.status;
      return answer;
    } finally {
      this.#meter.answered(method, this.#base.host, status, this.#runtime.monotonic() - began, bytes);
    }
  }

  async #headersOf(identity: Identity): Promise<OutboundHeaders> {
    return { 'user-agent': this.#program, ...(await identity.headers()) };
  }

  /** What a request says of itself. Events of watches come one by one, which compression would only hold up. */
  #about({ accept = 'application/json', contentType = 'application/json', body, headers, isLong }: OpenRequest) {
    const hasLength = typeof body === 'string' || body instanceof Uint8Array;
    return {
      accept,
      ...(this.#compression && !isLong ? { 'accept-encoding': 'gzip' } : {}),
      ...(body === undefined ? {} : { 'content-type': contentType }),
      ...(hasLength ? { 'content-length': String(Buffer.byteLength(body)) } : {}),
      ...headers,
    };
  }

  #route(shown: ClientCertificate | undefined): Route {
    const trust = {
      ...withoutCredentials(this.#connection),
      clientCertificate: shown?.certificate,
      clientKey: shown?.key,
    };
    return { server: this.#base, trust, proxy: this.#proxy };
  }
}
