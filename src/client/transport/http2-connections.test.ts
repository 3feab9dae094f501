import { constants } from 'node:http2';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Http2StandIn, NOBODY } from '../../../test/support/plane-stand-in.ts';
import { ShiftableRuntime } from '../../../test/support/shiftable-runtime.ts';
import { TcpProxy } from '../../../test/support/tcp-proxy.ts';
import { HttpTransport } from '../http-transport.ts';
import type { PlaneRequest } from '../plane-client.ts';

const MEBIBYTE = 2 ** 20;
const read: PlaneRequest = { method: 'GET', target: '/read' };
const change: PlaneRequest = { method: 'POST', target: '/change', body: '{}' };
let plane: Http2StandIn;
let transport: HttpTransport;

beforeEach(async () => {
  plane = await Http2StandIn.open({ settings: { maxConcurrentStreams: 4 } });
  transport = plane.transport({ compression: true });
});

afterEach(async () => {
  transport.close();
  await plane.close();
});

it('many requests share a connection, and further connections are made where it takes no more', async () => {
  const send = transport.sendAs(NOBODY);
  await send(read);
  await Promise.all([1, 2, 3].map(() => send(read)));
  expect(plane.sessions).toHaveLength(1);
  plane.onStream = () => {};
  const open = transport.streamAs(NOBODY);
  for (let at = 0; at < 4; at += 1) void open('/watch', 'application/json').catch(() => {});
  await expect.poll(() => plane.streams.length).toBe(8);
  plane.onStream = (stream) => {
    stream.respond({ ':status': 200 });
    stream.end('{}');
  };
  await send(read);
  expect(plane.sessions).toHaveLength(2);
});

it('a request that has its whole answer is not taken back: servers go away from those who take back many', async () => {
  const send = transport.sendAs(NOBODY);
  const resets = new Set<number | undefined>();
  plane.onStream = (stream) => {
    stream.once('close', () => resets.add(stream.rstCode));
    stream.respond({ ':status': 200 });
    stream.end('{}');
  };
  for (let sent = 0; sent < 1_500; sent++) await send(sent % 2 ? read : change);
  expect(plane.sessions).toHaveLength(1);
  expect([...resets]).toEqual([constants.NGHTTP2_NO_ERROR]);
});

it('what a server that goes away has not begun with is sent again, changes too', async () => {
  const send = transport.sendAs(NOBODY);
  await send(read);
  let isFirst = true;
  plane.onStream = (stream) => {
    if (isFirst) {
      isFirst = false;
      stream.session?.goaway(constants.NGHTTP2_NO_ERROR, 1);
      return;
    }
    stream.respond({ ':status': 200 });
    stream.end('"again"');
  };
  const { body } = await send(change);
  expect(String(body)).toBe('"again"');
  expect(plane.sessions).toHaveLength(2);
});

it('what a server refuses to begin with is sent again, but not for ever', async () => {
  plane.onStream = (stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM);
  await expect(transport.sendAs(NOBODY)(change)).rejects.toThrow();
  expect(plane.streams).toHaveLength(6);
});

it('a read whose connection broke is sent once more, a change is not', async () => {
  const send = transport.sendAs(NOBODY);
  plane.onStream = (stream) => stream.session?.destroy();
  await expect(send(read)).rejects.toThrow();
  expect(plane.paths).toEqual(['/read', '/read']);
  await expect(send(change)).rejects.toThrow();
  expect(plane.paths).toEqual(['/read', '/read', '/change']);
});

it('a server that says when to come again is asked then, so often and within the time there is', async () => {
  const runtime = new ShiftableRuntime();
  const hasty = plane.transport({}, runtime);
  plane.onStream = (stream) => {
    stream.respond({ ':status': plane.streams.length < 3 ? 429 : 200, 'retry-after': '0' });
    stream.end('{}');
  };
  expect((await hasty.sendAs(NOBODY)(change)).status).toBe(200);
  expect(plane.streams).toHaveLength(3);
  plane.onStream = (stream) => {
    stream.respond({ ':status': 503, 'retry-after': '0' });
    stream.end('{}');
  };
  expect((await hasty.sendAs(NOBODY)({ ...read, retries: 2 })).status).toBe(503);
  expect(plane.streams).toHaveLength(6);
  // It may have been made.
  expect((await hasty.sendAs(NOBODY)({ ...change, retries: 2 })).status).toBe(503);
  expect(plane.streams).toHaveLength(7);
  plane.onStream = (stream) => {
    stream.respond({ ':status': 503, 'retry-after': '3600' });
    stream.end('{}');
  };
  expect((await hasty.sendAs(NOBODY)(read)).status).toBe(503);
  hasty.close();
});

it('answers come compressed when that is asked for', async () => {
  plane.onStream = (stream) => {
    stream.respond({ ':status': 200, 'content-encoding': 'gzip' });
    stream.end(gzipSync('{"large":true}'));
  };
  const { body, headers } = await transport.sendAs(NOBODY)(read);
  expect(String(body)).toBe('{"large":true}');
  expect(headers?.['content-encoding']).toBeUndefined();
});

it('a compressed answer that would become too large is not', async () => {
  plane.onStream = (stream) => {
    stream.respond({ ':status': 200, 'content-encoding': 'gzip' });
    stream.end(gzipSync(Buffer.alloc(80 * MEBIBYTE)));
  };
  await expect(transport.sendAs(NOBODY)(read)).rejects.toThrow('the answer is too large');
});

it('a slow reader stops the sender', async () => {
  let sent = 0;
  plane.onStream = (stream) => {
    stream.respond({ ':status': 200 });
    const block = Buffer.alloc(64 * 1024);
    const more = (): void => {
      while (sent < 64 * MEBIBYTE && stream.write(block)) sent += block.length;
      stream.once('drain', more);
    };
    more();
  };
  const slow = await transport.streamAs(NOBODY)('/watch', 'application/json');
  await transport
    .sendAs(NOBODY)(read)
    .catch(() => {});
  let before = -1;
  const isStill = (): boolean => {
    const was = before;
    before = sent;
    return was === sent;
  };
  await expect.poll(isStill, { interval: 100 }).toBe(true);
  expect(sent).toBeLessThan(2 * MEBIBYTE);
  slow.destroy();
});

it('a connection that gives no sign of life is given up', async () => {
  const runtime = new ShiftableRuntime();
  const proxy = await TcpProxy.to(plane.connection.server);
  const server = proxy.url.replace('http:', 'https:');
  const patient = new HttpTransport({ ...plane.connection, server }, runtime, 'test');
  plane.onStream = (stream) => stream.respond({ ':status': 200 });
  const watch = await patient.streamAs(NOBODY)('/watch', 'application/json');
  const ended = text(watch).catch((error: Error) => error);
  for (const isMute of [false, true]) {
    if (isMute) proxy.mute();
    expect(watch.destroyed).toBe(false);
    runtime.advance(30_000);
    // A server that lives answers before its time is over.
    await new Promise((resolve) => setTimeout(resolve, 50));
    runtime.advance(14_000);
  }
  runtime.advance(1_000);
  expect(await ended).toBeInstanceOf(Error);
  patient.close();
  await proxy.close();
});
