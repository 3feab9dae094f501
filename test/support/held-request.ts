import { connect } from 'node:http2';
import { request } from 'node:https';
import type { Connection } from '../../src/outbound/config.ts';
import { TestAuthority } from './certificates.ts';
import { type Answer, answerOf, prepare, tlsOptions } from './client.ts';
import type { TestServer } from './test-server.ts';
import { allowing, WebhookServer } from './webhook-server.ts';

/** A post on a connection of its own. */
export interface SentRequest {
  readonly answer: Promise<Answer>;
  /** Sends the rest of the body. */
  finish(): Promise<Answer>;
  /** Goes away instead. */
  leave(): void;
}

/** `isHeld`: the body is held back until it is finished. */
export type Send = (connection: Connection, path: string, body: unknown, isHeld?: boolean) => SentRequest;

export const sendHttp1: Send = (connection, path, body, isHeld = false) => {
  const { bytes = '', headers } = prepare(connection, 'POST', body, {});
  const { hostname, port } = new URL(connection.server);
  const length = { 'content-length': String(Buffer.byteLength(bytes)) };
  const outgoing = request({
    ...tlsOptions(connection),
    agent: false,
    hostname,
    port,
    path,
    method: 'POST',
    headers: { ...headers, ...length },
  });
  const answer = new Promise<Answer>((resolve, reject) => {
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.on('end', () => resolve(answerOf(incoming.statusCode ?? 0, incoming.headers, parts)));
      incoming.on('error', reject);
    });
  });
  answer.catch(() => {});
  if (isHeld) outgoing.flushHeaders();
  else outgoing.end(bytes);
  return {
    answer,
    finish() {
      if (isHeld) outgoing.end(bytes);
      return answer;
    },
    leave: () => outgoing.destroy(),
  };
};

export const sendHttp2: Send = (connection, path, body, isHeld = false) => {
  const { bytes = '', headers } = prepare(connection, 'POST', body, {});
  const session = connect(connection.server, tlsOptions(connection));
  session.on('error', () => {});
  const stream = session.request({ ':method': 'POST', ':path': path, ...headers }, { endStream: false });
  const answer = new Promise<Answer>((resolve, reject) => {
    let received: Answer['headers'] = {};
    const parts: Buffer[] = [];
    stream.on('response', (head) => {
      received = Object.fromEntries(Object.entries(head).map(([name, value]) => [name, value?.toString()]));
    });
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('end', () => resolve(answerOf(Number(received[':status']), received, parts)));
    stream.on('error', reject);
    stream.on('close', () => session.close());
  });
  answer.catch(() => {});
  if (!isHeld) stream.end(bytes);
  return {
    answer,
    finish() {
      if (isHeld) stream.end(bytes);
      return answer;
    },
    leave: () => stream.close(8),
  };
};

const HELD = { held: 'yes' };

/** Requests that a server works on for as long as a test likes: a webhook does not answer before it is told to. */
export class HeldRequests {
  /** The body of such a request. */
  readonly body = { metadata: { generateName: 'held-', labels: HELD } };
  readonly #hooks: WebhookServer;
  #waiting: (() => void)[] = [];

  private constructor(hooks: WebhookServer) {
    this.#hooks = hooks;
    hooks.at('/hold', async (call, response) => {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
      return allowing(call, response);
    });
  }

  static async of({ admin }: TestServer): Promise<HeldRequests> {
    const authority = new TestAuthority('hooks');
    const hooks = await WebhookServer.open(authority);
    const webhook = {
      name: 'hold.example.com',
      clientConfig: { url: `${hooks.url}/hold`, caBundle: Buffer.from(authority.pem).toString('base64') },
      rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      objectSelector: { matchLabels: HELD },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      timeoutSeconds: 30,
    };
    const path = '/apis/admissionregistration.platform.io/v1/validatingwebhookconfigurations';
    const { status, text } = await admin.request('POST', path, { metadata: { name: 'hold' }, webhooks: [webhook] });
    if (status !== 201) throw new Error(text);
    return new HeldRequests(hooks);
  }

  /** How many are held now. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Lets all go on that are held. */
  release(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const goOn of waiting) goOn();
  }

  close(): Promise<void> {
    this.release();
    return this.#hooks.close();
  }
}
