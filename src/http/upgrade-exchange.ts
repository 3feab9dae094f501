import { type IncomingMessage, ServerResponse, validateHeaderValue } from 'node:http';
import type { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { badRequest } from '../api/errors.ts';
import { type Exchange, type HttpService, openStream, requestLine } from './exchange.ts';
import { Http1Exchange, originForm } from './http1-exchange.ts';
import { type BodyStream, type HeaderList, isStream, type Reply } from './message.ts';
import { OpenStream, type StreamOwner } from './open-stream.ts';

const ignore = (): void => {};

/**
 * A request that asks for another protocol. Once Node has read its headers, the connection is no longer HTTP: what comes
 * next belongs to that protocol, or to nobody. So any answer but a 101 is the last one.
 */
export class UpgradeExchange implements Exchange, StreamOwner {
  readonly method: string;
  readonly target: string;
  readonly headers: Exchange['headers'];
  readonly rawHeaders: readonly string[];
  readonly remoteAddress: string;
  readonly socket: TLSSocket;
  readonly canUpgrade = true;
  readonly #service: HttpService;
  readonly #request: IncomingMessage;
  #plain: Http1Exchange | undefined;
  #switched = false;

  /** `head`: what came behind the headers already. */
  constructor(service: HttpService, socket: TLSSocket, request: IncomingMessage, head: Buffer) {
    this.method = request.method ?? '';
    this.target = originForm(request.url ?? '/');
    this.headers = request.headers;
    this.rawHeaders = request.rawHeaders;
    this.remoteAddress = socket.remoteAddress ?? '';
    this.socket = socket;
    this.#service = service;
    this.#request = request;
    socket.on('error', ignore);
    // Other protocols may be done with one direction before the other.
    socket.allowHalfOpen = true;
    if (head.length > 0) socket.unshift(head);
  }

  get closed(): boolean {
    return this.socket.destroyed;
  }

  get answering(): boolean {
    return this.#switched || (this.#plain?.answering ?? false);
  }

  get isStreaming(): boolean {
    return this.#switched || (this.#plain?.isStreaming ?? false);
  }

  onceClosed(callback: () => void): void {
    this.socket.once('close', callback);
  }

  onceGone(callback: () => void): void {
    if (this.closed) callback();
    else this.onceClosed(callback);
  }

  async readBody(): Promise<Buffer> {
    if (this.hasBody) throw badRequest('a request that asks for an upgrade cannot have a body');
    return Buffer.alloc(0);
  }

  streamBody(): Readable {
    return this.socket;
  }

  send(reply: Reply): void {
    const { status, headers, body } = reply;
    if (status === 101 && isStream(body) && !this.socket.destroyed) this.#switch(headers, body);
    else this.#answer(reply);
  }

  breakOff(): void {
    this.socket.destroy();
  }

  report(error: unknown): void {
    this.#service.onError(error, requestLine(this));
  }

  release(stream: OpenStream): void {
    this.#service.streams.delete(stream);
  }

  get hasBody(): boolean {
    return this.headers['transfer-encoding'] !== undefined || Number(this.headers['content-length'] ?? 0) > 0;
  }

  #switch(headers: HeaderList, body: BodyStream): void {
    const lines = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade'];
    for (let at = 0; at + 1 < headers.length; at += 2) {
      const [name = '', value = ''] = headers.slice(at);
      validateHeaderValue(name, value);
      lines.push(`${name}: ${value}`);
    }
    this.#switched = true;
    this.socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
    openStream(this.#service, new OpenStream(this.socket, body, this));
  }

  #answer(reply: Reply): void {
    this.#plain ??= this.#withoutUpgrade();
    this.#plain.send(reply);
  }

  #withoutUpgrade(): Http1Exchange {
    const { socket } = this;
    const response = new ServerResponse(this.#request);
    response.shouldKeepAlive = false;
    if (!socket.destroyed) response.assignSocket(socket);
    response.once('finish', () => socket.destroySoon());
    return new Http1Exchange(this.#service, socket, this.#request, response, false);
  }
}
