import { connect as connectHttp2 } from 'node:http2';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { ByteSink } from './message.ts';
import { ask, type Client, http2Client, PAIR, PROTOCOLS, ScriptedBody, type Started, start } from './test-listener.ts';

let open: { close(): unknown }[] = [];

afterEach(async () => {
  for (const each of open) await each.close();
  open = [];
});

/** A listener that answers /stream with the body given and everything else with a word. */
async function streaming(
  body: ScriptedBody,
  connect: (listener: { port: number }) => Client,
): Promise<Started & { client: Client }> {
  const started = await start(async ({ target }) =>
    target === '/stream'
      ? { status: 200, headers: ['Content-Type', 'application/json'], body }
      : { status: 200, headers: [], body: Buffer.from('plain') },
  );
  const client = connect(started.listener);
  open.push(client, { close: () => started.listener.close({ graceMs: 0 }) });
  return { ...started, client };
}

const eventually = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await sleep(2);
};

describe.each(PROTOCOLS)('over %s', (protocol, connect) => {
  test('headers arrive before the first event and each event as it is written', async () => {
    const body = new ScriptedBody();
    const { client } = await streaming(body, connect);
    const opened = await client.open({ path: '/stream' });
    expect(opened).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } });
    const sink = await body.started;
    const received = opened.body[Symbol.asyncIterator]();
    for (const event of ['one', 'two', 'three']) {
      sink.write(Buffer.from(event));
      expect(String((await received.next()).value)).toBe(event);
    }
    sink.end();
    expect((await received.next()).done).toBe(true);
    await body.closed;
    expect(body.calls).toEqual(['start', 'close']);
  });

  test('after the end the connection serves on', async () => {
    const body = new ScriptedBody();
    const { client } = await streaming(body, connect);
    const opened = await client.open({ path: '/stream' });
    const sink = await body.started;
    for (let at = 0; at < 100; at++) sink.write(Buffer.from(`${at},`));
    sink.end();
    expect(sink.write(Buffer.from('late'))).toBe(false);
    expect(String(await buffer(opened.body))).toBe(Array.from({ length: 100 }, (_, at) => `${at},`).join(''));
    expect(String((await ask(client)).body)).toBe('plain');
  });

  test('a reader that stops is noticed, holds only what was written, and is told when it may go on', async () => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let written = 0;
    const fill = (sink: ByteSink): void => {
      let more = true;
      for (; more && written < 1_000; written++) more = sink.write(chunk);
    };
    const body = new ScriptedBody(fill);
    const { client } = await streaming(body, connect);
    const opened = await client.open({ path: '/stream' });
    opened.body.pause();
    const sink = await body.started;
    fill(sink);
    await eventually(() => sink.buffered > 0);
    await sleep(100);
    const stalledAt = written;
    expect(stalledAt).toBeLessThan(500);
    expect(sink.buffered).toBeGreaterThan(0);
    expect(sink.buffered).toBeLessThanOrEqual(2 * chunk.length + 1_024);
    opened.body.resume();
    await eventually(() => written === 1_000);
    await eventually(() => sink.buffered === 0);
    sink.end();
    await body.closed;
    expect(new Set(body.calls)).toEqual(new Set(['start', 'drain', 'close']));
    expect(body.calls.at(-1)).toBe('close');
  });

  test('a large list to a reader that stops is not read ahead into memory', async () => {
    const part = Buffer.alloc(1_000, 'item');
    const parts: Buffer[] = Array.from({ length: 60_000 }, () => part);
    const started = await start(async () => ({ status: 200, headers: [], body: parts }));
    const clients = Array.from({ length: 8 }, () => connect(started.listener));
    open.push(...clients, { close: () => started.listener.close({ graceMs: 0 }) });
    const before = process.memoryUsage();
    const answers = await Promise.all(clients.map((client) => client.open({})));
    for (const { body } of answers) body.pause();
    await sleep(150);
    const after = process.memoryUsage();
    const grown = after.external + after.heapUsed - before.external - before.heapUsed;
    // 480 MB wait to be sent; server and clients together hold some buffers of each connection.
    expect(grown).toBeLessThan(60_000_000);
    for (const each of answers) each.leave();
  });

  test('a client that goes away is noticed once, while the stream is quiet', async () => {
    const body = new ScriptedBody();
    const { client, errors } = await streaming(body, connect);
    const opened = await client.open({ path: '/stream' });
    const sink = await body.started;
    opened.body.on('error', () => {});
    opened.leave();
    await body.closed;
    expect(sink.write(Buffer.from('to nobody'))).toBe(false);
    sink.end();
    sink.abort();
    await sleep(20);
    expect(body.calls).toEqual(['start', 'close']);
    expect(errors).toEqual([]);
  });

  test('an aborted stream looks incomplete to the client', async () => {
    const body = new ScriptedBody();
    const { client } = await streaming(body, connect);
    const opened = await client.open({ path: '/stream' });
    const sink = await body.started;
    sink.write(Buffer.from('half'));
    await new Promise((resolve) => opened.body.once('data', resolve));
    const failure = new Promise((resolve) => opened.body.once('error', resolve));
    sink.abort();
    expect(await failure).toBeInstanceOf(Error);
    await body.closed;
    expect(body.calls).toEqual(['start', 'close']);
  });

  test('HEAD does not start a stream but lets go of it', async () => {
    const body = new ScriptedBody();
    const { client } = await streaming(body, connect);
    const answer = await ask(client, { method: 'HEAD', path: '/stream' });
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } });
    expect(body.calls).toEqual(['close']);
  });

  test('a client that left before the answer costs the stream its start', async () => {
    const body = new ScriptedBody();
    let asked = (): void => {};
    const arrived = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const { listener } = await start(async (request) => {
      asked();
      await new Promise<void>((resolve) => request.onceGone(resolve));
      return { status: 200, headers: [], body };
    });
    const client = connect(listener);
    open.push({ close: () => listener.close({ graceMs: 0 }) });
    const answer = client.open({}).catch(() => {});
    await arrived;
    client.close();
    await answer;
    await body.closed;
    expect(body.calls).toEqual(['close']);
  });

  test('a body that throws is reported and broken off', async () => {
    const body = new ScriptedBody();
    body.start = () => {
      throw new Error('defect');
    };
    const { client, errors } = await streaming(body, connect);
    const opened = await client.open({ path: '/stream' }).catch(() => undefined);
    await opened?.body.toArray().catch(() => {});
    await body.closed;
    expect(errors).toEqual(['GET /stream: defect']);
    expect(body.calls).toEqual(['close']);
    if (protocol === 'HTTP/2') expect(String((await ask(client)).body)).toBe('plain');
  });
});

test('200 streams share one HTTP/2 connection', async () => {
  const bodies: ScriptedBody[] = [];
  const { listener } = await start(async () => {
    const body = new ScriptedBody();
    bodies.push(body);
    return { status: 200, headers: [], body };
  });
  const client = http2Client(listener);
  open.push(client, { close: () => listener.close({ graceMs: 0 }) });
  const opened = await Promise.all(Array.from({ length: 200 }, () => client.open({})));
  const event = Buffer.from('{"type":"ADDED"}\n');
  for (let round = 0; round < 20; round++) {
    for (const { sink } of bodies) sink?.write(event);
    await sleep(1);
  }
  for (const { sink } of bodies) sink?.end();
  for (const { body } of opened) expect((await buffer(body)).length).toBe(20 * event.length);
  await Promise.all(bodies.map(({ closed }) => closed));
});

test('one stalled stream does not hold up the others on its HTTP/2 connection', async () => {
  const flood = new ScriptedBody();
  const { listener } = await start(async ({ target }) => ({
    status: 200,
    headers: [],
    body: target === '/flood' ? flood : Buffer.alloc(100_000),
  }));
  const session = connectHttp2(listener.url, { ca: PAIR.cert, settings: { initialWindowSize: 65_535 } });
  session.once('connect', () => session.setLocalWindowSize(10_000_000));
  open.push({ close: () => session.destroy() }, { close: () => listener.close({ graceMs: 0 }) });
  const stalled = session.request({ ':path': '/flood' });
  stalled.on('error', () => {});
  const sink = await flood.started;
  while (sink.write(Buffer.alloc(50_000)));
  for (let at = 0; at < 20; at++) expect((await buffer(session.request({ ':path': '/' }))).length).toBe(100_000);
  stalled.close();
});
