import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { Handle } from './handler.ts';
import type { BodyStream } from './message.ts';
import { rawConnection, ScriptedBody, start } from './test-listener.ts';

const ASKING = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n';
const PLAIN = 'GET /plain HTTP/1.1\r\nHost: x\r\n\r\n';
const GRANTED = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n';

/** Grants every upgrade, and says back what it is told. */
const echo: Handle = async (request) => {
  if (!request.canUpgrade) return { status: 200, headers: [], body: Buffer.from('plain') };
  const client = request.streamBody();
  const body: BodyStream = {
    start: (sink) => void client?.on('data', (part: Buffer) => sink.write(part)).on('end', () => sink.end()),
    onDrain() {},
    onClose() {},
    onShutdown() {},
  };
  return { status: 101, headers: ['Upgrade', 'echo'], body };
};

test('a connection that is given away carries bytes both ways, also those that came with the headers', async () => {
  const { listener, errors } = await start(echo);
  const { socket, text } = await rawConnection(listener);
  socket.end(`${ASKING}one two`);
  expect(await text).toBe(`${GRANTED}one two`);
  expect(errors).toEqual([]);
  await listener.close({ graceMs: 0 });
});

test('an upgrade waits for the answers to what was asked before', async () => {
  const { listener } = await start(echo);
  const { socket, text } = await rawConnection(listener);
  socket.end(`${PLAIN}${ASKING}bytes`);
  const all = await text;
  expect(all).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(all.endsWith(`plain${GRANTED}bytes`)).toBe(true);
  await listener.close({ graceMs: 0 });
});

test('any other answer is the last one of its connection', async () => {
  const { listener } = await start(async () => ({ status: 418, headers: ['X-A', 'b'], body: Buffer.from('no') }));
  const { socket, text } = await rawConnection(listener);
  socket.write(`${ASKING}${PLAIN}`);
  expect(await text).toMatch(/^HTTP\/1\.1 418 .*\r\nX-A: b\r\n(.*\r\n)*Connection: close\r\n(.*\r\n)*\r\nno$/);
  await listener.close({ graceMs: 0 });
});

test.each([99, 1_000])('an answer that cannot be sent, with status %i, is a fault', async (status) => {
  const { listener, errors } = await start(async () => ({ status, headers: [], body: Buffer.from('no') }));
  const { socket, text } = await rawConnection(listener);
  socket.write(ASKING);
  expect(await text).toMatch(/^HTTP\/1\.1 500 /);
  expect(errors).toHaveLength(1);
  await listener.close({ graceMs: 0 });
});

test('a stream that answers an upgrade without granting it is an ordinary stream', async () => {
  const body = new ScriptedBody();
  const { listener } = await start(async () => ({ status: 200, headers: [], body }));
  const { socket, text } = await rawConnection(listener);
  socket.write(ASKING);
  const sink = await body.started;
  sink.write(Buffer.from('hello'));
  sink.end();
  expect(await text).toContain('hello');
  await body.closed;
  await listener.close({ graceMs: 0 });
});

test('a connection that was given away is told of a shutdown, and broken off when it does not end', async () => {
  const body = new ScriptedBody();
  const stubborn = new (class extends ScriptedBody {
    override onShutdown(): void {
      this.calls.push('shutdown');
    }
  })();
  const bodies = [body, stubborn];
  const { listener } = await start(async () => ({ status: 101, headers: [], body: bodies.shift() ?? body }));
  const first = await rawConnection(listener);
  first.socket.write(ASKING);
  await body.started;
  const second = await rawConnection(listener);
  second.socket.write(ASKING);
  await stubborn.started;
  await listener.close({ graceMs: 50 });
  await Promise.all([body.closed, stubborn.closed, first.text, second.text]);
  expect(body.calls).toEqual(['start', 'shutdown', 'close']);
  expect(stubborn.calls).toEqual(['start', 'shutdown', 'close']);
});

test('a client that breaks its connection is noticed, before it is answered and after', async () => {
  const body = new ScriptedBody();
  let gone: Promise<void> | undefined;
  const { listener, errors } = await start(async (request) => {
    gone = new Promise((resolve) => request.onceGone(resolve));
    return { status: 101, headers: [], body };
  });
  const { socket } = await rawConnection(listener);
  socket.write(ASKING);
  await body.started;
  socket.destroy();
  await once(socket, 'close');
  // Nothing reads from the connection, so it is the next write that meets the end.
  const sink = await body.started;
  const pulse = setInterval(() => sink.write(Buffer.from('x')), 1);
  await Promise.all([body.closed, gone]);
  clearInterval(pulse);
  expect(errors).toEqual([]);
  await listener.close({ graceMs: 0 });
});
