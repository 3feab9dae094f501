import type { Http2SecureServer, IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import { TLSSocket } from 'node:tls';
import type { HttpService } from './exchange.ts';
import { Http2Exchange, type Http2Peer } from './http2-exchange.ts';
import { IdleMark } from './idle-mark.ts';
import { StallMark } from './stall-mark.ts';

/** What HTTP/2 adds to the length of each header when it counts (RFC 9113, 6.5.2). */
const ENTRY_OVERHEAD = 32;

const ignore = (): void => {};

/** The HTTP/2 half of a listener. */
export class Http2Connections {
  readonly #service: HttpService;
  readonly #open = new Set<Http2Connection>();

  constructor(server: Http2SecureServer, service: HttpService) {
    this.#service = service;
    server.on('session', (session) => this.#accept(session));
  }

  /** Sends GOAWAY everywhere: idle sessions end at once, the others with their last stream. */
  close(): void {
    for (const { session } of this.#open) session.close();
  }

  /** Closes sessions without a request since the last sweep; if such a one takes nothing of its answers, with those. */
  sweep(): void {
    for (const { session, socket, busy, requests, mark, stall } of this.#open) {
      if (mark.sweep(busy, requests)) session.close();
      if (stall.look(session.closed && !busy ? socket?.bytesWritten : undefined)) session.destroy();
    }
  }

  #accept(session: ServerHttp2Session): void {
    if (this.#service.closing) {
      session.destroy();
      return;
    }
    const connection = new Http2Connection(session, this.#service);
    this.#open.add(connection);
    session.once('close', () => this.#open.delete(connection));
  }
}

class Http2Connection implements Http2Peer {
  readonly session: ServerHttp2Session;
  readonly socket: TLSSocket | undefined;
  readonly remoteAddress: string;
  readonly mark = new IdleMark();
  readonly stall = new StallMark();
  readonly #service: HttpService;
  requests = 0;
  #unfinished = 0;

  constructor(session: ServerHttp2Session, service: HttpService) {
    const { socket } = session;
    this.session = session;
    this.socket = socket instanceof TLSSocket ? socket : undefined;
    this.remoteAddress = socket.remoteAddress ?? '';
    this.#service = service;
    session.on(
      'stream',
      (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _flags: number, rawHeaders: readonly string[]) =>
        this.#take(stream, headers, rawHeaders),
    );
  }

  get busy(): boolean {
    return this.#unfinished > 0;
  }

  finished(): void {
    this.#unfinished -= 1;
  }

  #take(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, rawHeaders: readonly string[]): void {
    // Without a listener an error of the stream, a client's reset for one, would end the process.
    stream.on('error', ignore);
    if (stream.destroyed) return;
    this.requests += 1;
    const refusal = this.#refusal(headers, rawHeaders);
    if (refusal !== undefined) {
      stream.respond({ ':status': refusal }, { endStream: true });
      return;
    }
    this.#unfinished += 1;
    this.#service.arrivals.add(new Http2Exchange(this.#service, this, stream, headers, rawHeaders));
    const { limits, runtime } = this.#service;
    // What has begun goes on: the client is only told to begin nothing more here.
    if (limits.goawayChance > 0 && runtime.random() < limits.goawayChance) this.session.close();
  }

  #refusal(headers: IncomingHttpHeaders, rawHeaders: readonly string[]): number | undefined {
    if (headerListSize(rawHeaders) > this.#service.limits.headerBytes) return 431;
    // CONNECT has no path.
    return headers[':path'] === undefined ? 400 : undefined;
  }
}

function headerListSize(rawHeaders: readonly string[]): number {
  let size = (rawHeaders.length / 2) * ENTRY_OVERHEAD;
  for (const text of rawHeaders) size += text.length;
  return size;
}
