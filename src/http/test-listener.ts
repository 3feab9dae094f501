import { type ClientHttp2Stream, connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2';
import { Agent, request as requestHttp1 } from 'node:https';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { selfSign, validFor } from '../pki/certificate.ts';
import { certificatePem, newPrivateKey, privateKeyPem } from '../pki/keys.ts';
import { servingTemplate } from '../pki/profiles.ts';
import { type Runtime, systemRuntime } from '../runtime/runtime.ts';
import type { Handle } from './handler.ts';
import type { Limits } from './limits.ts';
import { type Listener, listen } from './listener.ts';
import type { BodyStream, ByteSink } from './message.ts';

/** A key and a certificate for it, signed with itself, for 127.0.0.1. */
export function selfSigned(name = 'localhost'): { key: string; cert: string } {
  const key = newPrivateKey();
  const validity = validFor(systemRuntime, 2 * 24 * 3_600_000);
  const template = servingTemplate(key, name, ['127.0.0.1', 'localhost'], validity);
  const usages = ['digital signature', 'cert sign', 'server auth', 'client auth'] as const;
  const der = selfSign(systemRuntime, key, { ...template, usages, authority: true });
  return { key: privateKeyPem(key), cert: certificatePem(der) };
}

export const PAIR = selfSigned();

export interface Started {
  readonly listener: Listener;
  /** What the listener reported, as `request line: message`. */
  readonly errors: string[];
}

export async function start(
  handle: Handle,
  limits: Partial<Limits> = {},
  clientCas: string[] = [],
  runtime: Runtime = systemRuntime,
): Promise<Started> {
  const errors: string[] = [];
  const onError = (error: unknown, line: string): void => {
    errors.push(`${line}: ${error instanceof Error ? error.message : error}`);
  };
  const onRefused = (open: number): void => {
    errors.push(`refused beyond ${open}`);
  };
  const listener = await listen({
    host: '127.0.0.1',
    port: 0,
    ...PAIR,
    clientCas,
    handleAt: () => handle,
    limits,
    onError,
    onRefused,
    runtime,
  });
  return { listener, errors };
}

export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: Buffer;
}

/** An answer whose headers are here and whose body may still be coming. */
export interface Opened {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
  /** Goes away without reading on. */
  leave(): void;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A client on one connection, over either protocol. */
export interface Client {
  open(sent: Sent): Promise<Opened>;
  close(): void;
}

export async function ask(client: Client, sent: Sent = {}): Promise<Answer> {
  const { status, headers, body } = await client.open(sent);
  return { status, headers, body: await buffer(body) };
}

export function http1Client({ port }: { port: number }): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: PAIR.cert });
  return {
    open: ({ method = 'GET', path = '/', headers = {}, body }) =>
      new Promise((resolve, reject) => {
        const length =
          body === undefined || 'transfer-encoding' in headers ? {} : { 'content-length': String(body.length) };
        const request = requestHttp1({
          agent,
          host: '127.0.0.1',
          port,
          method,
          path,
          headers: { ...length, ...headers },
        });
        request.on('error', reject);
        request.on('response', (response) =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: response,
            leave: () => request.destroy(),
          }),
        );
        request.end(body);
      }),
    close: () => agent.destroy(),
  };
}

export function http2Client({ port }: { port: number }): Client {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { ca: PAIR.cert, maxSessionMemory: 100 });
  session.on('error', () => {});
  return {
    open: ({ method = 'GET', path = '/', headers = {}, body }) =>
      new Promise((resolve, reject) => {
        const stream: ClientHttp2Stream = session.request(
          { ...headers, ':method': method, ':path': path },
          { endStream: body === undefined },
        );
        stream.on('error', reject);
        stream.on('close', () => reject(new Error(`closed without an answer: ${stream.rstCode}`)));
        stream.on('response', (answer) =>
          resolve({ status: answer[':status'] ?? 0, headers: answer, body: stream, leave: () => stream.close(8) }),
        );
        if (body !== undefined) stream.end(body);
      }),
    close: () => session.destroy(),
  };
}

export const PROTOCOLS: [name: string, connect: (listener: { port: number }) => Client][] = [
  ['HTTP/1.1', http1Client],
  ['HTTP/2', http2Client],
];

/** A TLS connection for writing whatever one likes; `text` resolves with all that came when the server hangs up. */
export async function rawConnection(
  { port }: { port: number },
  protocol = 'http/1.1',
): Promise<{ socket: TLSSocket; text: Promise<string> }> {
  const socket = connectTls({ host: '127.0.0.1', port, ca: PAIR.cert, ALPNProtocols: [protocol] });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => {});
  const text = new Promise<string>((resolve) => {
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
  });
  await new Promise((resolve) => socket.once('secureConnect', resolve));
  return { socket, text };
}

/** A streamed body that a test drives by hand, keeping a list of the calls it got. */
export class ScriptedBody implements BodyStream {
  readonly calls: string[] = [];
  sink: ByteSink | undefined;
  readonly started: Promise<ByteSink>;
  readonly closed: Promise<void>;
  #start: (sink: ByteSink) => void = () => {};
  #close: () => void = () => {};
  readonly #onDrain: (sink: ByteSink) => void;

  constructor(onDrain: (sink: ByteSink) => void = () => {}) {
    this.#onDrain = onDrain;
    this.started = new Promise((resolve) => {
      this.#start = resolve;
    });
    this.closed = new Promise((resolve) => {
      this.#close = resolve;
    });
  }

  start(sink: ByteSink): void {
    this.calls.push('start');
    this.sink = sink;
    this.#start(sink);
  }

  onDrain(): void {
    this.calls.push('drain');
    if (this.sink !== undefined) this.#onDrain(this.sink);
  }

  onClose(): void {
    this.calls.push('close');
    this.#close();
  }

  onShutdown(): void {
    this.calls.push('shutdown');
    this.sink?.end();
  }
}
