import {
  type ClientRequest,
  Agent as HttpAgent,
  request as http,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as https } from 'node:https';
import type { Runtime } from '../runtime/runtime.ts';
import { limitAnnouncements } from './announcements.ts';
import type { Connection } from './config.ts';
import { AnswerTooLarge, ConnectionWasClosed, NoAnswerInTime } from './failures.ts';

/** Whom to trust, and what to show, when asking others. */
export type OutboundTrust = Partial<
  Pick<Connection, 'ca' | 'clientCertificate' | 'clientKey' | 'insecureSkipTlsVerify' | 'tlsServerName'>
>;

/** Several values are several headers. */
export type OutboundHeaders = Readonly<Record<string, string | string[]>>;

export interface OutboundRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: OutboundHeaders;
  readonly body?: string;
  /** An answer has to be whole by then; ten seconds when absent. */
  readonly timeoutMs?: number;
  /** How long an answer may be; a mebibyte when absent. */
  readonly mostBytes?: number;
}

export interface OutboundReply {
  readonly status: number;
  readonly headers?: IncomingHttpHeaders;
  readonly body: Buffer;
}

const TIMEOUT_MS = 10_000;
/** What others send is not trusted to be small. */
const MOST_BYTES = 1024 * 1024;
const MOST_CONNECTIONS = 32;

/** Asks remote services over connections that are kept open. Redirects are not followed. */
export class Outbound {
  readonly #runtime: Runtime;
  readonly #https: HttpsAgent;
  readonly #http: HttpAgent;

  /** `mostConnections`: to one place at once; requests beyond wait. Streams count for as long as they last. */
  constructor(
    { ca, clientCertificate, clientKey, insecureSkipTlsVerify, tlsServerName }: OutboundTrust,
    runtime: Runtime,
    mostConnections: number = MOST_CONNECTIONS,
  ) {
    this.#runtime = runtime;
    this.#http = new HttpAgent({ keepAlive: true, maxSockets: mostConnections });
    this.#https = new HttpsAgent({
      keepAlive: true,
      maxSockets: mostConnections,
      minVersion: 'TLSv1.2',
      rejectUnauthorized: insecureSkipTlsVerify !== true,
      ...(ca === undefined ? {} : { ca }),
      ...(clientCertificate === undefined ? {} : { cert: clientCertificate }),
      ...(clientKey === undefined ? {} : { key: clientKey }),
      ...(tlsServerName === undefined ? {} : { servername: tlsServerName }),
    });
  }

  /** Resolves with any answer, whatever its status. Rejects when there is none in time, or it is too large. */
  send(
    url: URL,
    { method, headers = {}, body, timeoutMs = TIMEOUT_MS, mostBytes = MOST_BYTES }: OutboundRequest,
  ): Promise<OutboundReply> {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = { method, headers: { accept: 'application/json', ...length, ...headers } };
    return new Promise((resolve, reject) => {
      const outgoing = this.#open(url, options, reject).on('response', (incoming) => {
        readWhole(incoming, mostBytes).then(
          (bytes) => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: bytes }),
          reject,
        );
      });
      const timer = this.#runtime.after(timeoutMs, () => outgoing.destroy(new NoAnswerInTime('no answer in time')));
      outgoing.on('close', () => timer.cancel()).end(body);
    });
  }

  /**
   * As `send` with GET; resolves when an answer has begun, for the caller to read to its end or destroy. Only its
   * beginning has to come in time.
   */
  stream(url: URL, headers: OutboundHeaders, timeoutMs: number = TIMEOUT_MS): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const options = { method: 'GET', headers: { accept: 'application/json', ...headers } };
      const outgoing = this.#open(url, options, reject);
      const timer = this.#runtime.after(timeoutMs, () => outgoing.destroy(new NoAnswerInTime('no answer in time')));
      outgoing
        .on('response', (incoming) => {
          timer.cancel();
          resolve(incoming);
        })
        .on('close', () => timer.cancel())
        .end();
    });
  }

  /** Closes all connections, whatever is under way on them. */
  close(): void {
    this.#https.destroy();
    this.#http.destroy();
  }

  /** `fail` is told when no answer comes. */
  #open(url: URL, options: RequestOptions, fail: (error: Error) => void): ClientRequest {
    const isSecure = url.protocol === 'https:';
    const outgoing = isSecure
      ? https(url, { ...options, agent: this.#https })
      : http(url, { ...options, agent: this.#http });
    limitAnnouncements(outgoing);
    return (
      outgoing
        .on('error', (error) => fail(isStale(outgoing, error) ? new ConnectionWasClosed(error.message) : error))
        // From here on Node has nothing to do with the request: nobody else would tell that it has failed.
        .once('upgrade', (_incoming, socket) => {
          socket.destroy();
          fail(new Error('the protocol was changed unasked'));
        })
    );
  }
}

const isStale = ({ reusedSocket }: ClientRequest, error: Error): boolean =>
  reusedSocket && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');

async function readWhole(incoming: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of incoming) {
    length += part.length;
    if (length > mostBytes) throw new AnswerTooLarge('the answer is too large');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Secrets travel in the open to this machine alone. Throws what to tell the operator. */
export function demandPrivate(text: string, what: string): URL {
  if (!URL.canParse(text)) throw new Error(`${what}: "${text}" is not a URL`);
  const url = new URL(text);
  const isPrivate = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));
  if (!isPrivate) throw new Error(`${what}: only https is private enough for ${url.protocol}//${url.host}`);
  return url;
}
