import { createHash } from 'node:crypto';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { finished } from 'node:stream/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ShiftableRuntime } from '../../../test/support/shiftable-runtime.ts';
import { openWebSocket, type WebSocketConversation } from './websocket-conversation.ts';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const PROTOCOL = 'channels';
const BINARY = 0x82;

let server: Server;
let runtime: ShiftableRuntime;
let conversation: WebSocketConversation | undefined;
const sockets = new Set<Socket>();

beforeEach(() => {
  runtime = new ShiftableRuntime();
});

afterEach(async () => {
  conversation?.close();
  conversation = undefined;
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await new Promise((resolve) => server.close(resolve));
});

/** Opens a conversation with a server that answers the first bytes that it gets. */
async function converse(answer: (key: string, socket: Socket) => void): Promise<WebSocketConversation> {
  server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.once('data', (head) => answer(/sec-websocket-key: (\S+)/i.exec(String(head))?.[1] ?? '', socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const request = { path: '/', protocols: [PROTOCOL], channels: { stdout: 1, error: 3 }, closing: [] };
  conversation = await openWebSocket({ socket, host: 'plane', prefix: '', headers: {} }, request, runtime);
  return conversation;
}

const agreed = (key: string, protocol = PROTOCOL): string =>
  [
    ...['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: websocket'],
    `Sec-WebSocket-Accept: ${createHash('sha1').update(`${key}${GUID}`).digest('base64')}`,
    ...[`Sec-WebSocket-Protocol: ${protocol}`, '', ''],
  ].join('\r\n');

/** A frame that says how long it is, and may be shorter. */
function frame(length: number, sent: Buffer, first = BINARY): Buffer {
  const head = Buffer.alloc(10);
  head[0] = first;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, sent]);
}

describe('a handshake that', () => {
  it.each<[string, (key: string, socket: Socket) => void]>([
    ['is refused', (_key, socket) => socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno')],
    ['is agreed to for another key', (_key, socket) => socket.write(agreed('other'))],
    ['is agreed to in a protocol that nobody asked for', (key, socket) => socket.write(agreed(key, 'other'))],
    ['is no HTTP', (_key, socket) => socket.write('nonsense\r\n\r\n')],
    ['breaks off', (_key, socket) => socket.destroy()],
    ['has endless headers', (_key, socket) => socket.write(`HTTP/1.1 101 Sure\r\n${'x: y\r\n'.repeat(20_000)}`)],
  ])('%s is an error', async (_what, answer) => {
    await expect(converse(answer)).rejects.toThrow();
  });
});

describe('a server that', () => {
  it.each<[string, Buffer]>([
    ['announces a message larger than any', frame(2 ** 40, Buffer.alloc(100))],
    ['sends frames that mean nothing', frame(1, Buffer.alloc(1), 0xff)],
    ['masks what it sends', Buffer.of(BINARY, 0x81, 1, 2, 3, 4, 5)],
  ])('%s is an error', async (_what, sent) => {
    const opened = await converse((key, socket) => socket.write(Buffer.concat([Buffer.from(agreed(key)), sent])));
    await expect(finished(opened.stream('stdout').resume(), { writable: false })).rejects.toThrow();
  });

  it('breaks off in the middle of a message is an error', async () => {
    const opened = await converse((key, socket) => {
      socket.end(Buffer.concat([Buffer.from(agreed(key)), frame(100, Buffer.from([1, 2, 3]))]));
    });
    await expect(finished(opened.stream('stdout').resume(), { writable: false })).rejects.toThrow('lost');
  });

  it('says nothing any more is given up', async () => {
    const opened = await converse((key, socket) => socket.write(agreed(key)));
    const done = finished(opened.stream('stdout').resume(), { writable: false });
    done.catch(() => {});
    runtime.advance(70_000);
    await expect(done).rejects.toThrow('no sign of life');
  });

  it('sends on channels that nobody asked for is heard out', async () => {
    const message = (...bytes: number[]): Buffer => frame(bytes.length, Buffer.from(bytes));
    const opened = await converse((key, socket) => {
      const all = [message(77, 1), message(), message(1), message(1, 65), Buffer.of(0x88, 0)];
      socket.write(Buffer.concat([Buffer.from(agreed(key)), ...all]));
    });
    const parts: Buffer[] = [];
    for await (const part of opened.stream('stdout')) parts.push(part);
    expect(String(Buffer.concat(parts))).toBe('A');
  });
});
