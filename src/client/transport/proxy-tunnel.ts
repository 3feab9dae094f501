import { isIP, type Socket } from 'node:net';
import { proxyCredentials } from './proxy-credentials.ts';

/** What a proxy may say before a tunnel begins. */
const MOST_HEADER_BYTES = 16 * 1024;
const END_OF_HEADERS = '\r\n\r\n';

/** Has an HTTP proxy join a connection to another place. */
export async function tunnelByConnect(socket: Socket, proxy: URL, host: string, port: string): Promise<void> {
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const headers = Object.entries({ host: authority, ...proxyCredentials(proxy) });
  const lines = [`CONNECT ${authority} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  socket.write(`${lines.join('\r\n')}${END_OF_HEADERS}`);
  const reader = new SocketReader(socket);
  const head = (await reader.until(Buffer.from(END_OF_HEADERS), MOST_HEADER_BYTES)).toString('latin1');
  reader.release();
  const [, status = '', reason = ''] = /^HTTP\/1\.[01] (\d{3}) ?([^\r\n]{0,200})/.exec(head) ?? [];
  if (!status.startsWith('2')) throw new Error(`the proxy ${proxy.host} refuses: ${status} ${reason}`.trimEnd());
}

/** Reads the first bytes of a connection, then leaves it as it was. */
export class SocketReader {
  readonly #socket: Socket;
  #unread: Buffer = Buffer.alloc(0);
  #failure: Error | undefined;
  #wake: () => void = () => {};

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', this.#onData).on('close', this.#onClose).on('error', this.#onError);
  }

  async exactly(count: number): Promise<Buffer> {
    while (this.#unread.length < count) await this.#more();
    return this.#take(count);
  }

  /** Up to an ending, which is part of it. */
  async until(ending: Buffer, mostBytes: number): Promise<Buffer> {
    for (;;) {
      const found = this.#unread.indexOf(ending);
      if (found >= 0) return this.#take(found + ending.length);
      if (this.#unread.length > mostBytes) throw new Error('the proxy answers too much');
      await this.#more();
    }
  }

  /** What was read too much is the next that is read. */
  release(): void {
    this.#socket.pause();
    this.#socket.off('data', this.#onData).off('close', this.#onClose).off('error', this.#onError);
    if (this.#unread.length > 0) this.#socket.unshift(this.#unread);
  }

  #take(count: number): Buffer {
    const taken = this.#unread.subarray(0, count);
    this.#unread = this.#unread.subarray(count);
    return taken;
  }

  async #more(): Promise<void> {
    if (this.#failure) throw this.#failure;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    if (this.#failure) throw this.#failure;
  }

  readonly #onData = (part: Buffer): void => {
    this.#unread = Buffer.concat([this.#unread, part]);
    this.#wake();
  };

  readonly #onError = (error: Error): void => {
    this.#failure = error;
    this.#wake();
  };

  readonly #onClose = (): void => this.#onError(this.#failure ?? new Error('the proxy closed the connection'));
}
