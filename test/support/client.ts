import { connect } from 'node:http2';
import { Agent, type RequestOptions, request } from 'node:https';
import { type Connection, parseClientConfig } from '../../src/outbound/config.ts';

/** As much of any answer as tests look at; what is not there is undefined whatever the types say. */
export interface Document {
  kind: string;
  apiVersion: string;
  metadata: {
    name: string;
    namespace: string;
    uid: string;
    resourceVersion: string;
    generation: number;
    creationTimestamp: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    continue?: string;
    remainingItemCount?: number;
  };
  items: Document[];
  data?: Record<string, string>;
  spec: Record<string, unknown>;
  status: unknown;
  reason: string;
  message: string;
  code: number;
  details?: { name?: string; group?: string; kind?: string; uid?: string; causes?: { field?: string }[] };
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  readonly text: string;
  /** The answer as JSON. Throws with the text when it is none. */
  readonly body: Document;
}

/** Several values are several headers. */
export type Headers = Readonly<Record<string, string | string[]>>;

/** Sends one request at a time to an answer; a string or Buffer goes out as it is, anything else as JSON. */
export interface Client {
  request(method: string, path: string, body?: unknown, headers?: Headers): Promise<Answer>;
  close(): void;
}

/** The server and identity that a client configuration text names. */
export const connectionOf = (adminConfig: string): Promise<Connection> => parseClientConfig(adminConfig, '.');

/** The same server, seen by someone without credentials or with only a token. */
export const asNobody = ({ server, ca }: Connection): Connection => ({ server, ca, insecureSkipTlsVerify: false });
export const withToken = (connection: Connection, token: string): Connection => ({ ...asNobody(connection), token });

const PATCH_TYPE = 'application/merge-patch+json';

/** Body bytes and all headers of a request. */
export function prepare(
  { token }: Connection,
  method: string,
  body: unknown,
  headers: Headers,
): { bytes: string | Buffer | undefined; headers: Headers } {
  const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  return {
    bytes,
    headers: {
      ...(bytes === undefined ? {} : { 'content-type': method === 'PATCH' ? PATCH_TYPE : 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
  };
}

/** How node:https reaches the server. */
export const tlsOptions = ({ ca, clientCertificate, clientKey }: Connection) => ({
  ...(ca === undefined ? {} : { ca }),
  ...(clientCertificate === undefined ? {} : { cert: clientCertificate }),
  ...(clientKey === undefined ? {} : { key: clientKey }),
});

export function answerOf(status: number, headers: Answer['headers'], parts: readonly Buffer[]): Answer {
  const bytes = Buffer.concat(parts);
  const text = bytes.toString('utf8');
  return {
    status,
    headers,
    bytes,
    text,
    get body(): Document {
      try {
        return JSON.parse(text);
      } catch {
        throw new Error(`${status} without JSON: ${text.slice(0, 500)}`);
      }
    },
  };
}

/** A client over HTTP/1.1 that keeps its connections open. */
export function http1Client(connection: Connection): Client {
  const agent = new Agent({ keepAlive: true, ...tlsOptions(connection) });
  const { hostname, port } = new URL(connection.server);
  const send = (options: RequestOptions, bytes: string | Buffer | undefined): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const outgoing = request({ agent, hostname, port, ...options }, (incoming) => {
        const parts: Buffer[] = [];
        incoming.on('data', (part: Buffer) => parts.push(part));
        incoming.on('end', () => resolve(answerOf(incoming.statusCode ?? 0, incoming.headers, parts)));
        incoming.on('error', reject);
      });
      outgoing.on('error', reject);
      outgoing.end(bytes);
    });
  return {
    request(method, path, body, given = {}) {
      const { bytes, headers } = prepare(connection, method, body, given);
      const length = bytes === undefined ? {} : { 'content-length': String(Buffer.byteLength(bytes)) };
      return send({ method, path, headers: { ...length, ...headers } }, bytes);
    },
    close: () => agent.destroy(),
  };
}

/** A client over one HTTP/2 connection. */
export function http2Client(connection: Connection): Client {
  const session = connect(connection.server, { ...tlsOptions(connection), maxSendHeaderBlockLength: 1 << 20 });
  // A refused or broken connection fails each request by itself.
  session.on('error', () => {});
  return {
    request(method, path, body, given = {}) {
      const { bytes, headers } = prepare(connection, method, body, given);
      return new Promise((resolve, reject) => {
        const stream = session.request({ ':method': method, ':path': path, ...headers });
        const parts: Buffer[] = [];
        let answer: Answer['headers'] = {};
        stream.on('response', (received) => {
          answer = Object.fromEntries(Object.entries(received).map(([name, value]) => [name, value?.toString()]));
        });
        stream.on('data', (part: Buffer) => parts.push(part));
        // A connection that breaks may look like an end: an answer counts when all of it is there.
        stream.on('end', () => {
          const whole = answerOf(Number(answer[':status']), answer, parts);
          const expected = answer['content-length'] ?? String(Buffer.byteLength(whole.text));
          if (whole.status > 0 && (method === 'HEAD' || expected === String(Buffer.byteLength(whole.text))))
            resolve(whole);
        });
        stream.on('error', reject);
        stream.on('close', () => reject(new Error('the stream was closed before its end')));
        stream.end(bytes);
      });
    },
    close: () => session.destroy(),
  };
}
