import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { TestAuthority } from './certificates.ts';

type GroupVersion = { group: string; version: string };
type Shown = { kind: string; apiVersion: string; metadata: Record<string, unknown>; [field: string]: unknown };

/** As much of a question as tests look at; what is not there is undefined or null whatever the types say. */
export interface Asked {
  uid: string;
  kind: GroupVersion & { kind: string };
  resource: GroupVersion & { resource: string };
  subResource?: string;
  requestKind: GroupVersion & { kind: string };
  requestResource: GroupVersion & { resource: string };
  requestSubResource?: string;
  name?: string;
  namespace?: string;
  operation: string;
  userInfo: { username: string; groups: string[] };
  object: Shown;
  oldObject: Shown;
  dryRun: boolean;
  options: Record<string, unknown>;
}

/** One call of a webhook. */
export interface Call {
  readonly path: string;
  readonly apiVersion: string;
  readonly headers: IncomingMessage['headers'];
  /** Common name of the certificate that was shown; '' for none. */
  readonly client: string;
  readonly request: Asked;
}

/** What a webhook does with a question. */
export type Behaviour = (call: Call, response: ServerResponse) => void | Promise<void>;

/** Answers in the version of the question, with the uid it has. */
export const answering =
  (verdict: object | ((request: Asked) => object)): Behaviour =>
  ({ apiVersion, request }, response) => {
    const decided = typeof verdict === 'function' ? verdict(request) : verdict;
    const answer = { apiVersion, kind: 'AdmissionReview', response: { uid: request.uid, allowed: true, ...decided } };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  };

/** A verdict that wants these changes. */
export const patching = (operations: readonly object[]): object => ({
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
});

/** A verdict that wants an annotation where there was none. */
export const annotating = (key: string, value: string): object =>
  patching([{ op: 'add', path: '/metadata/annotations', value: { [key]: value } }]);

export const allowing = answering({});
export const refusing = answering({ allowed: false });

/** A web server with webhooks on it, over TLS, that keeps what it was asked. */
export class WebhookServer {
  readonly #behaviours = new Map<string, Behaviour>();
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly calls: Call[] = [];
  /** How many connections there were ever. */
  connections = 0;

  private constructor(authority: TestAuthority, hosts?: readonly string[]) {
    const options = { ...authority.server(hosts), ca: authority.pem, requestCert: true, rejectUnauthorized: false };
    this.#server = createServer(options, (request, response) => void this.#handle(request, response));
    this.#server.on('secureConnection', (socket) => {
      this.connections++;
      this.#sockets.add(socket.once('close', () => this.#sockets.delete(socket)));
    });
  }

  /** `hosts`: the names in its certificate, where they are not those of this machine. */
  static async open(authority: TestAuthority, hosts?: readonly string[]): Promise<WebhookServer> {
    const server = new WebhookServer(authority, hosts);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  /** From now on the webhook at a path does this. */
  at(path: string, behaviour: Behaviour): void {
    this.#behaviours.set(path, behaviour);
  }

  callsTo(path: string): Asked[] {
    return this.calls.filter((call) => call.path === path).map(({ request }) => request);
  }

  /** The only question that a path was ever asked. */
  only(path: string): Asked {
    const [first, ...others] = this.callsTo(path);
    if (!first || others.length > 0) throw new Error(`${path} was asked ${others.length + (first ? 1 : 0)} times`);
    return first;
  }

  /** Ends connections as a server does that is started anew. */
  disconnect(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part);
    const review: { apiVersion: string; request: Asked } = JSON.parse(Buffer.concat(parts).toString());
    const [path = ''] = (incoming.url ?? '').split('?');
    const { socket, headers } = incoming;
    const client = socket instanceof TLSSocket ? String(socket.getPeerCertificate().subject?.CN ?? '') : '';
    const call = { path, headers, client, ...review };
    this.calls.push(call);
    await (this.#behaviours.get(path) ?? allowing)(call, response);
  }
}
