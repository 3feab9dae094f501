import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import type { Duplex, Readable } from 'node:stream';
import type { Connection } from '../../src/outbound/config.ts';
import { type Answer, answerOf, type Headers, tlsOptions } from './client.ts';

/** A connection that left HTTP. */
export interface Upgraded {
  readonly headers: IncomingHttpHeaders;
  readonly socket: Duplex;
}

/** Asks for another protocol: a connection where that is granted, an answer where it is not. */
export function askForUpgrade(
  connection: Connection,
  method: string,
  path: string,
  headers: Headers = {},
): Promise<Upgraded | Answer> {
  const { hostname, port } = new URL(connection.server);
  const asked = { connection: 'Upgrade', upgrade: 'echo', ...headers };
  return new Promise((resolve, reject) => {
    request({ hostname, port, method, path, headers: asked, agent: false, ...tlsOptions(connection) })
      .once('upgrade', (incoming, socket, head) => {
        if (head.length > 0) socket.unshift(head);
        resolve({ headers: incoming.headers, socket });
      })
      .once('response', (incoming) => {
        const parts: Buffer[] = [];
        incoming.on('data', (part: Buffer) => parts.push(part));
        incoming.on('end', () => resolve(answerOf(incoming.statusCode ?? 0, incoming.headers, parts)));
      })
      .once('error', reject)
      .end();
  });
}

/** As `askForUpgrade`, which must be granted. */
export async function upgraded(...asked: Parameters<typeof askForUpgrade>): Promise<Upgraded> {
  const outcome = await askForUpgrade(...asked);
  if ('socket' in outcome) return outcome;
  throw new Error(`${outcome.status} ${outcome.text}`);
}

/** Reads until so many bytes are there, or to the end. */
export async function readBytes(socket: Readable, count = Number.POSITIVE_INFINITY): Promise<string> {
  let text = '';
  for await (const part of socket.iterator({ destroyOnReturn: false })) {
    text += part.toString('latin1');
    if (text.length >= count) break;
  }
  return text;
}
