import { connect as connectTcp } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Handle } from './handler.ts';
import { ask, http1Client, http2Client, PROTOCOLS, rawConnection, ScriptedBody, start } from './test-listener.ts';

/** Longer than a test may take: who waits for the end of it fails. */
const AGES = 600_000;
const word: Handle = async () => ({ status: 200, headers: [], body: Buffer.from('word') });

/** Milliseconds until the promise settles. */
async function timed(promise: Promise<unknown>): Promise<number> {
  const before = performance.now();
  await promise;
  return performance.now() - before;
}

describe.each(PROTOCOLS)('over %s', (protocol, connect) => {
  test('idle connections are closed at once', async () => {
    const { listener } = await start(word);
    const client = connect(listener);
    await ask(client);
    await listener.close({ graceMs: AGES });
    client.close();
  });

  test('a request in flight is answered, and new connections are refused meanwhile', async () => {
    let arrived = (): void => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { listener } = await start(async (request) => {
      arrived();
      await released;
      return word(request);
    });
    const client = connect(listener);
    const answer = ask(client);
    await arrival;
    const closed = listener.close({ graceMs: AGES });
    const late = connect(listener);
    await expect(ask(late)).rejects.toThrow();
    release();
    expect(String((await answer).body)).toBe('word');
    if (protocol === 'HTTP/1.1') expect((await answer).headers.connection).toBe('close');
    await closed;
    late.close();
    client.close();
  });

  test('an open stream is told to end and ends cleanly', async () => {
    const body = new ScriptedBody();
    const { listener } = await start(async () => ({ status: 200, headers: [], body }));
    const client = connect(listener);
    const opened = await client.open({});
    (await body.started).write(Buffer.from('last words'));
    const closed = listener.close({ graceMs: AGES });
    expect(String(await buffer(opened.body))).toBe('last words');
    await closed;
    expect(body.calls).toEqual(['start', 'shutdown', 'close']);
    client.close();
  });

  test('a stream that is opened during the shutdown is told so', async () => {
    const body = new ScriptedBody();
    let arrived = (): void => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { listener } = await start(async () => {
      arrived();
      await released;
      return { status: 200, headers: [], body };
    });
    const client = connect(listener);
    const answer = ask(client);
    await arrival;
    const closed = listener.close({ graceMs: AGES });
    release();
    await closed;
    expect((await answer).status).toBe(200);
    expect(body.calls).toEqual(['start', 'shutdown', 'close']);
    client.close();
  });

  test('a large answer to a slow reader is sent to its end', async () => {
    const list = Array.from({ length: 5_000 }, () => Buffer.alloc(2_000));
    const { listener } = await start(async () => ({ status: 200, headers: [], body: list }));
    const client = connect(listener);
    const opened = await client.open({});
    opened.body.pause();
    await sleep(30);
    const closed = listener.close({ graceMs: AGES });
    await sleep(30);
    expect((await buffer(opened.body)).length).toBe(10_000_000);
    await closed;
    client.close();
  });

  test('what is left after the grace period is broken off', async () => {
    const body = new ScriptedBody();
    body.onShutdown = () => {};
    const { listener } = await start(async () => ({ status: 200, headers: [], body }));
    const client = connect(listener);
    const opened = await client.open({});
    opened.body.on('error', () => {});
    const took = await timed(listener.close({ graceMs: 60 }));
    expect(took).toBeGreaterThan(50);
    await body.closed;
    expect(body.calls).toEqual(['start', 'close']);
    client.close();
  });
});

test('connections that never got to a request do not outlast the grace period', async () => {
  const { listener } = await start(word);
  const silent = connectTcp(listener.port, '127.0.0.1');
  silent.on('error', () => {});
  const { socket } = await rawConnection(listener);
  const { socket: http2Socket } = await rawConnection(listener, 'h2');
  await listener.close({ graceMs: 50 });
  silent.destroy();
  socket.destroy();
  http2Socket.destroy();
});

test('closing again hurries the first closing along', async () => {
  const body = new ScriptedBody();
  body.onShutdown = () => {};
  const { listener } = await start(async () => ({ status: 200, headers: [], body }));
  const client = http2Client(listener);
  const opened = await client.open({});
  opened.body.on('error', () => {});
  const first = listener.close({ graceMs: AGES });
  await listener.close({ graceMs: 10 });
  await first;
  client.close();
});

test('a closed listener leaves nothing behind', async () => {
  const before = process.getActiveResourcesInfo().length;
  const { listener } = await start(word);
  const clients = [http1Client(listener), http2Client(listener)];
  for (const client of clients) await ask(client);
  await listener.close({ graceMs: 100 });
  for (const client of clients) client.close();
  while (process.getActiveResourcesInfo().length > before) await sleep(5);
});
