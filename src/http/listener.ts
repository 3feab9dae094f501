import type { Http2SecureServer } from 'node:http2';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type Runtime, systemRuntime, type Timer } from '../runtime/runtime.ts';
import { acceptInTurn, refuseBeyond } from './accepting.ts';
import { Arrivals } from './arrivals.ts';
import { type Exchange, type HttpService, serve } from './exchange.ts';
import type { Handle } from './handler.ts';
import { Http1Connections } from './http1-connections.ts';
import { Http2Connections } from './http2-connections.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import { NamedCertificates } from './named-certificates.ts';
import { RawSockets } from './raw-sockets.ts';
import { type Credentials, contextOptions, createServer, type TlsRules, USUAL_TLS } from './secure-server.ts';

/** What clients that forgot to encrypt know this mistake by. The connection is closed behind it. */
const NOT_ENCRYPTED = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

export interface ListenOptions extends Credentials {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** What answers requests that come in at `address`, which is `host:port` and known once the port is open. */
  readonly handleAt: (address: string) => Handle;
  readonly tls?: TlsRules;
  readonly limits?: Partial<Limits>;
  /** Told of defects, with the request line; the client has had a bare 500. */
  readonly onError: (error: unknown, requestLine: string) => void;
  /** Told now and then while connections are refused, with how many are open. */
  readonly onRefused?: (open: number) => void;
  /** Told of every connection that fails before it is encrypted. */
  readonly onHandshakeError?: () => void;
  readonly runtime?: Runtime;
}

export interface CloseOptions {
  /** How long requests in flight have to finish. */
  readonly graceMs: number;
}

/** Opens the port. Rejects with an Error of one clear line when that cannot be done. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { host } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const { server, port, named } = await bind(options, limits);
  const service: HttpService = {
    arrivals: new Arrivals((exchange) => void serve(service, exchange), isRead),
    handle: options.handleAt(`${host}:${port}`),
    limits,
    runtime: options.runtime ?? systemRuntime,
    onError: options.onError,
    streams: new Set(),
    closing: false,
  };
  // Still in the turn in which the port was opened: no connection has been accepted yet.
  acceptInTurn(server, service.runtime);
  refuseBeyond(server, limits.connections, service.runtime, options.onRefused);
  server.on('error', (error: Error) => service.onError(error, 'listener'));
  const { onHandshakeError } = options;
  if (onHandshakeError) server.on('tlsClientError', onHandshakeError);
  return new Listener(server, service, { host, port, named, tls: options.tls ?? USUAL_TLS });
}

const isRead = ({ method }: Exchange): boolean => method === 'GET' || method === 'HEAD';

/** A server with an open port, at which nobody listens yet. */
async function bind(
  options: ListenOptions,
  limits: Limits,
): Promise<{ server: Http2SecureServer; port: number; named: NamedCertificates }> {
  const { host, port } = options;
  try {
    const tls = options.tls ?? USUAL_TLS;
    const named = new NamedCertificates(options.named ?? [], contextOptions(options, tls));
    const server = createServer(options, tls, limits, named);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    server.removeAllListeners('error');
    const address = server.address();
    return { server, named, port: typeof address === 'object' && address !== null ? address.port : port };
  } catch (error) {
    throw new Error(`cannot listen on ${authority(host, port)}: ${reason(error)}`, { cause: error });
  }
}

/** Where a listener listens, and by which rules. */
interface Bound {
  readonly host: string;
  readonly port: number;
  readonly tls: TlsRules;
  readonly named: NamedCertificates;
}

/** An open port speaking HTTP/1.1 and HTTP/2 over TLS. */
export class Listener {
  readonly host: string;
  readonly port: number;
  readonly #server: Http2SecureServer;
  readonly #service: HttpService;
  readonly #tls: TlsRules;
  readonly #named: NamedCertificates;
  readonly #http1: Http1Connections;
  readonly #http2: Http2Connections;
  readonly #sockets = new RawSockets();
  #sweep: Timer;
  #closed: Promise<void> | undefined;

  constructor(server: Http2SecureServer, service: HttpService, { host, port, tls, named }: Bound) {
    this.host = host;
    this.port = port;
    this.#server = server;
    this.#service = service;
    this.#tls = tls;
    this.#named = named;
    this.#http1 = new Http1Connections(server, service);
    this.#http2 = new Http2Connections(server, service);
    this.#sweep = this.#sweepLater();
    server.on('connection', (socket: Socket) => this.#sockets.add(socket));
    server.on('tlsClientError', (error: NodeJS.ErrnoException, socket: TLSSocket) => {
      if (error.code === 'ERR_SSL_HTTP_REQUEST') this.#sockets.under(socket)?.write(NOT_ENCRYPTED);
    });
  }

  /** Where a client on this machine reaches the server. */
  get url(): string {
    return `https://${authority(LOCAL[this.host] ?? this.host, this.port)}`;
  }

  /** New connections get these; those already open keep theirs. Throws, and changes nothing, when they do not fit. */
  reload(credentials: Credentials): void {
    const options = contextOptions(credentials, this.#tls);
    this.#server.setSecureContext(options);
    this.#named.replace(credentials.named ?? [], options);
  }

  /**
   * Stops accepting, ends streamed bodies, lets requests in flight finish and breaks off what is left after the grace
   * period. Resolves when every connection is closed. May be called again, with a shorter grace period for instance.
   */
  async close({ graceMs }: CloseOptions): Promise<void> {
    this.#closed ??= this.#beginClose();
    const timer = this.#service.runtime.after(graceMs, () => {
      this.#sockets.destroyAll();
    });
    await this.#closed;
    timer.cancel();
  }

  #sweepLater(): Timer {
    const { runtime, limits } = this.#service;
    return runtime.after(limits.idleTimeout / 2, () => {
      this.#http1.sweep();
      this.#http2.sweep();
      this.#sweep = this.#sweepLater();
    });
  }

  #beginClose(): Promise<void> {
    this.#service.closing = true;
    this.#sweep.cancel();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#http1.close();
    this.#http2.close();
    for (const stream of [...this.#service.streams]) stream.shutdown();
    return closed;
  }
}

const LOCAL: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

const authority = (host: string, port: number): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EACCES: 'permission denied',
  EADDRNOTAVAIL: 'the address is not one of this machine',
  ENOTFOUND: 'the host name is not known',
};

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? error.message;
}
