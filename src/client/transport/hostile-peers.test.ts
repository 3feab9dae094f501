import type { AddressInfo } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { TestAuthority } from '../../../test/support/certificates.ts';
import { NOBODY } from '../../../test/support/plane-stand-in.ts';
import { systemRuntime } from '../../runtime/runtime.ts';
import { HttpTransport } from '../http-transport.ts';

/** Servers that mean harm, or are broken: requests to them end, and hold little. */

const authority = new TestAuthority('planes');
const MOST_SENT = 24 * 2 ** 20;
let server: Server;
let transport: HttpTransport;
let sent: number;
const sockets = new Set<TLSSocket>();

afterEach(async () => {
  transport.close();
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await new Promise((resolve) => server.close(resolve));
});

type Behaviour = (socket: TLSSocket) => void;

/** What a request to a server that behaves like that comes to. */
async function outcome(version: string, behave: Behaviour, timeoutMs: number): Promise<unknown> {
  sent = 0;
  server = createServer({ ...authority.server(), ALPNProtocols: [version] }, (socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.once('data', () => behave(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connection = { server: address, ca: authority.pem, insecureSkipTlsVerify: false };
  transport = new HttpTransport(connection, systemRuntime, 'test', { environment: {} });
  const send = transport.sendAs(NOBODY);
  return send({ method: 'GET', target: '/', timeoutMs }).catch((error: unknown) => error);
}

/** Sends something for ever, as fast as it is taken. */
const endless =
  (first: Buffer | string, again: Buffer | string): Behaviour =>
  (socket) => {
    socket.write(first);
    const more = (): void => {
      while (!socket.destroyed && sent < MOST_SENT) {
        sent += again.length;
        if (!socket.write(again)) {
          socket.once('drain', more);
          return;
        }
      }
    };
    more();
  };

const OK = 'HTTP/1.1 200 OK\r\n';

describe('HTTP/1.1', () => {
  it.each<[string, Behaviour]>([
    ['endless headers', endless(OK, 'x-more: and more\r\n'.repeat(100))],
    ['a header without an end', endless(`${OK}x-long: `, 'y'.repeat(4096))],
    ['no HTTP at all', endless('', 'nonsense '.repeat(100))],
    ['an end in the middle of a body', (socket) => socket.end(`${OK}content-length: 100\r\n\r\nhalf`)],
    ['an end in the middle of a chunk', (socket) => socket.end(`${OK}transfer-encoding: chunked\r\n\r\nff\r\nhalf`)],
    ['an end in the middle of headers', (socket) => socket.end('HTTP/1.1 200 O')],
    ['an end and nothing else', (socket) => socket.end()],
    ['a reset', (socket) => socket.destroy()],
    [
      'another protocol, unasked',
      (socket) => socket.write('HTTP/1.1 101 Sure\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
    ],
  ])('%s is an error', async (_what, behave) => {
    expect(await outcome('http/1.1', behave, 60_000)).toBeInstanceOf(Error);
    expect(sent).toBeLessThan(MOST_SENT);
  });

  it.each<[string, Behaviour]>([
    ['silence', () => {}],
    ['half of a body', (socket) => socket.write(`${OK}content-length: 100\r\n\r\nhalf`)],
    ['answers that there will be an answer, for ever', endless('', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100))],
  ])('%s is waited for as long as the request may take', async (_what, behave) => {
    expect(await outcome('http/1.1', behave, 300)).toMatchObject({ message: 'no answer in time' });
  });
});

const frame = (type: number, flags: number, stream: number, payload: Buffer, length = payload.length): Buffer => {
  const head = Buffer.alloc(9);
  head.writeUIntBE(length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
};

const [DATA, HEADERS, RESET, SETTINGS, PING, GOAWAY, CONTINUATION] = [0, 1, 3, 4, 6, 7, 9];
const hello = frame(SETTINGS, 0, 0, Buffer.alloc(0));
const ok = frame(HEADERS, 4, 1, Buffer.of(0x88));
const begun = Buffer.concat([hello, ok]);
/** A literal header that nobody asked for, which is not remembered. */
const literal = Buffer.concat([Buffer.of(0, 4), Buffer.from('evil'), Buffer.of(100), Buffer.alloc(100, 'x')]);

describe('HTTP/2', () => {
  it.each<[string, Behaviour]>([
    ['no HTTP at all', endless('', 'nonsense '.repeat(100))],
    [
      'endless headers',
      endless(Buffer.concat([hello, frame(HEADERS, 0, 1, Buffer.of(0x88))]), frame(CONTINUATION, 0, 1, literal)),
    ],
    [
      'more headers than there are names',
      (socket) =>
        socket.write(Buffer.concat([hello, frame(HEADERS, 4, 1, Buffer.concat(new Array(150).fill(literal)))])),
    ],
    [
      'a frame larger than any',
      (socket) => socket.write(Buffer.concat([begun, frame(DATA, 0, 1, Buffer.alloc(1), 2 ** 24 - 1)])),
    ],
    [
      'data on a stream that nobody opened',
      (socket) => socket.write(Buffer.concat([hello, frame(DATA, 0, 7, Buffer.alloc(1))])),
    ],
    [
      'an end in the middle of a frame',
      (socket) => socket.end(Buffer.concat([begun, frame(DATA, 0, 1, Buffer.alloc(3), 9)])),
    ],
    [
      'a reset in the middle of the answer',
      (socket) =>
        socket.write(
          Buffer.concat([begun, frame(DATA, 0, 1, Buffer.alloc(3)), frame(RESET, 0, 1, Buffer.of(0, 0, 0, 8))]),
        ),
    ],
    [
      'going away with an error',
      (socket) => socket.write(Buffer.concat([hello, frame(GOAWAY, 0, 0, Buffer.of(0, 0, 0, 1, 0, 0, 0, 2))])),
    ],
    ['endless settings', endless(begun, Buffer.concat(new Array(100).fill(hello)))],
    ['an end and nothing else', (socket) => socket.end()],
    ['a broken connection', (socket) => socket.destroy()],
  ])('%s is an error', async (_what, behave) => {
    expect(await outcome('h2', behave, 500)).toBeInstanceOf(Error);
  });

  it.each<[string, Behaviour]>([
    ['silence', () => {}],
    ['half of a frame', (socket) => socket.write(Buffer.concat([begun, frame(DATA, 0, 1, Buffer.alloc(3), 9)]))],
    ['endless empty data', endless(begun, Buffer.concat(new Array(100).fill(frame(DATA, 0, 1, Buffer.alloc(0)))))],
    [
      'endless questions for a sign of life',
      endless(begun, Buffer.concat(new Array(100).fill(frame(PING, 0, 0, Buffer.alloc(8))))),
    ],
  ])('%s takes no longer than the request may', async (_what, behave) => {
    expect(await outcome('h2', behave, 300)).toBeInstanceOf(Error);
  });
});

it('an endless answer is cut off', async () => {
  const block = `10000\r\n${'x'.repeat(65_536)}\r\n`;
  const behave: Behaviour = (socket) => {
    socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`);
    const more = (): void => {
      while (!socket.destroyed && socket.write(block));
      socket.once('drain', more);
    };
    more();
  };
  expect(await outcome('http/1.1', behave, 60_000)).toMatchObject({ message: 'the answer is too large' });
});
