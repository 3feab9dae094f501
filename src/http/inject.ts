import { Readable } from 'node:stream';
import { requestTooLarge } from '../api/errors.ts';
import type { UserInfo } from '../api/user.ts';
import { BodyPipe } from './body-pipe.ts';
import { discard, isBodiless } from './exchange.ts';
import type { Handle } from './handler.ts';
import { type BodyAccount, type HttpRequest, isSource, isStream, type Reply } from './message.ts';
import { CHUNK, join, totalLength } from './parts.ts';
import { bodyLength, type WholeBody } from './whole-body.ts';

/** A request to be answered without a socket. */
export interface InjectOptions {
  readonly method?: string;
  /** Path and query, undecoded. */
  readonly target: string;
  /** Names in any case; several values are several headers. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Buffer | string;
  /** Aborted: the client has gone. */
  readonly signal?: AbortSignal;
  /** Who sends it; without, credentials are in the headers or it is anonymous. */
  readonly identity?: UserInfo | undefined;
  /** Sent by a control loop. */
  readonly background?: boolean;
}

export interface InjectedHead {
  readonly status: number;
  readonly headers: [name: string, value: string][];
}

/** An answer with its whole body. */
export interface Injected extends InjectedHead {
  readonly body: Buffer;
}

export interface InjectedStream extends InjectedHead {
  /** What the server writes, at the reader's pace. Leaving the loop is the client going away. */
  readonly body: AsyncIterable<Buffer>;
  /** Tells a streamed body that the server is shutting down. */
  shutdown(): void;
}

/** Has a request answered and waits for the whole answer; a streamed body has to end for that. */
export async function inject(handle: Handle, options: InjectOptions): Promise<Injected> {
  return collect(await injectStream(handle, options));
}

/** Waits for the whole of an answer. */
export async function collect({ status, headers, body }: InjectedStream): Promise<Injected> {
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part);
  return { status, headers, body: join(parts, totalLength(parts)) };
}

/** Has a request answered and hands the body over as it is produced, with back-pressure. */
export async function injectStream(handle: Handle, options: InjectOptions): Promise<InjectedStream> {
  const request = new InjectedRequest(options);
  const reply = await handle(request);
  const { status, body } = reply;
  const head = { status, headers: headerPairs(reply) };
  if (isBodiless(request.method, status)) {
    discard(body);
    return { ...head, body: wholeBody([]), shutdown() {} };
  }
  if (!isStream(body)) return { ...head, body: wholeBody(body), shutdown() {} };
  const pipe = new BodyPipe(body);
  body.start(pipe);
  return { ...head, body: pipe, shutdown: () => pipe.shutdown() };
}

class InjectedRequest implements HttpRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Record<string, string>;
  readonly rawHeaders: readonly string[];
  readonly identity: UserInfo | undefined;
  readonly background: boolean;
  readonly remoteAddress = '';
  readonly canUpgrade = false;
  readonly #body: Buffer;
  readonly #signal: AbortSignal | undefined;

  constructor({ method = 'GET', target, headers = {}, body = '', signal, identity, background }: InjectOptions) {
    this.method = method;
    this.target = target;
    this.#body = Buffer.isBuffer(body) ? body : Buffer.from(body);
    this.#signal = signal;
    this.identity = identity;
    this.background = background ?? false;
    this.headers = {};
    const raw: string[] = [];
    for (const [name, given] of Object.entries(headers)) {
      const values = typeof given === 'string' ? [given] : given;
      this.headers[name.toLowerCase()] = values.join(', ');
      for (const value of values) raw.push(name, value);
    }
    this.rawHeaders = raw;
  }

  get hasBody(): boolean {
    return this.#body.length > 0;
  }

  async readBody(limit: number, account?: BodyAccount): Promise<Buffer> {
    if (this.#body.length > limit) throw requestTooLarge(limit);
    const room = account?.reserve(this.#body.length);
    if (room) await room;
    return this.#body;
  }

  onceGone(callback: () => void): void {
    if (this.#signal?.aborted) callback();
    else this.#signal?.addEventListener('abort', callback, { once: true });
  }

  streamBody(): Readable | undefined {
    return this.#body.length === 0 ? undefined : Readable.from([this.#body]);
  }
}

function headerPairs({ headers, body }: Reply): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) pairs.push([headers[at] ?? '', headers[at + 1] ?? '']);
  if (!isStream(body)) pairs.push(['Content-Length', String(bodyLength(body))]);
  return pairs;
}

async function* wholeBody(body: WholeBody): AsyncGenerator<Buffer, void> {
  if (!isSource(body)) return yield* Buffer.isBuffer(body) ? [body] : body;
  while (!body.done) yield body.next(Buffer.allocUnsafe(CHUNK));
}
