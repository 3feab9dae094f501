import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2SecureServer } from 'node:http2';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Exchange, HttpService } from './exchange.ts';
import { Http1Exchange } from './http1-exchange.ts';
import { IdleMark } from './idle-mark.ts';
import { StallMark } from './stall-mark.ts';
import { UpgradeExchange } from './upgrade-exchange.ts';

/** How long a client that sent nonsense has to read the answer before its connection is cut. */
const READING_TIME_MS = 1_000;

const bare = (status: string): string => `HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
const BAD_REQUEST = bare('400 Bad Request');
const ANSWERS: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: bare('408 Request Timeout'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: bare('413 Payload Too Large'),
  HPE_HEADER_OVERFLOW: bare('431 Request Header Fields Too Large'),
};

/** An exchange as its connection sees it. */
type Http1Turn = Exchange & Pick<Http1Exchange, 'closed' | 'isStreaming' | 'onceClosed'>;

interface Http1Connection {
  readonly socket: TLSSocket;
  /** The request that came last, if any. Answers go out in order, so the connection is idle when this one is closed. */
  latest: Http1Turn | undefined;
  requests: number;
  readonly mark: IdleMark;
  readonly stall: StallMark;
}

/** As the protocol demands: 1.1 with one Host, 1.0 with at most one, nothing older. */
function isWellFormed({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts++;
  return httpVersion === '1.1' ? hosts === 1 : httpVersion === '1.0' && hosts <= 1;
}

const isBusy = ({ latest }: Http1Connection): boolean => latest !== undefined && !latest.closed;

/** Undefined while nothing waits to be taken. Whoever looks at a stream may stop to think. */
const sentOn = ({ socket, latest }: Http1Connection): number | undefined =>
  latest?.answering && !latest.isStreaming && socket.writableLength > 0 ? socket.bytesWritten : undefined;

/** The HTTP/1.1 half of a listener. */
export class Http1Connections {
  readonly #service: HttpService;
  readonly #open = new Map<Socket, Http1Connection>();
  /** Whose nonsense was answered. More of it may be on its way, and must not cut the answer off. */
  readonly #refused = new WeakSet<Socket>();

  constructor(server: Http2SecureServer, service: HttpService) {
    this.#service = service;
    server.on('secureConnection', (socket: TLSSocket) => this.#accept(socket));
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => this.#refuse(error, socket));
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.#take(request, response, false));
    server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) =>
      this.#take(request, response, true),
    );
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) =>
      this.#upgrade(request, socket, head),
    );
    // With a listener for 'request' Node starts to present HTTP/2 streams as requests too. They are served as streams.
    server.removeAllListeners('stream');
  }

  /** Closes idle connections now and the others as soon as they have answered. */
  close(): void {
    for (const connection of this.#open.values()) {
      const { socket, latest } = connection;
      if (!isBusy(connection)) socket.destroySoon();
      // An answer that has not begun will itself announce and bring about the end of its connection.
      else if (latest?.answering) latest.onceClosed(() => socket.destroySoon());
    }
  }

  /** Closes connections without a request since the last sweep, and those that take nothing of their answers any more. */
  sweep(): void {
    for (const connection of this.#open.values()) {
      const { socket, requests, mark, stall } = connection;
      if (mark.sweep(isBusy(connection), requests)) socket.destroySoon();
      if (stall.look(sentOn(connection))) socket.destroy();
    }
  }

  #accept(socket: TLSSocket): void {
    if (socket.alpnProtocol === 'h2') return;
    if (this.#service.closing) {
      socket.destroy();
      return;
    }
    this.#open.set(socket, { socket, latest: undefined, requests: 0, mark: new IdleMark(), stall: new StallMark() });
    socket.once('close', () => this.#open.delete(socket));
  }

  #take(request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean): void {
    const connection = this.#open.get(request.socket);
    if (connection === undefined) return;
    const { socket } = connection;
    if (!isWellFormed(request)) {
      this.#refuseRequest(socket, response);
      return;
    }
    this.#queue(connection, new Http1Exchange(this.#service, socket, request, response, awaitsContinue));
  }

  #upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const connection = this.#open.get(socket);
    if (connection === undefined) socket.destroy();
    else if (!isWellFormed(request)) socket.end(BAD_REQUEST);
    else this.#queue(connection, new UpgradeExchange(this.#service, connection.socket, request, head));
  }

  /** Requests pipelined behind one that is still being answered wait their turn. */
  #queue(connection: Http1Connection, exchange: Http1Turn): void {
    const before = connection.latest;
    connection.latest = exchange;
    connection.requests += 1;
    if (before === undefined || before.closed) {
      this.#service.arrivals.add(exchange);
      return;
    }
    before.onceClosed(() => {
      if (!connection.socket.destroyed) this.#service.arrivals.add(exchange);
    });
  }

  /** One that could mean something else to whoever passed it on is answered by nobody else, and nothing follows it. */
  #refuseRequest(socket: TLSSocket, response: ServerResponse): void {
    response.writeHead(400, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' });
    response.end('400 Bad Request: a request needs exactly one Host header\n', () => socket.destroySoon());
  }

  /** Answers what the parser could not make sense of. TLS failures and broken connections are past answering. */
  #refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    if (this.#refused.has(socket)) return;
    const code = error.code ?? '';
    const answer = ANSWERS[code] ?? (code.startsWith('HPE_') ? BAD_REQUEST : undefined);
    const connection = this.#open.get(socket);
    const midAnswer = connection !== undefined && isBusy(connection) && connection.latest?.answering;
    if (answer === undefined || midAnswer || !socket.writable) {
      socket.destroy();
      return;
    }
    this.#refused.add(socket);
    socket.end(answer);
    const timer = this.#service.runtime.after(READING_TIME_MS, () => socket.destroy());
    socket.once('close', () => timer.cancel());
  }
}
