import type { Socket } from 'node:net';

/** Connections as they were accepted, below TLS, for as long as they are open. */
export class RawSockets {
  readonly #open = new Set<Socket>();
  readonly #byPeer = new Map<string, Socket>();

  add(socket: Socket): void {
    const peer = peerOf(socket);
    this.#open.add(socket);
    this.#byPeer.set(peer, socket);
    socket.once('close', () => {
      this.#open.delete(socket);
      // A client may use the same port again before the end of its last connection is noticed here.
      if (this.#byPeer.get(peer) === socket) this.#byPeer.delete(peer);
    });
  }

  /** The connection that a TLS socket is on. */
  under(socket: Socket): Socket | undefined {
    return this.#byPeer.get(peerOf(socket));
  }

  destroyAll(): void {
    for (const socket of this.#open) socket.destroy();
  }
}

const peerOf = ({ remoteAddress = '', remotePort = 0 }: Socket): string => `${remoteAddress} ${remotePort}`;
