import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ApiError } from '../api/errors.ts';
import type { Handle } from './handler.ts';
import { headerList } from './headers.ts';
import { inject, injectStream } from './inject.ts';
import type { HttpRequest } from './message.ts';
import { ScriptedBody } from './test-listener.ts';

const streaming =
  (body: ScriptedBody): Handle =>
  async () => ({ status: 200, headers: ['Content-Type', 'text/plain'], body });

test('a request is answered without a socket', async () => {
  let seen: HttpRequest | undefined;
  const answer = await inject(
    async (request) => {
      seen = request;
      const body = await request.readBody(100);
      return { status: 201, headers: ['X-Echo', 'yes'], body: [body, Buffer.from('!')] };
    },
    { method: 'POST', target: '/a?b', headers: { 'X-Group': ['a, b', 'c'] }, body: 'hello' },
  );
  expect(answer).toEqual({
    status: 201,
    headers: [
      ['X-Echo', 'yes'],
      ['Content-Length', '6'],
    ],
    body: Buffer.from('hello!'),
  });
  expect(seen).toMatchObject({ method: 'POST', target: '/a?b', remoteAddress: '', headers: { 'x-group': 'a, b, c' } });
  expect(seen && headerList(seen, 'x-group')).toEqual(['a, b', 'c']);
  expect(seen?.socket).toBeUndefined();
});

test('a body past the limit is refused', async () => {
  const outcome = inject(async (request) => ({ status: 200, headers: [], body: await request.readBody(4) }), {
    target: '/',
    body: 'hello',
  });
  await expect(outcome).rejects.toThrow(ApiError);
});

test('HEAD has the length and no body', async () => {
  const answer = await inject(async () => ({ status: 200, headers: [], body: Buffer.from('four') }), {
    method: 'HEAD',
    target: '/',
  });
  expect(answer).toEqual({ status: 200, headers: [['Content-Length', '4']], body: Buffer.alloc(0) });
});

test('a stream is handed over as it is written', async () => {
  const body = new ScriptedBody();
  const { status, headers, body: received } = await injectStream(streaming(body), { target: '/' });
  expect({ status, headers }).toEqual({ status: 200, headers: [['Content-Type', 'text/plain']] });
  const events: string[] = [];
  const reading = (async () => {
    for await (const event of received) events.push(String(event));
  })();
  for (const event of ['one', 'two', 'three']) {
    body.sink?.write(Buffer.from(event));
    await sleep(1);
    expect(events.at(-1)).toBe(event);
  }
  body.sink?.end();
  await reading;
  await body.closed;
  expect(body.calls).toEqual(['start', 'close']);
});

test('a stream that runs ahead is asked to wait, and told when it has been read', async () => {
  const body = new ScriptedBody();
  const { body: received } = await injectStream(streaming(body), { target: '/' });
  const half = Buffer.alloc(40_000);
  expect(body.sink?.write(half)).toBe(true);
  expect(body.sink?.write(half)).toBe(false);
  expect(body.sink?.buffered).toBe(80_000);
  const reader = received[Symbol.asyncIterator]();
  await reader.next();
  expect(body.calls).toEqual(['start']);
  await reader.next();
  expect(body.calls).toEqual(['start', 'drain']);
  expect(body.sink?.buffered).toBe(0);
});

test('leaving the loop is the client going away', async () => {
  const body = new ScriptedBody();
  const { body: received } = await injectStream(streaming(body), { target: '/' });
  body.sink?.write(Buffer.from('one'));
  body.sink?.write(Buffer.from('two'));
  for await (const _ of received) break;
  await body.closed;
  expect(body.sink?.write(Buffer.from('three'))).toBe(false);
  body.sink?.end();
  await sleep(1);
  expect(body.calls).toEqual(['start', 'close']);
});

test('an aborted stream fails its reader', async () => {
  const body = new ScriptedBody();
  const { body: received } = await injectStream(streaming(body), { target: '/' });
  const reading = (async () => {
    for await (const _ of received);
  })();
  body.sink?.abort();
  await expect(reading).rejects.toThrow('broken off');
  expect(body.calls).toEqual(['start', 'close']);
});

test('a shutdown reaches an injected stream', async () => {
  const body = new ScriptedBody();
  const { body: received, shutdown } = await injectStream(streaming(body), { target: '/' });
  body.sink?.write(Buffer.from('last'));
  shutdown();
  const events: string[] = [];
  for await (const event of received) events.push(String(event));
  expect(events).toEqual(['last']);
  shutdown();
  await body.closed;
  expect(body.calls).toEqual(['start', 'shutdown', 'close']);
});

test('collecting waits for the end of a stream', async () => {
  const body = new ScriptedBody();
  const answer = inject(streaming(body), { target: '/' });
  const sink = await body.started;
  sink.write(Buffer.from('one'));
  await sleep(1);
  sink.write(Buffer.from('two'));
  sink.end();
  expect(String((await answer).body)).toBe('onetwo');
});
