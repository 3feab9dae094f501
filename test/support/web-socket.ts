import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const BINARY = 0x82;
const CLOSE = 0x88;

/** As much of a WebSocket server (RFC 6455) as a stand-in for a node needs: whole messages of less than 64 KiB. */
export class WebSocketPeer {
  onMessage: (message: Buffer) => void = () => {};
  readonly #socket: Duplex;
  #unread = Buffer.alloc(0);

  constructor({ headers }: IncomingMessage, socket: Duplex, protocol: string) {
    this.#socket = socket;
    const accept = createHash('sha1').update(`${headers['sec-websocket-key']}${GUID}`).digest('base64');
    const lines = [
      ...['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: websocket'],
      ...[`Sec-WebSocket-Accept: ${accept}`, `Sec-WebSocket-Protocol: ${protocol}`],
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    socket.on('data', (part: Buffer) => this.#read(part));
  }

  send(message: Buffer): void {
    const length = Buffer.from([message.length >> 8, message.length & 255]);
    const head = message.length < 126 ? Buffer.from([message.length]) : Buffer.concat([Buffer.from([126]), length]);
    this.#socket.write(Buffer.concat([Buffer.from([BINARY]), head, message]));
  }

  close(): void {
    this.#socket.end(Buffer.from([CLOSE, 0]));
  }

  #read(part: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, part]);
    for (;;) {
      const short = (this.#unread[1] ?? 0) & 127;
      const start = short === 126 ? 8 : 6;
      if (this.#unread.length < start) return;
      const length = short === 126 ? this.#unread.readUInt16BE(2) : short;
      if (this.#unread.length < start + length) return;
      const mask = this.#unread.subarray(start - 4, start);
      const masked = this.#unread.subarray(start, start + length);
      const isClose = this.#unread[0] === CLOSE;
      this.#unread = this.#unread.subarray(start + length);
      if (!isClose) this.onMessage(Buffer.from(masked.map((byte, at) => byte ^ (mask[at % 4] ?? 0))));
    }
  }
}
