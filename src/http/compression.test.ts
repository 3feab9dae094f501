import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { acceptsGzip, compress } from './compression.ts';
import { hasHeader } from './headers.ts';
import { type Body, type HttpRequest, isStream } from './message.ts';
import { CHUNK, PartReader } from './parts.ts';
import { ScriptedBody } from './test-listener.ts';
import { sourceOf } from './whole-body.ts';

const asking = (accept?: string): HttpRequest => ({
  method: 'GET',
  target: '/',
  headers: { 'accept-encoding': accept },
  rawHeaders: [],
  remoteAddress: '',
  hasBody: false,
  readBody: async () => Buffer.alloc(0),
  onceGone() {},
  streamBody: () => undefined,
  canUpgrade: false,
});

const whole = (body: Body): Buffer => {
  if (isStream(body)) throw new Error('a stream');
  const source = sourceOf(body);
  const pieces: Buffer[] = [];
  while (!source.done) pieces.push(source.next(Buffer.alloc(CHUNK)));
  return Buffer.concat(pieces);
};

const replyOf = (body: Body, headers: string[] = []) => ({ status: 200, headers, body });
const large = Buffer.alloc(200_000, '{"kind":"Thing"},');

test.each([
  ['a buffer', large],
  ['a list', Array.from({ length: 5_000 }, (_, at) => Buffer.from(`{"metadata":{"name":"item-${at}"},"spec":{}},`))],
  ['parts of all sizes', [Buffer.from('['), Buffer.alloc(900_000, 'ab'), Buffer.from(']')]],
] satisfies [string, Body][])('%s that is large is compressed and says so', async (_name, body) => {
  const reply = await compress(asking('gzip, deflate'), replyOf(body, ['Content-Type', 'application/json']));
  expect(reply.headers).toEqual([
    'Content-Type',
    'application/json',
    'Vary',
    'Accept-Encoding',
    'Content-Encoding',
    'gzip',
  ]);
  expect(whole(reply.body).length).toBeLessThan(whole(body).length / 4);
  expect(gunzipSync(whole(reply.body)).equals(whole(body))).toBe(true);
});

test('a large body is not compressed for a client that did not ask, but the answer varies', async () => {
  const reply = await compress(asking(), replyOf(large));
  expect(reply).toEqual({ status: 200, headers: ['Vary', 'Accept-Encoding'], body: large });
});

test('a body that is made on the way is compressed too, unless it is too large to be held as a whole', async () => {
  const sourceFor = (megabytes: number) => new PartReader(Array(megabytes).fill(Buffer.alloc(1 << 20, 'ab')));
  const reply = await compress(asking('gzip'), replyOf(sourceFor(2)));
  expect(gunzipSync(whole(reply.body)).equals(whole(sourceFor(2)))).toBe(true);
  const larger = sourceFor(17);
  expect((await compress(asking('gzip'), replyOf(larger))).body).toBe(larger);
});

test('small bodies, streams and encoded bodies stay as they are', async () => {
  for (const reply of [
    replyOf(Buffer.alloc(1_000)),
    replyOf(new ScriptedBody()),
    replyOf(large, ['content-encoding', 'br']),
  ]) {
    expect(await compress(asking('gzip'), reply)).toBe(reply);
  }
});

test('the threshold can be set', async () => {
  const reply = await compress(asking('gzip'), replyOf(Buffer.alloc(1_000)), 999);
  expect(hasHeader(reply.headers, 'content-encoding')).toBe(true);
});

describe('gzip is', () => {
  test.each(['gzip', 'GZIP', 'deflate, gzip;q=0.5', 'br;q=1.0, gzip; q=0.001'])('accepted by %s', (header) => {
    expect(acceptsGzip(header)).toBe(true);
  });

  test.each([undefined, '', 'identity', 'gzip;q=0', 'gzip; Q=0.0', 'deflate', '*', 'x-gzipped'])(
    'not accepted by %s',
    (header) => {
      expect(acceptsGzip(header)).toBe(false);
    },
  );
});
