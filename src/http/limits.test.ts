import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { insist } from '../../test/support/patience.ts';
import { ShiftableRuntime } from '../../test/support/shiftable-runtime.ts';
import { ApiError } from '../api/errors.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Handle } from './handler.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import {
  ask,
  type Client,
  PAIR,
  PROTOCOLS,
  rawConnection,
  ScriptedBody,
  type Started,
  start,
} from './test-listener.ts';

const word: Handle = async () => ({ status: 200, headers: [], body: Buffer.from('word') });
const reading: Handle = async (request) => {
  const outcome = await request.readBody(100).then(
    () => 'read',
    (error: unknown) => (error instanceof ApiError ? error.reason : 'defect'),
  );
  return { status: outcome === 'read' ? 200 : 400, headers: [], body: Buffer.from(outcome) };
};

/** Long enough for a client that does not dawdle, however busy the machine is. */
const LIMIT_MS = 500;

let open: { close(): unknown }[] = [];

async function serve(handle: Handle, limits: Partial<Limits>, runtime?: Runtime): Promise<Started> {
  const started = await start(handle, limits, [], runtime);
  open.push({ close: () => started.listener.close({ graceMs: 0 }) });
  return started;
}

afterEach(async () => {
  for (const each of open) await each.close();
  open = [];
});

describe.each(PROTOCOLS)('over %s', (_protocol, connect) => {
  async function serving(handle: Handle, limits: Partial<Limits>): Promise<Started & { client: Client }> {
    const started = await serve(handle, limits);
    const client = connect(started.listener);
    open.unshift(client);
    return { ...started, client };
  }

  test('headers past the limit are answered with 431', async () => {
    const { client } = await serving(word, { headerBytes: 20_000 });
    expect((await ask(client, { headers: { 'x-long': 'x'.repeat(19_000) } })).status).toBe(200);
    expect((await ask(client, { headers: { 'x-long': 'x'.repeat(21_000) } })).status).toBe(431);
    expect((await ask(client)).status).toBe(200);
  });

  test('a thousand headers arrive, none is dropped', async () => {
    const names: string[] = [];
    const { client } = await serving(async (request) => {
      for (const name of Object.keys(request.headers)) if (name.startsWith('x-')) names.push(name);
      return word(request);
    }, {});
    const headers = Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`x-${at}`, 'y']));
    expect((await ask(client, { headers })).status).toBe(200);
    expect(names).toHaveLength(1_500);
  });

  test('a quiet stream and a slow handler are not cut off', async () => {
    const body = new ScriptedBody();
    const { client } = await serving(
      async ({ target }) => {
        if (target === '/stream') return { status: 200, headers: [], body };
        await sleep(2 * LIMIT_MS);
        return { status: 200, headers: [], body: Buffer.from('late') };
      },
      { idleTimeout: LIMIT_MS, headersTimeout: LIMIT_MS, bodyTimeout: LIMIT_MS },
    );
    expect(String((await ask(client, { path: '/slow' })).body)).toBe('late');
    const opened = await client.open({ path: '/stream' });
    await sleep(2 * LIMIT_MS);
    (await body.started).write(Buffer.from('still here'));
    expect(String((await opened.body[Symbol.asyncIterator]().next()).value)).toBe('still here');
    expect(body.calls).toEqual(['start']);
  });
});

describe('a connection is closed when it has been idle for a while', () => {
  function letTimePass(runtime: ShiftableRuntime): void {
    const clock = setInterval(() => runtime.advance(DEFAULT_LIMITS.idleTimeout), 5);
    open.unshift({ close: () => clearInterval(clock) });
  }

  test('over HTTP/1.1', async () => {
    const runtime = new ShiftableRuntime();
    const { listener } = await serve(word, {}, runtime);
    const { socket, text } = await rawConnection(listener);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
    letTimePass(runtime);
    expect(await text).toMatch(/word$/);
  });

  test('over HTTP/2, also after a stream', async () => {
    const body = new ScriptedBody();
    const runtime = new ShiftableRuntime();
    const { listener } = await serve(async () => ({ status: 200, headers: [], body }), {}, runtime);
    const session = connectHttp2(listener.url, { ca: PAIR.cert });
    open.unshift({ close: () => session.destroy() });
    const stream = session.request({}).resume();
    (await body.started).end();
    await once(stream, 'close');
    letTimePass(runtime);
    await once(session, 'close');
  });
});

describe('a client that has stopped to take its answer', () => {
  /** More than systems hold back for a connection. */
  const LONG = Buffer.alloc(64 << 20);
  const long: Handle = async () => ({ status: 200, headers: [], body: LONG });
  const ROUND_MS = DEFAULT_LIMITS.idleTimeout / 2;

  test.each(PROTOCOLS)('is cut off over %s', async (_name, connect) => {
    const runtime = new ShiftableRuntime();
    let isGone = false;
    const noting: Handle = (request) => {
      request.onceGone(() => {
        isGone = true;
      });
      return long(request);
    };
    const { listener } = await serve(noting, {}, runtime);
    const client = connect(listener);
    open.unshift(client);
    const { body } = await client.open({});
    body.on('error', () => {});
    await sleep(100);
    for (let round = 0; round < 3; round++) runtime.advance(ROUND_MS);
    await sleep(100);
    expect(isGone).toBe(false);
    await insist(() => {
      runtime.advance(ROUND_MS);
      expect(isGone).toBe(true);
    });
  });

  test.each(PROTOCOLS)('may do so for as long as it likes where that is a stream, over %s', async (_name, connect) => {
    const runtime = new ShiftableRuntime();
    const body = new ScriptedBody();
    const { listener } = await serve(async () => ({ status: 200, headers: [], body }), {}, runtime);
    const client = connect(listener);
    open.unshift(client);
    await client.open({});
    const sink = await body.started;
    while (sink.write(Buffer.alloc(1 << 20)));
    await sleep(100);
    for (let round = 0; round < 20; round++) runtime.advance(ROUND_MS);
    await sleep(100);
    expect(body.calls).not.toContain('close');
  });

  test.each(PROTOCOLS)('and goes on now and then gets all of it over %s', async (_name, connect) => {
    const runtime = new ShiftableRuntime();
    const { listener } = await serve(long, {}, runtime);
    const client = connect(listener);
    open.unshift(client);
    const { body } = await client.open({});
    let [taken, next] = [0, 1 << 20];
    for await (const part of body) {
      taken += part.length;
      if (taken < next) continue;
      next += 1 << 20;
      runtime.advance(ROUND_MS);
    }
    expect(taken).toBe(LONG.length);
  });
});

test('an HTTP/1.1 client that goes on sending after the answer is cut off', async () => {
  const { listener } = await serve(async () => ({ status: 403, headers: [], body: [] }), {
    lingerBytes: 100_000,
    lingerTimeout: 60_000,
  });
  const { socket, text } = await rawConnection(listener);
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
  const flood = setInterval(() => socket.write(`8000\r\n${'x'.repeat(0x8000)}\r\n`), 1);
  const received = await text;
  clearInterval(flood);
  expect(received).toMatch(/^HTTP\/1.1 403 Forbidden\r\n[\s\S]*Connection: close\r\n/);
});

test('HTTP/2 headers far past the limit reset their stream and harm no other', async () => {
  const { listener } = await serve(word, { headerBytes: 8_000 });
  const session = connectHttp2(listener.url, { ca: PAIR.cert });
  open.unshift({ close: () => session.destroy() });
  const fate = (headers: Record<string, string>): Promise<unknown> =>
    new Promise((resolve) => {
      const stream = session.request(headers);
      stream.on('response', (answer) => resolve(answer[':status']));
      stream.on('error', (error) => resolve(error.message));
      stream.resume();
    });
  // A first request, since the client is bound by the limit only once it has heard of it.
  expect(await fate({})).toBe(200);
  expect(await fate({ 'x-long': 'x'.repeat(40_000) })).toMatch(/ENHANCE_YOUR_CALM/);
  expect(await fate({})).toBe(200);
});

describe('a client that takes its time', () => {
  const limits = { headersTimeout: LIMIT_MS, bodyTimeout: LIMIT_MS };

  test('is cut off when it connects and says nothing', async () => {
    const { listener } = await serve(word, { handshakeTimeout: 80 });
    const socket = connectTcp(listener.port, '127.0.0.1').resume();
    open.unshift({ close: () => socket.destroy() });
    await new Promise((resolve) => socket.once('close', resolve));
  });

  test.each(['http/1.1', 'h2'])('is cut off when it speaks %s and asks nothing', async (protocol) => {
    const { listener } = await serve(word, { ...limits, idleTimeout: LIMIT_MS });
    const { text } = await rawConnection(listener, protocol);
    expect(await text).toBeDefined();
  });

  test('is cut off with 408 when its headers come byte by byte', async () => {
    const { listener } = await serve(word, limits);
    const { socket, text } = await rawConnection(listener);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    const drip = setInterval(() => socket.write('x'), 5);
    const received = await text;
    clearInterval(drip);
    expect(received).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
  });

  test('is cut off with 408 when the second request on its connection does not come to an end', async () => {
    const { listener } = await serve(word, limits);
    const { socket, text } = await rawConnection(listener);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /');
    expect(await text).toMatch(/word[\s\S]*HTTP\/1.1 408 Request Timeout\r\n/);
  });

  test('gets a 400 when its body does not come, over HTTP/1.1', async () => {
    const { listener } = await serve(reading, { ...limits, lingerTimeout: 50 });
    const { socket, text } = await rawConnection(listener);
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nfive.');
    expect(await text).toMatch(/^HTTP\/1.1 400 [\s\S]*BadRequest$/);
  });

  test('gets a 400 when its body does not come, over HTTP/2', async () => {
    const { listener } = await serve(reading, limits);
    const session = connectHttp2(listener.url, { ca: PAIR.cert });
    open.unshift({ close: () => session.destroy() });
    const stream = session.request({ ':method': 'POST' });
    stream.write('five.');
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(String(Buffer.concat(chunks))).toBe('BadRequest');
  });
});

describe('nonsense', () => {
  test.each([
    ['a request line that is none', 'NONSENSE\r\n\r\n'],
    ['two lengths', 'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
  ])('%s is answered with 400', async (_name, sent) => {
    const { listener } = await serve(word, {});
    const { socket, text } = await rawConnection(listener);
    socket.write(sent);
    expect(await text).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
  });

  test('neither bytes that are not TLS, nor resets, nor broken HTTP/2 reach anyone else', async () => {
    const { listener, errors } = await serve(word, {});
    const plain = connectTcp(listener.port, '127.0.0.1', () =>
      plain.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'),
    ).resume();
    plain.on('error', () => {});
    await new Promise((resolve) => plain.once('close', resolve));

    const hasty = connectTcp(listener.port, '127.0.0.1', () => hasty.resetAndDestroy());
    await new Promise((resolve) => hasty.once('close', resolve));

    const { socket: broken, text } = await rawConnection(listener, 'h2');
    broken.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nand then something else entirely');
    await text;

    for (const [, connect] of PROTOCOLS) {
      const client = connect(listener);
      open.unshift(client);
      expect((await ask(client)).status).toBe(200);
    }
    expect(errors).toEqual([]);
  });
});

describe('a request over HTTP/1 that could be two to someone in between', () => {
  test.each([
    ['has no Host', 'GET / HTTP/1.1\r\n\r\n'],
    ['has two', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['has two, spelled differently', 'GET / HTTP/1.1\r\nHost: a\r\nhOST: a\r\n\r\n'],
    ['is older than both', 'GET /\r\n\r\n'],
    ['says it is older than both', 'GET / HTTP/0.9\r\nHost: a\r\n\r\n'],
    ['has two although it is older', 'GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['asks for an upgrade without a Host', 'GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
  ])('%s: it is refused, and nothing after it is looked at', async (_how, request) => {
    const { listener } = await serve(async () => ({ status: 200, headers: [], body: Buffer.from('served') }), {});
    const { socket, text } = await rawConnection(listener);
    socket.write(`${request}GET / HTTP/1.1\r\nHost: a\r\n\r\n`);
    const answer = await text;
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).not.toContain('served');
  });
});
