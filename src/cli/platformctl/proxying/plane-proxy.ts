import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Dial, Open } from '../../../client/http-transport.ts';
import type { RequestFilter } from './request-filter.ts';
import { serveFile } from './static-files.ts';

export interface ProxyParts {
  readonly open: Open;
  readonly dial: Dial;
  /** Undefined where everything is passed on. */
  readonly filter: RequestFilter | undefined;
  /** Paths below it go to the plane; it ends with a slash. */
  readonly apiPrefix: string;
  /** A folder that is served below a path. */
  readonly files?: { readonly folder: string; readonly prefix: string } | undefined;
}

/** Concern one connection, and not the next one. What says who asks is ours to say. */
const NOT_PASSED_ON: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer', 'transfer-encoding'],
  ...['upgrade', 'host', 'authorization', 'accept-encoding'],
]);
const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** An answer may take as long as the plane lets it. */
const TIMEOUT_MS = 120_000;

/** Passes requests of this machine on to a plane, as the user of the client configuration. */
export class PlaneProxy {
  readonly server: Server;
  readonly #parts: ProxyParts;

  constructor(parts: ProxyParts) {
    this.#parts = parts;
    this.server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => fail(response, error));
    });
    this.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => {});
      this.#tunnel(request, socket, head).catch(() => socket.destroy());
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '/' } = request;
    if (!this.#accepts(request)) {
      response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' }).end('Forbidden\n');
      return;
    }
    const [path = ''] = url.split('?', 1);
    const { files } = this.#parts;
    const target = this.#targetOf(url);
    if (
      files &&
      path.startsWith(files.prefix) &&
      (target === undefined || files.prefix.length > this.#parts.apiPrefix.length)
    ) {
      await serveFile(files.folder, path.slice(files.prefix.length), response);
    } else if (target === undefined) {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('404 page not found\n');
    } else await this.#passOn(request, target, response);
  }

  async #passOn(request: IncomingMessage, target: string, response: ServerResponse): Promise<void> {
    const { method = 'GET' } = request;
    const cancellation = new AbortController();
    response.once('close', () => cancellation.abort());
    const { status, headers, body } = await this.#parts.open({
      ...{ method, target, timeoutMs: TIMEOUT_MS, isLong: true, retries: 0, signal: cancellation.signal },
      headers: passedOn(request.headers),
      ...(BODILESS.has(method) ? {} : { body: request }),
    });
    response.writeHead(status, passedOn(headers));
    response.flushHeaders();
    await pipeline(body, response);
  }

  async #tunnel(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    const target = this.#accepts(request) ? this.#targetOf(request.url ?? '/') : undefined;
    if (target === undefined) {
      client.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      return;
    }
    const { socket, host, prefix, headers } = await this.#parts.dial();
    const { connection = 'Upgrade', upgrade = '' } = request.headers;
    const all = Object.entries({ ...passedOn(request.headers), ...headers, host, connection, upgrade });
    const lines = all.flatMap(([name, value]) => [value ?? []].flat().map((one) => `${name}: ${one}`));
    socket.write(`${[`${request.method} ${prefix}${target} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`);
    if (head.length > 0) socket.write(head);
    socket.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.on('close', () => socket.destroy());
    client.pipe(socket).pipe(client);
  }

  #accepts({ method = '', headers: { host = '' }, url = '/' }: IncomingMessage): boolean {
    const [path = ''] = url.split('?', 1);
    return this.#parts.filter?.accepts(method, host, path) ?? true;
  }

  /** Undefined where the path is not for the plane. */
  #targetOf(url: string): string | undefined {
    const { apiPrefix } = this.#parts;
    if (!url.startsWith('/')) return undefined;
    return url.startsWith(apiPrefix) ? `/${url.slice(apiPrefix.length)}` : undefined;
  }
}

const passedOn = (headers: IncomingMessage['headers']): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || NOT_PASSED_ON.has(name) || name.startsWith(':') ? [] : [[name, value]],
    ),
  );

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const message = error instanceof Error ? error.message : String(error);
  response.writeHead(502, { 'content-type': 'text/plain; charset=utf-8' }).end(`${message}\n`);
}
