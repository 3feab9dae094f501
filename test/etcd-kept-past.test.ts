import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedPlane, startPlane } from '../src/server/server.ts';
import { Etcd } from './support/etcd.ts';
import { PATIENCE_MS } from './support/patience.ts';
import { havePeer } from './support/peers.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';

/** What servers over one etcd remember for longer by `--history-retention-for`: each in its memory, from its own start on. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MAPS = '/api/v1/namespaces/default/configmaps';
const SECRETS = '/api/v1/namespaces/default/secrets';
const WHOLE = ['Deleted', 'Updated', 'Created'];

type Options = NonNullable<Parameters<typeof startPlane>[0]>;

describe.runIf(havePeer('etcd', '--version'))('a longer past over one etcd', { timeout: 2 * PATIENCE_MS }, () => {
  let etcd: Etcd;
  let directory: string;
  let runtime: ShiftableRuntime;
  let planes: EmbeddedPlane[] = [];
  let prefixes = 0;

  beforeAll(async () => {
    [etcd, directory] = await Promise.all([Etcd.start(), makeDirectory()]);
  });
  afterEach(async () => {
    await Promise.all(planes.map((plane) => plane.close()));
    planes = [];
  });
  afterAll(async () => {
    await etcd?.close();
    await removeDirectory(directory);
  });

  /** Of a plane of its own for each test. */
  const newPlane = () => {
    runtime = new ShiftableRuntime();
    prefixes++;
  };

  const start = async (options: Options = {}): Promise<EmbeddedPlane> => {
    const plane = await startPlane({
      runtime,
      store: 'etcd',
      etcdServers: etcd.endpoints,
      etcdPrefix: `/kept-${prefixes}`,
      dataDir: directory,
      controllers: ['-*'],
      historyRetention: 5 * MINUTE,
      historyRetentionFor: ['configmaps=24h'],
      ...options,
    });
    planes.push(plane);
    return plane;
  };

  const send = async (plane: EmbeddedPlane, method: string, target: string, body?: unknown) => {
    const headers = { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const reply = await plane.inject({ method, target, as: 'admin', headers, ...sent });
    return { status: reply.status, body: JSON.parse(String(reply.body)) };
  };

  const ask = (plane: EmbeddedPlane, plural: string, resource: string, name: string, spec: object = {}) =>
    send(plane, 'POST', `/apis/explain.platform.io/v1alpha1/${plural}`, {
      spec: { object: { resource, namespace: 'default', name }, ...spec },
    });

  const eventsOf = async (plane: EmbeddedPlane, resource: string, name: string): Promise<string[] | number> => {
    const { status, body } = await ask(plane, 'objecthistories', resource, name);
    return status === 201 ? body.status.versions.map(({ event }: { event: string }) => event) : status;
  };

  /** Makes, changes and deletes an object; returns the resource version that it had first. */
  const lifeOf = async (plane: EmbeddedPlane, collection: string, name: string, other = ''): Promise<string> => {
    const made = await send(plane, 'POST', collection, { metadata: { name }, data: { k: 'MQ==', other } });
    await send(plane, 'PATCH', `${collection}/${name}`, { data: { k: 'Mg==' } });
    await send(plane, 'DELETE', `${collection}/${name}`);
    return made.body.metadata.resourceVersion;
  };

  /** As much time as etcd needs to follow. */
  const pass = async (plane: EmbeddedPlane, milliseconds: number): Promise<void> => {
    for (let passed = 0; passed < milliseconds; passed += 10_000) {
      runtime.advance(10_000);
      await send(plane, 'GET', MAPS);
    }
  };

  it('is the same on every server, and what one brings back is there on all', async () => {
    newPlane();
    const [a, b] = [await start(), await start()];
    const first = await lifeOf(a, MAPS, 'kept');
    await lifeOf(a, SECRETS, 'usual');
    await send(b, 'GET', MAPS);
    runtime.advance(HOUR);
    for (const plane of [a, b]) {
      await expect.poll(() => eventsOf(plane, 'secrets', 'usual')).toBe(404);
      expect(await eventsOf(plane, 'configmaps', 'kept')).toEqual(WHOLE);
      expect((await send(plane, 'GET', `${MAPS}?watch=true&resourceVersion=${first}`)).body.code).toBe(410);
      const { body } = await ask(plane, 'objecthistories', 'configmaps', 'kept', { resourceVersion: first });
      expect(body.status).toMatchObject({ exists: false, object: { data: { k: 'MQ==' } } });
    }
    expect((await ask(b, 'objectrestores', 'configmaps', 'kept', { deleted: true })).status).toBe(201);
    expect((await send(a, 'GET', `${MAPS}/kept`)).body.data).toEqual({ k: 'Mg==', other: '' });
    for (const plane of [a, b]) expect(await eventsOf(plane, 'configmaps', 'kept')).toEqual(['Created', ...WHOLE]);
  });

  it('begins with the start of a server, which says so', async () => {
    newPlane();
    const short = { historyRetention: MINUTE };
    const a = await start(short);
    const first = await lifeOf(a, MAPS, 'early');
    await pass(a, 3 * MINUTE);
    const late = await start(short);
    expect(await eventsOf(a, 'configmaps', 'early')).toEqual(WHOLE);
    expect(await eventsOf(late, 'configmaps', 'early')).toBe(404);
    const gone = await ask(late, 'objecthistories', 'configmaps', 'early', { resourceVersion: first });
    expect([gone.status, gone.body.message]).toEqual([410, expect.stringContaining('is forgotten')]);
    await lifeOf(a, MAPS, 'later');
    await send(late, 'GET', MAPS);
    runtime.advance(HOUR);
    expect(await eventsOf(late, 'configmaps', 'later')).toEqual(WHOLE);
    const { oldestResourceVersion } = (await ask(late, 'objecthistories', 'configmaps', 'later')).body.status;
    expect(Number(oldestResourceVersion)).toBeGreaterThan(Number(first));
  });

  it('goes when its own time is over', async () => {
    newPlane();
    const plane = await start();
    await lifeOf(plane, MAPS, 'early');
    runtime.advance(23 * HOUR);
    await lifeOf(plane, MAPS, 'late');
    runtime.advance(2 * HOUR);
    expect(await eventsOf(plane, 'configmaps', 'early')).toBe(404);
    expect(await eventsOf(plane, 'configmaps', 'late')).toEqual(WHOLE);
  });

  it('gives way to what can be watched where it is beyond --history-memory, oldest first', async () => {
    newPlane();
    const plane = await start({ historyMemory: 200_000 });
    for (const name of ['first', 'second', 'third']) await lifeOf(plane, MAPS, name, 'x'.repeat(20_000));
    runtime.advance(HOUR);
    for (const name of ['first', 'second', 'third']) expect(await eventsOf(plane, 'configmaps', name)).toEqual(WHOLE);
    await send(plane, 'POST', SECRETS, { metadata: { name: 'large' } });
    const change = (round: number) =>
      send(plane, 'PATCH', `${SECRETS}/large`, { stringData: { k: `${round}`.repeat(30_000) } });
    for (let round = 0; round < 3; round++) await change(round);
    expect(await eventsOf(plane, 'configmaps', 'first')).toBe(404);
    expect(await eventsOf(plane, 'configmaps', 'third')).toEqual(WHOLE);
    for (let round = 3; round < 5; round++) await change(round);
    expect(await eventsOf(plane, 'configmaps', 'third')).toBe(404);
    expect(await eventsOf(plane, 'secrets', 'large')).toHaveLength(6);
  });
});
