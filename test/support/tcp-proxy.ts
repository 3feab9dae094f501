import { connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between a client and a server on this machine, and can be told to fail. */
export class TcpProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #mode: 'open' | 'cut' | 'mute' = 'open';

  private constructor(targetPort: number) {
    this.#server = createServer((client) => this.#join(client, targetPort));
  }

  static async to(url: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(Number(new URL(url).port));
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the proxy does not listen');
    return `http://127.0.0.1:${address.port}`;
  }

  /** Breaks all connections, and lets no new one through. */
  cut(): void {
    this.#mode = 'cut';
    for (const socket of this.#sockets) socket.destroy();
  }

  /** What clients send still arrives, but they get no answers. */
  mute(): void {
    this.#mode = 'mute';
  }

  /** Connections that were muted are broken: part of what they had to say is lost. */
  restore(): void {
    this.cut();
    this.#mode = 'open';
  }

  close(): Promise<void> {
    this.cut();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #join(client: Socket, targetPort: number): void {
    if (this.#mode === 'cut') {
      client.destroy();
      return;
    }
    const target = connect(targetPort, '127.0.0.1');
    client.on('data', (bytes) => target.write(bytes));
    target.on('data', (bytes) => {
      if (this.#mode !== 'mute') client.write(bytes);
    });
    for (const [socket, other] of [
      [client, target],
      [target, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
  }
}
