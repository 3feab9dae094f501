import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { discard, type Exchange, type HttpService, isBodiless, openStream, requestLine } from './exchange.ts';
import { type BodyAccount, type BodyStream, type HeaderList, isStream, type Reply } from './message.ts';
import { OpenStream, type StreamOwner } from './open-stream.ts';
import { EMPTY, type IncomingBody, readIncoming } from './request-body.ts';
import { BodyPump, bodyLength, endWith, type WholeBody, writesOf } from './whole-body.ts';

/** An unread request body of up to this length is read and dropped, longer ones cost the client its connection. */
const WORTH_DRAINING = 256 * 1024;

/** One HTTP/1.1 request and its response. */
export class Http1Exchange implements Exchange, IncomingBody, StreamOwner {
  readonly method: string;
  readonly target: string;
  readonly remoteAddress: string;
  readonly socket: TLSSocket;
  readonly source: IncomingMessage;
  readonly canUpgrade = false;
  readonly #response: ServerResponse;
  readonly #service: HttpService;
  /** The client holds its body back until it is asked for it. */
  #awaitsContinue: boolean;
  #isStreaming = false;

  constructor(
    service: HttpService,
    socket: TLSSocket,
    request: IncomingMessage,
    response: ServerResponse,
    awaitsContinue: boolean,
  ) {
    this.method = request.method ?? '';
    this.target = originForm(request.url ?? '/');
    this.remoteAddress = socket.remoteAddress ?? '';
    this.socket = socket;
    this.source = request;
    this.#response = response;
    this.#service = service;
    this.#awaitsContinue = awaitsContinue;
  }

  get headers(): IncomingMessage['headers'] {
    return this.source.headers;
  }

  get rawHeaders(): readonly string[] {
    return this.source.rawHeaders;
  }

  /** Whether the answer is complete or its connection gone. */
  get closed(): boolean {
    return this.#response.closed;
  }

  get answering(): boolean {
    return this.#response.headersSent;
  }

  /** Whether the answer lasts for as long as the client likes. */
  get isStreaming(): boolean {
    return this.#isStreaming;
  }

  /** Calls back when `closed` becomes true. */
  onceClosed(callback: () => void): void {
    this.#response.once('close', callback);
  }

  onceGone(callback: () => void): void {
    if (this.#response.destroyed) callback();
    else this.onceClosed(callback);
  }

  isWhole(): boolean {
    return this.source.complete;
  }

  get hasBody(): boolean {
    return this.#expectedLength() !== 0;
  }

  async readBody(limit: number, account?: BodyAccount): Promise<Buffer> {
    const expected = this.#expectedLength();
    if (expected === 0) return EMPTY;
    const { runtime, limits } = this.#service;
    const onRoom = (): void => this.#askForBody();
    return readIncoming(this, { limit, expected, runtime, timeout: limits.bodyTimeout, account, onRoom });
  }

  streamBody(): IncomingMessage | undefined {
    if (this.#expectedLength() === 0) return undefined;
    this.#askForBody();
    return this.source;
  }

  send({ status, headers, body }: Reply): void {
    if (this.#response.destroyed) {
      discard(body);
      return;
    }
    if (isStream(body)) this.#sendStream(status, headers, body);
    else this.#sendWhole(status, headers, body);
  }

  breakOff(): void {
    this.#response.destroy();
  }

  report(error: unknown): void {
    this.#service.onError(error, requestLine(this));
  }

  release(stream: OpenStream): void {
    this.#service.streams.delete(stream);
  }

  #askForBody(): void {
    if (!this.#awaitsContinue) return;
    this.#awaitsContinue = false;
    this.#response.writeContinue();
  }

  #sendWhole(status: number, headers: HeaderList, body: WholeBody): void {
    const response = this.#response;
    const length = bodyLength(body);
    const unread = this.#unreadLength();
    response.writeHead(status, this.#head(status, headers, length, unread));
    const empty = length === 0 || isBodiless(this.method, status);
    const writes = empty ? undefined : writesOf(body, length);
    if (unread > 0) this.#sendBeforeDraining(empty ? [] : body);
    else if (empty) response.end();
    else if (writes !== undefined) endWith(response, writes);
    else new BodyPump(response, body, () => response.end()).run();
  }

  #sendStream(status: number, headers: HeaderList, body: BodyStream): void {
    const response = this.#response;
    const unread = this.#unreadLength();
    response.writeHead(status, this.#head(status, headers, undefined, unread));
    if (isBodiless(this.method, status)) {
      response.end();
      body.onClose();
      return;
    }
    if (unread > 0) this.source.resume();
    this.#isStreaming = true;
    response.flushHeaders();
    openStream(this.#service, new OpenStream(response, body, this));
  }

  #head(status: number, headers: HeaderList, length: number | undefined, unread: number): string[] {
    const head = [...headers];
    if (length !== undefined && status !== 204 && status !== 304) head.push('Content-Length', String(length));
    if (this.#service.closing || this.#awaitsContinue || unread > WORTH_DRAINING) head.push('Connection', 'close');
    return head;
  }

  /** The length of the request body; infinite when the client did not say. */
  #expectedLength(): number {
    const { headers } = this.source;
    if (headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY;
    return Number(headers['content-length'] ?? 0);
  }

  /** Bytes of the request body that may still come, at most. */
  #unreadLength(): number {
    return this.source.complete ? 0 : this.#expectedLength();
  }

  /**
   * Answers a client that is still sending. Closing a socket with unread bytes makes the kernel reset it, and the reset
   * may overtake the answer; so the answer goes out whole, and the response ends only when the rest of the request has
   * been read and dropped, within bounds.
   */
  #sendBeforeDraining(body: WholeBody): void {
    this.#response.flushHeaders();
    new BodyPump(this.#response, body, () => this.#drain()).run();
  }

  #drain(): void {
    const { source } = this;
    const { lingerTimeout, lingerBytes } = this.#service.limits;
    let dropped = 0;
    const finish = (): void => {
      timer.cancel();
      source.off('data', drop).off('end', finish).off('close', finish);
      if (source.complete) this.#response.end();
      else this.breakOff();
    };
    const drop = (part: Buffer): void => {
      dropped += part.length;
      if (dropped > lingerBytes) finish();
    };
    const timer = this.#service.runtime.after(lingerTimeout, finish);
    source.on('data', drop).on('end', finish).on('close', finish).resume();
  }
}

/** Path and query of a request line that may, by the book, carry a whole URL. */
export function originForm(target: string): string {
  if (target.startsWith('/') || !target.includes('://')) return target;
  const path = target.indexOf('/', target.indexOf('://') + 3);
  return path === -1 ? '/' : target.slice(path);
}
