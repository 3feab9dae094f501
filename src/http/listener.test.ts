import { request as requestPlain } from 'node:http';
import { connect as connectHttp2, constants } from 'node:http2';
import { request as requestHttp1 } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../api/errors.ts';
import type { Handle } from './handler.ts';
import { headerList } from './headers.ts';
import { type Listener, listen } from './listener.ts';
import type { Body, HttpRequest, Reply } from './message.ts';
import {
  ask,
  type Client,
  http1Client,
  PAIR,
  PROTOCOLS,
  rawConnection,
  type Started,
  selfSigned,
  start,
} from './test-listener.ts';

const text = (body: string, status = 200): Reply => ({
  status,
  headers: ['Content-Type', 'text/plain'],
  body: Buffer.from(body),
});
const replying =
  (body: Body): Handle =>
  async () => ({ status: 200, headers: [], body });

/** What the pipeline does with a body: reads it, and renders the failure when that fails. */
const echo =
  (limit: number): Handle =>
  async (request) => {
    try {
      return { status: 200, headers: [], body: await request.readBody(limit) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return text(error.reason, error.code);
    }
  };

let open: { close(): unknown }[] = [];

async function serve(...[handle, limits, clientCas]: Parameters<typeof start>): Promise<Started> {
  const started = await start(handle, limits, clientCas);
  open.push({ close: () => started.listener.close({ graceMs: 0 }) });
  return started;
}

afterEach(async () => {
  for (const each of open) await each.close();
  open = [];
});

describe.each(PROTOCOLS)('over %s', (protocol, connect) => {
  async function serving(...options: Parameters<typeof start>): Promise<Started & { client: Client }> {
    const started = await serve(...options);
    const client = connect(started.listener);
    open.unshift(client);
    return { ...started, client };
  }

  test.each([undefined, Buffer.alloc(100)])('a handler learns that its client has gone, body %s', async (body) => {
    let told: () => void = () => {};
    const gone = new Promise<void>((resolve) => {
      told = resolve;
    });
    const { client } = await serving((request) => {
      request.onceGone(told);
      client.close();
      return gone.then(() => text('too late'));
    });
    await expect(client.open(body ? { method: 'POST', body } : {})).rejects.toThrow();
    await gone;
  });

  test('a request reaches the handler as it was sent', async () => {
    let seen: HttpRequest | undefined;
    const { client } = await serving(async (request) => {
      seen = request;
      return text('ok');
    });
    await ask(client, { path: '/a%2Fb?c=d', headers: { 'X-Group': ['a, b', 'c'] } });
    expect(seen).toMatchObject({ method: 'GET', target: '/a%2Fb?c=d', remoteAddress: '127.0.0.1' });
    expect(seen && headerList(seen, 'x-group')).toEqual(['a, b', 'c']);
    expect(seen?.socket?.authorized).toBe(false);
  });

  test('an answer carries its headers, its length and the date', async () => {
    const headers = ['Content-Type', 'text/plain', 'Warning', '299 - "a"', 'Warning', '299 - "b"'];
    const { client } = await serving(async () => ({ status: 201, headers, body: Buffer.from('made') }));
    const answer = await ask(client);
    expect(answer).toMatchObject({ status: 201, headers: { 'content-type': 'text/plain', 'content-length': '4' } });
    expect(answer.headers.warning).toBe('299 - "a", 299 - "b"');
    expect(Date.parse(answer.headers.date ?? '')).not.toBeNaN();
    expect(answer.body.toString()).toBe('made');
  });

  test('HEAD is answered with the headers of GET and no body', async () => {
    const { client } = await serving(async () => {
      await sleep(5);
      return text('four');
    });
    const answer = await ask(client, { method: 'HEAD' });
    expect(answer).toMatchObject({ status: 200, headers: { 'content-length': '4' }, body: Buffer.alloc(0) });
    expect((await ask(client)).body.toString()).toBe('four');
  });

  test.each([
    ['no parts', []],
    ['an empty buffer', Buffer.alloc(0)],
    ['small parts', [Buffer.from('a'), Buffer.alloc(0), Buffer.from('b')]],
    ['a list of 5,000 items', Array.from({ length: 10_000 }, (_, at) => Buffer.alloc(at % 2 ? 1 : 1_000, `${at}`))],
    ['parts of all sizes', [1, 300_000, 0, 5, 16_384, 2_000_000, 7].map((length) => Buffer.alloc(length, `${length}`))],
    ['a buffer of 5 MB', Buffer.alloc(5_000_000, 'abc')],
  ] satisfies [string, Body][])('%s arrive whole', async (_name, body) => {
    const { client } = await serving(replying(body));
    const expected = Buffer.concat([body].flat());
    for (const answer of await Promise.all([ask(client), ask(client)])) {
      expect(answer.headers['content-length']).toBe(String(expected.length));
      expect(answer.body.equals(expected)).toBe(true);
    }
  });

  test('lists sent to many clients at once are not mixed up', async () => {
    const bodies = Array.from({ length: 12 }, (_, at) =>
      Array.from({ length: 900 }, () => Buffer.alloc(999, `<${at}>`)),
    );
    const { listener } = await serving(async ({ target }) => ({
      status: 200,
      headers: [],
      body: bodies[Number(target.slice(1))] ?? [],
    }));
    const clients = bodies.map(() => connect(listener));
    open.unshift(...clients);
    const answers = await Promise.all(clients.map((client, at) => ask(client, { path: `/${at}` })));
    for (const [at, { body }] of answers.entries()) expect(body.equals(Buffer.concat(bodies[at] ?? []))).toBe(true);
  });

  test('a body within the limit is read whole', async () => {
    const { client } = await serving(echo(1_000_000));
    for (const length of [0, 1, 70_000, 1_000_000]) {
      const body = Buffer.alloc(length, 'xyz');
      expect((await ask(client, { method: 'POST', body })).body.equals(body)).toBe(true);
    }
  });

  test('a body that is asked for late is read whole too', async () => {
    const read = echo(1_000_000);
    const { client } = await serving(async (request) => {
      await sleep(20);
      return read(request);
    });
    for (const length of [0, 1, 1_000_000]) {
      const body = Buffer.alloc(length, 'xyz');
      expect((await ask(client, { method: 'POST', body })).body.equals(body)).toBe(true);
    }
  });

  test('a request without a body has an empty one', async () => {
    const { client } = await serving(echo(10));
    expect(await ask(client, { method: 'DELETE' })).toMatchObject({ status: 200, body: Buffer.alloc(0) });
  });

  test('a client sending 10 MiB sees the 413', async () => {
    const { client } = await serving(echo(100_000));
    const body = Buffer.alloc(10 * 1024 * 1024);
    const answer = await ask(client, { method: 'POST', body });
    expect(answer).toMatchObject({ status: 413, body: Buffer.from('RequestEntityTooLarge') });
    expect((await ask(client, { method: 'POST', body: Buffer.from('small') })).body.toString()).toBe('small');
  });

  test('a client sending 10 MiB without saying so sees the 413', async () => {
    const { client } = await serving(echo(100_000));
    const body = Buffer.alloc(10 * 1024 * 1024);
    const headers: Record<string, string> = protocol === 'HTTP/2' ? {} : { 'transfer-encoding': 'chunked' };
    expect((await ask(client, { method: 'POST', body, headers })).status).toBe(413);
    expect((await ask(client)).status).toBe(200);
  });

  test('a request refused before its body is read leaves the connection in use', async () => {
    const { client, listener } = await serving(async ({ method }) => text('no', method === 'POST' ? 403 : 200));
    const ports = new Set<unknown>();
    for (const method of ['POST', 'GET', 'POST', 'GET']) {
      const opened = await client.open({ method, ...(method === 'POST' ? { body: Buffer.alloc(200_000) } : {}) });
      if ('socket' in opened.body) ports.add(Object(opened.body.socket).localPort);
      expect(opened.status).toBe(method === 'POST' ? 403 : 200);
      for await (const _ of opened.body);
    }
    expect(ports.size).toBeLessThan(2);
    expect(listener.port).toBeGreaterThan(0);
  });

  test('a handler that throws is reported and answered with a bare 500', async () => {
    const { client, errors } = await serving(() => Promise.reject(new Error('defect')));
    expect(await ask(client, { path: '/x' })).toMatchObject({ status: 500, body: Buffer.alloc(0) });
    expect(errors).toEqual(['GET /x: defect']);
  });

  test('a reply that cannot be written is reported and answered with a bare 500', async () => {
    const { client, errors } = await serving(async () => ({ status: 42, headers: [], body: [] }));
    expect((await ask(client)).status).toBe(500);
    expect(errors).toHaveLength(1);
  });
});

describe('a client that breaks off its body costs the handler a 400 and nobody else anything', () => {
  async function brokenOff(breakOff: (listener: Listener, begun: Promise<unknown>) => Promise<void>): Promise<unknown> {
    let outcome = (_: unknown): void => {};
    const settled = new Promise((resolve) => {
      outcome = resolve;
    });
    let begin = (_: unknown): void => {};
    const begun = new Promise((resolve) => {
      begin = resolve;
    });
    const { listener, errors } = await serve(async (request) => {
      begin(request);
      outcome(await request.readBody(1_000).catch((error: unknown) => error));
      return text('nobody hears this');
    });
    await breakOff(listener, begun);
    const result = await settled;
    await sleep(10);
    expect(errors).toEqual([]);
    return result;
  }

  test('over HTTP/1.1', async () => {
    const result = await brokenOff(async (listener, begun) => {
      const { socket } = await rawConnection(listener);
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nfive.');
      await begun;
      socket.destroy();
    });
    expect(result).toMatchObject({ reason: 'BadRequest' });
  });

  test('over HTTP/1.1, with a chunk that is none', async () => {
    const result = await brokenOff(async (listener) => {
      const { socket, text: received } = await rawConnection(listener);
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nno number\r\n');
      expect(await received).toMatch(/^HTTP\/1.1 400 /);
    });
    expect(result).toMatchObject({ reason: 'BadRequest' });
  });

  // Node says NO_ERROR for no reason, CANCEL for an abort signal and INTERNAL_ERROR for anything else.
  test.each([
    ['NO_ERROR', undefined],
    ['CANCEL', Object.assign(new Error('stop'), { name: 'AbortError' })],
    ['INTERNAL_ERROR', new Error('stop')],
  ])('over HTTP/2, with a reset saying %s', async (_name, reason) => {
    const result = await brokenOff(async (listener, begun) => {
      const session = connectHttp2(listener.url, { ca: PAIR.cert });
      open.unshift({ close: () => session.destroy() });
      const stream = session.request({ ':method': 'POST' });
      stream.on('error', () => {});
      stream.write('five.');
      await begun;
      stream.destroy(reason);
    });
    expect(result).toMatchObject({ reason: 'BadRequest' });
  });
});

describe('a client that is refused for sending too much', () => {
  test('may send all of it over HTTP/1.1 before it looks for the answer', async () => {
    const { listener } = await serve(echo(100_000));
    const { socket, text: received } = await rawConnection(listener);
    socket.pause();
    const length = 10 * 1024 * 1024;
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`);
    await new Promise<unknown>((resolve) => socket.write(Buffer.alloc(length), resolve));
    socket.resume();
    expect(await received).toMatch(/^HTTP\/1.1 413 [\s\S]*RequestEntityTooLarge$/);
  });

  test('is told to stop over HTTP/2', async () => {
    const { listener } = await serve(echo(100_000));
    const session = connectHttp2(listener.url, { ca: PAIR.cert, maxSessionMemory: 100 });
    open.unshift({ close: () => session.destroy() });
    const stream = session.request({ ':method': 'POST' });
    stream.end(Buffer.alloc(10 * 1024 * 1024));
    const status = new Promise((resolve) => stream.once('response', (answer) => resolve(answer[':status'])));
    stream.resume();
    await new Promise((resolve) => stream.once('close', resolve));
    expect(await status).toBe(413);
    expect(stream.rstCode).toBe(constants.NGHTTP2_NO_ERROR);
  });
});

test('HTTP/1.1 requests pipelined on one connection are answered one after the other', async () => {
  const running: string[] = [];
  const { listener } = await serve(async ({ target }) => {
    running.push(`start ${target}`);
    await sleep(10);
    running.push(`end ${target}`);
    return text(target);
  });
  const { socket, text: received } = await rawConnection(listener);
  const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
  socket.write(get('/1') + get('https://elsewhere/2') + get('/3', 'Connection: close\r\n'));
  expect((await received).match(/^\/\d/gm)).toEqual(['/1', '/2', '/3']);
  expect(running).toEqual(['start /1', 'end /1', 'start /2', 'end /2', 'start /3', 'end /3']);
});

test('a client that asks before sending is told to go on when the body is wanted, and answered at once when not', async () => {
  const { listener } = await serve(echo(100));
  const ask100 = (length: number): Promise<string[]> =>
    new Promise((resolve, reject) => {
      const headers = { expect: '100-continue', 'content-length': length };
      const request = requestHttp1({ port: listener.port, host: '127.0.0.1', ca: PAIR.cert, method: 'POST', headers });
      const events: string[] = [];
      request.on('error', reject);
      request.on('continue', () => {
        events.push('continue');
        request.end(Buffer.alloc(length, 'x'));
      });
      request.on('response', (response) => {
        resolve([...events, String(response.statusCode)]);
        request.destroy();
      });
      request.flushHeaders();
    });
  expect(await ask100(10)).toEqual(['continue', '200']);
  expect(await ask100(1_000)).toEqual(['413']);
});

test('clients are asked for certificates and may decline; whom to believe is not decided here', async () => {
  const trusted = selfSigned('alice');
  const stranger = selfSigned('mallory');
  const { listener } = await serve(
    async ({ socket }) => text(`${socket?.authorized} ${socket?.getPeerX509Certificate()?.subject}`),
    {},
    [trusted.cert],
  );
  const as = async (pair: { key?: string; cert?: string }, protocol: string): Promise<string> => {
    const socket = connectTls({
      host: '127.0.0.1',
      port: listener.port,
      ca: PAIR.cert,
      ALPNProtocols: [protocol],
      ...pair,
    });
    const chunks: Buffer[] = [];
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    for await (const chunk of socket) chunks.push(chunk);
    return Buffer.concat(chunks).toString().split('\r\n\r\n')[1] ?? '';
  };
  expect(await as(trusted, 'http/1.1')).toBe('false CN=alice');
  expect(await as(stranger, 'http/1.1')).toBe('false CN=mallory');
  expect(await as({}, 'http/1.1')).toBe('false undefined');
});

test('connections beyond so many are closed at once, until others have ended', async () => {
  const { listener, errors } = await serve(async () => text('ok'), { connections: 2 });
  const clients = [http1Client(listener), http1Client(listener), http1Client(listener)];
  const answers = (client: Client | undefined) => client && ask(client).then(({ status }) => status);
  expect([await answers(clients[0]), await answers(clients[1])]).toEqual([200, 200]);
  for (let attempt = 0; attempt < 3; attempt++) await expect(answers(clients[2])).rejects.toThrow();
  expect(await answers(clients[0])).toBe(200);
  clients[1]?.close();
  await vi.waitFor(async () => expect(await answers(clients[2])).toBe(200));
  expect(errors).toEqual(['refused beyond 2']);
  for (const client of clients) client.close();
});

test('a reloaded certificate is shown to new connections', async () => {
  const { listener } = await serve(async () => text('ok'));
  const shown = (): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const socket = connectTls({ host: '127.0.0.1', port: listener.port, rejectUnauthorized: false }, () => {
        resolve(socket.getPeerCertificate().subject.CN);
        socket.destroy();
      });
      socket.on('error', reject);
    });
  expect(await shown()).toBe('localhost');
  const next = selfSigned('renewed');
  listener.reload({ ...next, clientCas: [] });
  expect(await shown()).toBe('renewed');
});

describe('when the port cannot be opened', () => {
  const options = { host: '127.0.0.1', ...PAIR, clientCas: [], handleAt: () => replying([]), onError: () => {} };

  test('a taken port is named in one line', async () => {
    const { listener } = await serve(replying([]));
    await expect(listen({ ...options, port: listener.port })).rejects.toThrow(
      `cannot listen on 127.0.0.1:${listener.port}: the port is in use`,
    );
  });

  test('an address of another machine is named in one line', async () => {
    await expect(listen({ ...options, host: '192.0.2.1', port: 1 })).rejects.toThrow(
      'cannot listen on 192.0.2.1:1: the address is not one of this machine',
    );
  });

  test('a broken certificate is named in one line', async () => {
    await expect(listen({ ...options, port: 0, cert: 'nonsense' })).rejects.toThrow(
      /^cannot listen on 127.0.0.1:0: .+$/,
    );
  });
});

test('what answers is told where requests come in', async () => {
  const onError = (error: unknown): void => expect.unreachable(String(error));
  const handleAt = (address: string) => replying(Buffer.from(address));
  const listener = await listen({ host: '127.0.0.1', port: 0, ...PAIR, clientCas: [], handleAt, onError });
  const client = http1Client(listener);
  open.push(client, { close: () => listener.close({ graceMs: 0 }) });
  expect((await ask(client)).body.toString()).toBe(`127.0.0.1:${listener.port}`);
});

test('the url leads to the listener', async () => {
  const { listener } = await serve(replying(Buffer.from('here')));
  expect(listener.url).toBe(`https://127.0.0.1:${listener.port}`);
  expect(listener.host).toBe('127.0.0.1');
});

test('a client that does not encrypt is told so', async () => {
  const { listener } = await serve(replying(Buffer.from('secret')));
  const answer = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    requestPlain({ host: '127.0.0.1', port: listener.port, path: '/api', headers: { 'x-long': 'x'.repeat(2000) } })
      .on('error', reject)
      .on('response', (incoming) => {
        let text = '';
        incoming
          .setEncoding('utf8')
          .on('data', (part: string) => {
            text += part;
          })
          .on('end', () => resolve({ status: incoming.statusCode, text }));
      })
      .end();
  });
  expect(answer).toEqual({ status: 400, text: 'Client sent an HTTP request to an HTTPS server.\n' });
});
