import type { Duplex } from 'node:stream';
import type { Runtime } from '../../runtime/runtime.ts';
import type { OwnConnection } from '../http-transport.ts';
import type { Conversation, StreamName } from './conversation.ts';
import { SpdySession } from './spdy-session.ts';
import { askForUpgrade } from './upgrade.ts';

const UPGRADE = 'SPDY/3.1';
const PROTOCOL_HEADER = 'x-stream-protocol-version';

export interface OpenedSpdy {
  readonly session: SpdySession;
  readonly protocol: string;
}

/** Changes a connection to SPDY. `protocols`: what may be spoken on top of it, the preferred one first. */
export async function openSpdy(
  connection: OwnConnection,
  path: string,
  protocols: readonly string[],
  runtime: Runtime,
): Promise<OpenedSpdy> {
  const asked = { upgrade: UPGRADE, [PROTOCOL_HEADER]: [...protocols] };
  const { headers, socket } = await askForUpgrade(connection, path, asked, runtime);
  const protocol = String(headers[PROTOCOL_HEADER] ?? '');
  if (headers.upgrade?.toLowerCase() !== UPGRADE.toLowerCase() || !protocols.includes(protocol)) {
    socket.destroy();
    throw new Error(`unable to upgrade: the server chose ${headers.upgrade} with "${protocol}"`);
  }
  return { session: new SpdySession(socket, runtime), protocol };
}

/** One SPDY stream for each stream of a process. */
export class SpdyConversation implements Conversation {
  readonly protocol: string;
  readonly #session: SpdySession;
  readonly #streams: ReadonlyMap<StreamName, Duplex>;

  private constructor({ session, protocol }: OpenedSpdy, streams: ReadonlyMap<StreamName, Duplex>) {
    this.protocol = protocol;
    this.#session = session;
    this.#streams = streams;
  }

  static async begin(opened: OpenedSpdy, names: readonly StreamName[]): Promise<SpdyConversation> {
    try {
      const streams = await Promise.all(
        names.map(async (name) => [name, await opened.session.open({ streamtype: name })] as const),
      );
      return new SpdyConversation(opened, new Map(streams));
    } catch (error) {
      opened.session.close();
      throw error;
    }
  }

  stream(name: StreamName): Duplex {
    const stream = this.#streams.get(name);
    if (!stream) throw new TypeError(`there is no stream for ${name}`);
    return stream;
  }

  close(error?: Error): void {
    this.#session.close(error);
  }
}
