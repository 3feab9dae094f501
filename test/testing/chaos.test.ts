import { afterEach, describe, expect, it } from 'vitest';
import { ConfigMap, ValidatingWebhookConfiguration } from '../../src/client/index.ts';
import { seedsOf } from '../../src/testing/chaos/chaos.ts';
import { Decisions } from '../../src/testing/chaos/decisions.ts';
import type { InterceptedRequest } from '../../src/testing/interception.ts';
import { startTestPlane, type TestPlane } from '../../src/testing/test-plane.ts';

const request = (changes: Partial<InterceptedRequest> = {}): InterceptedRequest => ({
  client: 'alice',
  agent: 'program/1',
  verb: 'update',
  kind: 'ConfigMap',
  group: '',
  version: 'v1',
  resource: 'configmaps',
  subresource: '',
  namespace: 'default',
  name: 'a',
  method: 'PUT',
  target: '/',
  auditId: '',
  background: false,
  ...changes,
});

describe('decisions of chaos', () => {
  it('are those of the seed, whatever other clients do meanwhile', () => {
    const [alone, among] = [new Decisions(7), new Decisions(7)];
    const first = Array.from({ length: 20 }, () => alone.next(request()).of('conflict'));
    const second = Array.from({ length: 20 }, () => {
      among.next(request({ client: 'bob' }));
      among.next(request({ name: 'b' }));
      return among.next(request()).of('conflict');
    });
    expect(second).toEqual(first);
    expect(new Set(first).size).toBe(20);
    expect(new Decisions(8).next(request()).of('conflict')).not.toBe(first[0]);
  });

  it('are spread evenly', () => {
    const decisions = new Decisions(1);
    const drawn = Array.from({ length: 2_000 }, () => decisions.next(request()).of('gone'));
    expect(drawn.filter((one) => one < 0.25).length / drawn.length).toBeCloseTo(0.25, 1);
  });
});

describe('a plane with chaos', () => {
  let plane: TestPlane;

  afterEach(() => plane.stop());

  const start = async () => {
    plane = await startTestPlane({ controllers: ['-*'] });
    return plane.client.of(ConfigMap).inNamespace('default');
  };

  const conflictText =
    'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again';

  it('refuses updates as if somebody had been faster, as often as it may, and creations never', async () => {
    const maps = await start();
    using chaos = plane.chaos({ seed: 1, conflict: { probability: 1, most: 2 } });
    const made = await maps.create({ metadata: { name: 'a' } });
    for (const _ of [1, 2]) {
      await expect(maps.update(made)).rejects.toMatchObject({ code: 409, reason: 'Conflict', message: conflictText });
    }
    await maps.update(made);
    expect(chaos.dealt).toEqual(Array(2).fill(expect.stringMatching(/^conflict: \S+ update ConfigMap default\/a$/)));
  });

  it('disturbs whom, what and which kind it is told', async () => {
    const maps = await start();
    const alice = await plane.clientAs('alice', ['system:masters']);
    const theirs = alice.of(ConfigMap).inNamespace('default');
    const made = await maps.create({ metadata: { name: 'a' } });
    using _ = plane.chaos({ seed: 1, client: 'alice', verb: 'update', kind: 'ConfigMap', conflict: 1 });
    await maps.update(made);
    await expect(theirs.update(await theirs.get('a'))).rejects.toMatchObject({ reason: 'Conflict' });
  });

  it('refuses with 429 and says when to come again', async () => {
    await start();
    using _ = plane.chaos({ seed: 1, tooMany: { probability: 1, retryAfterSeconds: 7 } });
    const target = '/api/v1/namespaces';
    const answer = await plane.client.raw({ method: 'GET', target, retries: 0 });
    expect([answer.status, answer.headers?.['retry-after']]).toEqual([429, '7']);
    expect(JSON.parse(answer.body.toString())).toMatchObject({ reason: 'TooManyRequests', code: 429 });
  });

  it.each([
    ['before', false],
    ['after', true],
  ] as const)('breaks connections off %s a write is done', async (when, isDone) => {
    const maps = await start();
    {
      using _ = plane.chaos({ seed: 1, verb: 'create', disconnect: { probability: 1, when } });
      await expect(maps.create({ metadata: { name: 'a' } })).rejects.toThrow();
    }
    expect((await maps.find('a')) !== undefined).toBe(isDone);
  });

  it('expires lists of a version, and no others', async () => {
    const maps = await start();
    const list = (query: string) => plane.client.raw({ method: 'GET', target: `/api/v1/configmaps${query}` });
    await maps.create({ metadata: { name: 'a' } });
    using _ = plane.chaos({ seed: 1, gone: 1 });
    expect((await list('')).status).toBe(200);
    const answer = await list(`?resourceVersion=${plane.server.objects.revision}&resourceVersionMatch=Exact`);
    expect(JSON.parse(answer.body.toString())).toMatchObject({
      reason: 'Expired',
      code: 410,
      message: 'The resourceVersion for the provided list is too old.',
    });
  });

  it('ends watches with an event that says 410, at the border of an event', async () => {
    const maps = await start();
    using chaos = plane.chaos({ seed: 1, verb: 'watch', gone: { probability: 1, most: 1 } });
    const target = `/api/v1/namespaces/default/configmaps?watch=1&resourceVersion=${plane.server.objects.revision}`;
    const watch = plane.client.raw({ method: 'GET', target });
    await expect.poll(() => chaos.dealt.length).toBe(1);
    for (const name of ['a', 'b', 'c', 'd', 'e']) await maps.create({ metadata: { name } });
    const lines = (await watch).body.toString().trimEnd().split('\n');
    const events = lines.map((line) => JSON.parse(line));
    expect(events.at(-1)).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
    expect(events.slice(0, -1).every(({ type }) => type === 'ADDED')).toBe(true);
  });

  it('has informers see the truth in the end, however often watches end', async () => {
    const maps = await start();
    using chaos = plane.chaos({ seed: 3, verb: 'watch', gone: { probability: 1, most: 2 }, disconnect: 0 });
    const informer = await maps.informer();
    for (let at = 0; at < 12; at++) await maps.create({ metadata: { name: `m${at}` } });
    await expect.poll(() => informer.store.size).toBe(12);
    expect(chaos.dealt.length).toBeGreaterThan(0);
    await informer.close();
  });

  it('answers reads of any version with an older state, not older than what the client has seen', async () => {
    const maps = await start();
    const reader = await plane.clientAs('reader', ['system:masters']);
    using _ = plane.chaos({ seed: 1, client: 'reader', staleRead: { probability: 1, versions: 100 } });
    const theirs = reader.of(ConfigMap).inNamespace('default');
    const made = await maps.create({ metadata: { name: 'a' }, data: { at: '0' } });
    expect((await theirs.get('a')).data).toEqual({ at: '0' });
    const floor = Number(made.metadata.resourceVersion);
    for (let at = 1; at <= 5; at++) await maps.patch('a', { merge: { data: { at: String(at) } } });
    expect((await theirs.get('a')).data).toEqual({ at: '5' });
    for (let at = 6; at <= 9; at++) await maps.patch('a', { merge: { data: { at: String(at) } } });
    const stale = await theirs.get('a', { resourceVersion: '0' });
    expect(Number(stale.data?.at)).toBeGreaterThanOrEqual(5);
    expect(Number(stale.data?.at)).toBeLessThan(9);
    expect(Number(stale.metadata.resourceVersion)).toBeGreaterThan(floor);
    expect(stale).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1' });
  });

  it('has webhooks fail that must answer', async () => {
    const maps = await start();
    await plane.client.of(ValidatingWebhookConfiguration).create({
      metadata: { name: 'hooks' },
      webhooks: [
        {
          name: 'hook.example.com',
          clientConfig: { url: 'https://127.0.0.1:1/never' },
          rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          failurePolicy: 'Fail',
        },
      ],
    });
    using chaos = plane.chaos({ seed: 1, webhookDown: 1 });
    const refusal = await maps.create({ metadata: { name: 'a' } }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: 500,
      message: expect.stringContaining('failed calling webhook "hook.example.com": failed to call webhook'),
    });
    expect(chaos.dealt).toHaveLength(1);
  });

  it('tells its seed when a test fails, and refuses what is no probability', async () => {
    await start();
    const tells: (() => void)[] = [];
    {
      using chaos = plane.chaos({ conflict: 0.5, onTestFailed: (tell) => void tells.push(tell) });
      expect(seedsOf(plane)).toBe(`chaos seed ${chaos.seed}`);
      expect(tells).toHaveLength(1);
    }
    expect(seedsOf(plane)).toBe('');
    expect(() => plane.chaos({ conflict: 1.5 })).toThrow('conflict');
    expect(() => plane.chaos({ seed: 0.5 })).toThrow('0.5');
  });
});
