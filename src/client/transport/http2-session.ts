import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { ConnectionWasClosed, NoAnswerInTime, NotProcessed } from '../../outbound/failures.ts';
import type { Runtime, Timer } from '../../runtime/runtime.ts';
import type { ExchangeAnswer, ExchangeRequest } from './exchange.ts';
import { Http2Body } from './http2-body.ts';

/** How many requests at once are taken to be allowed before a server has said so (RFC 9113, 6.5.2). */
const FIRST_LIMIT = 100;
/** How much of one answer, and of all on a connection, a server may send ahead of whoever reads it. */
const STREAM_WINDOW = 256 * 1024;
const CONNECTION_WINDOW = 4 * 1024 * 1024;
const MOST_HEADER_BYTES = 64 * 1024;
/** When nothing came for so long the server is asked for a sign of life. */
const QUIET_MS = 30_000;
const PING_TIMEOUT_MS = 15_000;
/** Nothing was sent. */
const ENDED: ReadonlySet<string> = new Set([
  'ERR_HTTP2_INVALID_SESSION',
  'ERR_HTTP2_GOAWAY_SESSION',
  'ERR_HTTP2_OUT_OF_STREAMS',
]);

export interface SessionEvents {
  /** A request has ended: there is room for another one. */
  onRoom(): void;
  /** Nothing comes of this connection any more. */
  onEnd(): void;
}

/** One connection that speaks HTTP/2. */
export class Http2Session {
  readonly #authority: string;
  readonly #session: ClientHttp2Session;
  readonly #socket: Socket;
  readonly #runtime: Runtime;
  readonly #events: SessionEvents;
  #open = 0;
  #limit = FIRST_LIMIT;
  #takesRequests = true;
  /** The last request that the server began with before it said that it goes away. */
  #lastProcessed = Number.POSITIVE_INFINITY;
  #timer: Timer;

  constructor(authority: string, socket: Socket, runtime: Runtime, events: SessionEvents) {
    this.#authority = authority;
    this.#socket = socket;
    this.#runtime = runtime;
    this.#events = events;
    this.#session = connect(`https://${authority}`, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: STREAM_WINDOW, maxHeaderListSize: MOST_HEADER_BYTES },
    });
    this.#timer = this.#watchQuiet(socket.bytesRead);
    this.#session
      .once('connect', () => {
        // It may be broken by the time that this is told.
        if (!this.#session.destroyed) this.#session.setLocalWindowSize(CONNECTION_WINDOW);
      })
      .on('remoteSettings', ({ maxConcurrentStreams = FIRST_LIMIT }) => {
        this.#limit = maxConcurrentStreams;
      })
      .on('goaway', (_code, lastStream) => {
        this.#takesRequests = false;
        this.#lastProcessed = lastStream;
      })
      // Every request tells of it by itself.
      .on('error', () => {})
      .once('close', () => {
        this.#takesRequests = false;
        this.#timer.cancel();
        events.onEnd();
      });
  }

  get hasRoom(): boolean {
    return this.#takesRequests && !this.#session.closed && !this.#session.destroyed && this.#open < this.#limit;
  }

  /** What is under way is finished, then the connection is closed. */
  retire(): void {
    this.#takesRequests = false;
    this.#session.close();
  }

  destroy(error: Error): void {
    this.#session.destroy(error);
  }

  exchange(request: ExchangeRequest): Promise<ExchangeAnswer> {
    const { method, path, headers, body, signal } = request;
    const names = { ':method': method, ':path': path, ':authority': this.#authority, ':scheme': 'https' };
    return new Promise((resolve, reject) => {
      const stream = this.#begin({ ...names, ...headers }, body === undefined);
      this.#open += 1;
      const onAbort = (): void => cancel(stream, signal);
      signal.addEventListener('abort', onAbort, { once: true });
      let failure: Error | undefined;
      stream
        .once('response', (answered: IncomingHttpHeaders & { ':status'?: number }) => {
          const { ':status': status = 0, ...rest } = answered;
          resolve({ status, headers: rest, body: new Http2Body(stream) });
        })
        .on('error', (error: Error) => {
          failure = error;
        })
        .once('close', () => {
          signal.removeEventListener('abort', onAbort);
          reject(this.#failureOf(stream, failure, signal));
          this.#open -= 1;
          this.#events.onRoom();
        });
      if (body instanceof Readable) {
        body.on('error', (error) => stream.destroy(error));
        stream.once('close', () => body.destroy());
        body.pipe(stream);
      } else if (body !== undefined) stream.end(body);
    });
  }

  /** A session can end between the moment it was chosen and this one. */
  #begin(headers: OutgoingHttpHeaders, endStream: boolean): ClientHttp2Stream {
    try {
      return this.#session.request(headers, { endStream });
    } catch (error) {
      if (error instanceof Error && 'code' in error && ENDED.has(String(error.code))) {
        this.#takesRequests = false;
        throw new NotProcessed(error.message);
      }
      throw error;
    }
  }

  /** Why there is no answer. */
  #failureOf(stream: ClientHttp2Stream, error: Error | undefined, signal: AbortSignal): Error {
    if (signal.aborted && signal.reason instanceof Error) return signal.reason;
    const { id, rstCode } = stream;
    const isBeyond = id === undefined || id > this.#lastProcessed;
    if (isBeyond || rstCode === constants.NGHTTP2_REFUSED_STREAM) return new NotProcessed('the server goes away');
    if (this.#session.destroyed || this.#socket.destroyed) {
      return new ConnectionWasClosed(error?.message ?? 'the connection was closed');
    }
    return error ?? new Error(`the server broke off the request (code ${rstCode})`);
  }

  /** Looks again and again whether anything has come; a connection that is silent when asked is closed. */
  #watchQuiet(bytesBefore: number): Timer {
    return this.#runtime.after(QUIET_MS, () => {
      const { bytesRead } = this.#socket;
      if (bytesRead !== bytesBefore || this.#open === 0) {
        this.#timer = this.#watchQuiet(bytesRead);
        return;
      }
      this.#timer = this.#runtime.after(PING_TIMEOUT_MS, () =>
        this.destroy(new NoAnswerInTime('the server gave no sign of life')),
      );
      this.#session.ping((error) => {
        this.#timer.cancel();
        if (!error && !this.#session.destroyed) this.#timer = this.#watchQuiet(this.#socket.bytesRead);
      });
    });
  }
}

function cancel(stream: ClientHttp2Stream, signal: AbortSignal): void {
  stream.close(constants.NGHTTP2_CANCEL);
  stream.destroy(signal.reason instanceof Error ? signal.reason : new Error('the request was cancelled'));
}
