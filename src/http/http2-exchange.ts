import { constants, type IncomingHttpHeaders, type OutgoingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { discard, type Exchange, type HttpService, isBodiless, openStream, requestLine } from './exchange.ts';
import { type BodyAccount, type BodyStream, type HeaderList, isStream, type Reply } from './message.ts';
import { OpenStream, type StreamOwner } from './open-stream.ts';
import { EMPTY, type IncomingBody, readIncoming } from './request-body.ts';
import { BodyPump, bodyLength, endWith, type WholeBody, writesOf } from './whole-body.ts';

const END_STREAM = { endStream: true };

/** The connection as one of its requests sees it. */
export interface Http2Peer {
  readonly socket: TLSSocket | undefined;
  readonly remoteAddress: string;
  /** Called once for each request, when it needs no more of the server than to send what is written. */
  finished(): void;
}

/** One HTTP/2 request and its response. */
export class Http2Exchange implements Exchange, IncomingBody, StreamOwner {
  readonly method: string;
  readonly target: string;
  headers: IncomingHttpHeaders;
  rawHeaders: readonly string[];
  readonly remoteAddress: string;
  readonly socket: TLSSocket | undefined;
  readonly source: ServerHttp2Stream;
  readonly canUpgrade = false;
  readonly #service: HttpService;
  readonly #peer: Http2Peer;
  #bodyRefused = false;
  #finished = false;

  constructor(
    service: HttpService,
    peer: Http2Peer,
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    rawHeaders: readonly string[],
  ) {
    this.method = headers[':method'] ?? '';
    this.target = headers[':path'] ?? '';
    this.headers = headers;
    this.rawHeaders = rawHeaders;
    this.remoteAddress = peer.remoteAddress;
    this.socket = peer.socket;
    this.source = stream;
    this.#service = service;
    this.#peer = peer;
  }

  get answering(): boolean {
    return this.source.headersSent;
  }

  /** A reset with NO_ERROR looks like an end to the reader, but leaves the stream aborted. */
  isWhole(): boolean {
    return !this.source.aborted;
  }

  get hasBody(): boolean {
    return !this.source.endAfterHeaders;
  }

  async readBody(limit: number, account?: BodyAccount): Promise<Buffer> {
    try {
      if (!this.hasBody) return EMPTY;
      const expected = Number(this.headers['content-length'] ?? Number.POSITIVE_INFINITY);
      const { runtime, limits } = this.#service;
      return await readIncoming(this, { limit, expected, runtime, timeout: limits.bodyTimeout, account });
    } catch (error) {
      this.#bodyRefused = true;
      throw error;
    }
  }

  onceGone(callback: () => void): void {
    if (this.source.destroyed) callback();
    else this.source.once('close', callback);
  }

  streamBody(): ServerHttp2Stream | undefined {
    return this.source.endAfterHeaders ? undefined : this.source;
  }

  send({ status, headers, body }: Reply): void {
    const stream = this.source;
    if (stream.destroyed || stream.closed) {
      discard(body);
      this.#finish();
      return;
    }
    if (isStream(body)) this.#sendStream(status, headers, body);
    else this.#sendWhole(status, headers, body);
    if (!isStream(body) || isBodiless(this.method, status)) this.#finish();
    // Once the whole answer is on its way the client is asked to stop sending.
    if (this.#bodyRefused) stream.once('finish', () => stream.close(constants.NGHTTP2_NO_ERROR));
  }

  breakOff(): void {
    // `close` with an error code would end the stream properly before it resets it.
    this.source.destroy(new Error('broken off'));
    this.#finish();
  }

  report(error: unknown): void {
    this.#service.onError(error, requestLine(this));
  }

  release(stream: OpenStream): void {
    this.#service.streams.delete(stream);
    this.#finish();
  }

  #finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#peer.finished();
  }

  #sendWhole(status: number, headers: HeaderList, body: WholeBody): void {
    const stream = this.source;
    const length = bodyLength(body);
    const fields = headerFields(status, headers);
    if (status !== 204 && status !== 304) fields['content-length'] = length;
    if (length === 0 || isBodiless(this.method, status)) {
      stream.respond(fields, END_STREAM);
      return;
    }
    stream.respond(fields);
    const writes = writesOf(body, length);
    if (writes !== undefined) endWith(stream, writes);
    else new BodyPump(stream, body, () => stream.end()).run();
  }

  #sendStream(status: number, headers: HeaderList, body: BodyStream): void {
    const stream = this.source;
    const fields = headerFields(status, headers);
    if (isBodiless(this.method, status)) {
      stream.respond(fields, END_STREAM);
      body.onClose();
      return;
    }
    stream.respond(fields);
    // A stream may be open for long, and nobody asks for these any more.
    this.headers = {};
    this.rawHeaders = [];
    openStream(this.#service, new OpenStream(stream, body, this));
  }
}

function headerFields(status: number, headers: HeaderList): OutgoingHttpHeaders {
  const fields: OutgoingHttpHeaders = { ':status': status };
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at]?.toLowerCase() ?? '';
    const value = headers[at + 1];
    const before = fields[name];
    if (before === undefined) fields[name] = value;
    else fields[name] = Array.isArray(before) ? [...before, value ?? ''] : [String(before), value ?? ''];
  }
  return fields;
}
