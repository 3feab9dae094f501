import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { NoAnswerInTime } from '../../outbound/failures.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { OwnConnection } from '../http-transport.ts';
import { UpgradeRefused } from './conversation.ts';

/** The server asks a node meanwhile, which may have to wake something up. */
export const UPGRADE_TIMEOUT_MS = 30_000;
/** Of a refusal, so much is told. */
const MOST_REFUSAL_BYTES = 64 * 1024;

export interface UpgradedConnection {
  readonly headers: IncomingHttpHeaders;
  readonly socket: Duplex;
}

/** Asks for another protocol. Rejects with `UpgradeRefused` when the server answers otherwise. */
export function askForUpgrade(
  { socket, host, prefix, headers: identity }: OwnConnection,
  path: string,
  headers: Readonly<Record<string, string | string[]>>,
  runtime: Runtime,
): Promise<UpgradedConnection> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({
      method: 'POST',
      path: `${prefix}${path}`,
      headers: { host, ...identity, connection: 'Upgrade', 'content-length': '0', ...headers },
      createConnection: () => socket,
    });
    const timer = runtime.after(UPGRADE_TIMEOUT_MS, () => outgoing.destroy(new NoAnswerInTime('no answer in time')));
    outgoing
      .once('upgrade', (incoming, upgraded, head) => {
        if (head.length > 0) upgraded.unshift(head);
        resolve({ headers: incoming.headers, socket: upgraded });
      })
      .once('response', (incoming) => {
        refusalOf(incoming).then(reject, reject);
      })
      .on('error', reject)
      .once('close', () => timer.cancel())
      .end();
    outgoing.once('upgrade', () => timer.cancel());
  });
}

/** Reads what a server says instead of changing the protocol. */
export async function refusalOf(incoming: IncomingMessage): Promise<UpgradeRefused> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of incoming) {
      parts.push(part);
      length += part.length;
      if (length > MOST_REFUSAL_BYTES) break;
    }
  } catch {
    // What there is of it is told, even if the server breaks off.
  }
  return new UpgradeRefused(incoming.statusCode ?? 0, Buffer.concat(parts).toString());
}
