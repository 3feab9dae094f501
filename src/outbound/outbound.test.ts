import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { systemRuntime } from '../runtime/runtime.ts';
import { Outbound } from './outbound.ts';

/** What the one who is asked can do with the connection. */

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Asks someone who does this with every connection that has sent something. */
async function ask(behave: (socket: Socket) => void, timeoutMs = WAIT_MS) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.once('data', () => behave(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const outbound = new Outbound({}, systemRuntime);
  closing.push(async () => {
    outbound.close();
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const answer = await outbound.send(url, { method: 'POST', body: '{}', timeoutMs, mostBytes: 100_000 });
  return { status: answer.status, body: String(answer.body) };
}

/** Writes it again and again, as fast as it is taken. */
function pour(socket: Socket, text: string): void {
  while (!socket.destroyed && socket.write(text));
  socket.once('drain', () => pour(socket, text));
}

/** Long enough for a busy machine. */
const WAIT_MS = 30_000;

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

const begun = (socket: Socket, text: string, more: string): void => {
  socket.write(text);
  pour(socket, more);
};
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`;
const SWITCHED = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n';

describe('an answer', () => {
  it('is what was sent', async () => {
    const answer = ask((socket) => socket.write(`HTTP/1.1 100 Continue\r\n\r\n${HEAD}Content-Length: 2\r\n\r\n{}`));
    await expect(answer).resolves.toEqual({ status: 200, body: '{}' });
  });

  it.each<[string, (socket: Socket) => void]>([
    ['changes the protocol', (socket) => socket.write(SWITCHED)],
    ['is announced without end', (socket) => pour(socket, 'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n'.repeat(100))],
    ['is closed before its headers end', (socket) => socket.end(HEAD)],
    ['is shorter than it says', (socket) => socket.end(`${HEAD}Content-Length: 10\r\n\r\n{}`)],
    ['breaks off between two chunks', (socket) => socket.end(`${CHUNKED}2\r\n{}\r\n`)],
    ['is no HTTP', (socket) => socket.end('SSH-2.0-OpenSSH\r\n')],
    ['has headers without end', (socket) => begun(socket, HEAD, 'X: y\r\n'.repeat(1_000))],
    ['has one header without end', (socket) => begun(socket, `${HEAD}X: `, 'y'.repeat(10_000))],
    ['has a body without end', (socket) => begun(socket, `${HEAD}\r\n`, 'x'.repeat(10_000))],
    ['has chunks without end', (socket) => begun(socket, CHUNKED, '1\r\nx\r\n'.repeat(1_000))],
    ['has an extension of a chunk without end', (socket) => begun(socket, `${CHUNKED}1;`, 'x'.repeat(10_000))],
    ['has trailers without end', (socket) => begun(socket, `${CHUNKED}0\r\n`, 'X: y\r\n'.repeat(1_000))],
    ['has two lengths', (socket) => socket.end(`${HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} `)],
    [
      'has a length and chunks',
      (socket) => socket.end(`${CHUNKED.replace('\r\n', '\r\nContent-Length: 2\r\n')}0\r\n\r\n`),
    ],
  ])('that %s fails at once', async (_what, behave) => {
    const failed = expect(ask(behave, WAIT_MS)).rejects.toThrow();
    const early = sleep(WAIT_MS / 2, undefined, { ref: false }).then(() => expect.fail('only when time was over'));
    await Promise.race([failed, early]);
  });
});
