import { connect } from 'node:http2';
import { request } from 'node:https';
import type { Connection } from '../../src/client/config.ts';
import { type Answer, answerOf, prepare, tlsOptions } from './client.ts';

/** A request whose body is held back: the server works on it for as long as a test likes. */
export interface HeldRequest {
  /** Sends the body and waits for the answer. */
  finish(): Promise<Answer>;
  /** The answer, which may come without the body. */
  readonly answer: Promise<Answer>;
  /** Goes away instead. */
  leave(): void;
}

export type Hold = (connection: Connection, path: string, body: unknown) => HeldRequest;

/** Posts over a connection of its own. */
export const holdHttp1: Hold = (connection, path, body) => {
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
  outgoing.flushHeaders();
  return {
    answer,
    finish() {
      outgoing.end(bytes);
      return answer;
    },
    leave: () => outgoing.destroy(),
  };
};

export const holdHttp2: Hold = (connection, path, body) => {
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
  return {
    answer,
    finish() {
      stream.end(bytes);
      return answer;
    },
    leave: () => stream.close(8),
  };
};
