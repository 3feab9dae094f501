import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { asNobody, http1Client } from './support/client.ts';
import { sendHttp1, sendHttp2 } from './support/held-request.ts';
import { logOf } from './support/log-of.ts';
import { insist } from './support/patience.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';
import { WebhookPlane } from './support/webhook-plane.ts';
import type { Behaviour } from './support/webhook-server.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';

describe('a timeout in the query', () => {
  let plane: TestServer;
  beforeAll(async () => {
    plane = await startTestServer();
  });
  afterAll(() => plane.close());

  it.each(['/api/v1/namespaces', MAPS, '/version', '/apis', '/nowhere', '/apis/apps/v1'])(
    'that is none is refused on %s, whoever asks',
    async (path) => {
      const nobody = http1Client(asNobody(plane.connection));
      for (const client of [plane.admin, nobody]) {
        const { status, body } = await client.request('GET', `${path}?timeout=garbage`);
        expect([status, body.reason]).toEqual([400, 'BadRequest']);
        expect(body.message).toBe('invalid timeout specified in the request URL - time: invalid duration "garbage"');
      }
      nobody.close();
    },
  );

  it('means nothing to a watch', async () => {
    const watch = await plane.watch(`${MAPS}?watch=1&timeout=garbage`);
    await plane.admin.request('POST', MAPS, { metadata: { name: 'seen' } });
    expect((await watch.next()).object.kind).toBe('ConfigMap');
    watch.close();
  });

  it.each(['32s', '0', '-5s', '1000h', ''])('of %j lets ordinary requests be', async (timeout) => {
    expect((await plane.admin.request('GET', `/api/v1/namespaces?timeout=${timeout}`)).status).toBe(200);
  });

  it.each([
    ['HTTP/1.1', sendHttp1],
    ['HTTP/2', sendHttp2],
  ])('ends a request whose body does not come, over %s', async (_protocol, send) => {
    const held = send(plane.connection, `${MAPS}?timeout=30ms`, { metadata: { name: 'slow' } }, true);
    const { status, body } = await held.answer;
    expect([status, body.reason, body.code]).toEqual([504, 'Timeout', 504]);
    held.leave();
  });

  it('says so when the change may have been made', async () => {
    const log = logOf(plane.server);
    const commit = log.commit.bind(log);
    const gate = new EventEmitter();
    const stored = once(gate, 'open');
    const spy = vi.spyOn(log, 'commit').mockImplementation(async (write) => {
      if (!write.key.endsWith('/doubtful')) return commit(write);
      await stored;
      return commit(write);
    });
    const { status, body } = await plane.admin.request('POST', `${MAPS}?timeout=30ms`, {
      metadata: { name: 'doubtful' },
    });
    expect([status, body.reason]).toEqual([504, 'Timeout']);
    expect(body.message).toMatch(/it is not known whether the change was made/);
    gate.emit('open');
    await insist(async () => {
      expect((await plane.admin.request('GET', `${MAPS}/doubtful`)).status).toBe(200);
    });
    spy.mockRestore();
  });
});

describe('while a webhook does not answer', () => {
  const runtime = new ShiftableRuntime();
  let ground: WebhookPlane;
  beforeAll(async () => {
    ground = await WebhookPlane.start({ runtime, requestTimeout: 10_000 });
  });
  afterAll(() => ground.close());

  /** A webhook that keeps its questions: resolves when it is asked, and when the server has given up on it. */
  function silent(path: string): { asked: Promise<unknown>; givenUp: Promise<unknown> } {
    const events = new EventEmitter();
    const behaviour: Behaviour = (_call, response) => {
      response.once('close', () => events.emit('given up'));
      events.emit('asked');
    };
    ground.hooks.at(path, behaviour);
    return { asked: once(events, 'asked'), givenUp: once(events, 'given up') };
  }

  it.each([
    ['Fail', 'by the timeout of the client', '?timeout=5s', 5_000],
    ['Ignore', 'by the timeout of the client', '?timeout=5s', 5_000],
    ['Fail', 'by that of the server', '', 10_000],
    ['Ignore', 'by that of the server', '?timeout=10m', 10_000],
  ])(
    'a request is ended (%s) %s, the call is given up and nothing is made',
    async (failurePolicy, _whose, query, limit) => {
      const namespace = await ground.namespace();
      const path = `/${ground.fresh('silent')}`;
      const { asked, givenUp } = silent(path);
      const webhook = ground.webhook(path, namespace, { failurePolicy, timeoutSeconds: 30 });
      await ground.configure('mutating', [webhook]);
      const answer = ground.createConfigMap(namespace, { name: 'never' }, query);
      await asked;
      runtime.advance(limit);
      const { status, body } = await answer;
      expect([status, body.reason]).toEqual([504, 'Timeout']);
      expect(body.message).toBe('request did not complete within the allotted timeout');
      await givenUp;
      const found = await ground.request('GET', `/api/v1/namespaces/${namespace}/configmaps/never`);
      expect(found.status).toBe(404);
    },
  );
});

it('a watch without a timeout of its own lasts as long as the settings say, to twice that', async () => {
  const runtime = new ShiftableRuntime();
  const plane = await startTestServer({ runtime, minRequestTimeout: 10, requestTimeout: 5_000 });
  const watch = await plane.watch(`${MAPS}?watch=1&resourceVersion=1`);
  runtime.advance(9_000);
  await plane.admin.request('POST', MAPS, { metadata: { name: 'seen' } });
  const names: string[] = [];
  while (!names.includes('seen')) names.push((await watch.next()).object.metadata.name);
  runtime.advance(12_000);
  expect(await watch.ended).toBe('clean');
  await plane.close();
});
