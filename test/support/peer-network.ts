import { connect, createServer, type Server, type Socket } from 'node:net';

/** A connection that one member of etcd has opened to another. */
interface Link {
  readonly from: number;
  readonly to: number;
  readonly sockets: readonly Socket[];
}

/** In what members of etcd send each other first is where the sender itself can be reached. */
const SENDER = /^X-PeerURLs: http:\/\/127\.0\.0\.1:(\d+)/im;
const HEADERS_END = '\r\n\r\n';
const LONGEST_HEADERS = 16 << 10;

/**
 * What lies between members of one etcd on this machine: each is reached through a port of ours, where it can be seen
 * who calls. What a member calls others with carries messages both ways, so cutting one way alone is a fault of its own.
 */
export class PeerNetwork {
  readonly #servers: Server[] = [];
  readonly #ports: number[] = [];
  readonly #links = new Set<Link>();
  /** Pairs of caller and called, as `from>to`. */
  readonly #cut = new Set<string>();

  /** In front of members that listen, or will, on these ports. */
  static async before(ports: readonly number[]): Promise<PeerNetwork> {
    const network = new PeerNetwork();
    for (const [to, port] of ports.entries()) await network.#stand(to, port);
    return network;
  }

  /** Where a member is reached by the others. */
  url(member: number): string {
    return `http://127.0.0.1:${this.#ports[member]}`;
  }

  /** `from` cannot call `to` any more, nor go on with what it has begun. */
  cut(from: number, to: number): void {
    this.#cut.add(`${from}>${to}`);
    for (const link of this.#links) {
      if (link.from === from && link.to === to) for (const socket of link.sockets) socket.destroy();
    }
  }

  /** Neither calls nor is called. */
  isolate(member: number): void {
    for (const other of this.#ports.keys()) {
      if (other === member) continue;
      this.cut(member, other);
      this.cut(other, member);
    }
  }

  heal(): void {
    this.#cut.clear();
  }

  async close(): Promise<void> {
    const closed = this.#servers.map((server) => new Promise((resolve) => server.close(resolve)));
    for (const { sockets } of this.#links) for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
  }

  async #stand(to: number, targetPort: number): Promise<void> {
    const server = createServer((caller) => {
      caller.on('error', () => undefined);
      let head = Buffer.alloc(0);
      const read = (bytes: Buffer): void => {
        head = Buffer.concat([head, bytes]);
        if (!head.includes(HEADERS_END) && head.length < LONGEST_HEADERS) return;
        caller.off('data', read).pause();
        this.#join(caller, head, to, targetPort);
      };
      caller.on('data', read);
    });
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    this.#ports.push(address !== null && typeof address === 'object' ? address.port : 0);
  }

  #join(caller: Socket, head: Buffer, to: number, targetPort: number): void {
    const from = this.#ports.indexOf(Number(SENDER.exec(head.toString('latin1'))?.[1]));
    if (this.#cut.has(`${from}>${to}`)) {
      caller.destroy();
      return;
    }
    const called = connect(targetPort, '127.0.0.1');
    const link: Link = { from, to, sockets: [caller, called] };
    this.#links.add(link);
    called.on('error', () => undefined);
    for (const [socket, other] of [
      [caller, called],
      [called, caller],
    ] as const) {
      socket.on('close', () => {
        this.#links.delete(link);
        other.destroy();
      });
    }
    called.write(head);
    caller.pipe(called);
    called.pipe(caller);
  }
}
