import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemRuntime } from '../src/runtime/runtime.ts';
import { Cluster } from '../src/storage/backends/etcd/cluster.ts';
import {
  customObject,
  DEFINITIONS,
  define,
  definition,
  untilGone,
  untilServed,
  version,
} from './support/definitions.ts';
import { Etcd } from './support/etcd.ts';
import { havePeer } from './support/peers.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, data: Record<string, string> = {}) => ({ metadata: { name }, data });

describe.runIf(havePeer('etcd', '--version'))('two servers over one etcd', () => {
  let etcd: Etcd;
  let directory: string;
  let a: TestServer;
  let b: TestServer;

  const start = (advertiseAddress: string): Promise<TestServer> =>
    startTestServer({ etcdServers: etcd.endpoints, dataDir: directory, store: 'etcd', advertiseAddress });

  beforeAll(async () => {
    [etcd, directory] = await Promise.all([Etcd.start(), makeDirectory()]);
    // Credentials are made by the first; the second finds them.
    a = await start('192.0.2.1');
    b = await start('192.0.2.2');
  });

  afterAll(async () => {
    await Promise.all([a?.close(), b?.close()]);
    await etcd?.close();
    await removeDirectory(directory);
  });

  it('serve a custom kind that was defined on the other, and end it on both', async () => {
    const path = '/apis/zoo.example.com/v1/namespaces/default/lions';
    const lions = definition('lions', 'zoo.example.com', [version('v1', { name: { type: 'string' } })]);
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      await define(one.admin, lions, path);
      await untilServed(other.admin, path);
      expect((await other.admin.request('POST', path, customObject(path, { metadata: { name: 'leo' } }))).status).toBe(
        201,
      );
      expect((await one.admin.request('GET', `${path}/leo`)).status).toBe(200);
      await other.admin.request('DELETE', `${DEFINITIONS}/lions.zoo.example.com`);
      for (const { admin } of [one, other]) await untilGone(admin, path);
    }
  });

  it('show at once on one what was written on the other', async () => {
    for (let i = 0; i < 20; i++) {
      const [writer, reader] = i % 2 ? [a, b] : [b, a];
      const created = await writer.admin.request('POST', MAPS, configMap(`seen-${i}`));
      expect(created.status).toBe(201);
      const read = await reader.admin.request('GET', `${MAPS}/seen-${i}`);
      expect(read.text).toBe(created.text);
      const list = await reader.admin.request('GET', MAPS);
      expect(list.body.items.some(({ metadata }) => metadata.name === `seen-${i}`)).toBe(true);
    }
  });

  it('understand at once a version that the other has given out', async () => {
    const beside = new Cluster({ runtime: systemRuntime, endpoints: etcd.endpoints });
    for (let i = 0; i < 5; i++) {
      await beside.txn({ compare: [], success: [{ put: '/beside', value: Buffer.from('x') }], failure: [] });
      const { resourceVersion } = (await a.admin.request('GET', MAPS)).body.metadata;
      const path = `${MAPS}?resourceVersion=${resourceVersion}&resourceVersionMatch=NotOlderThan`;
      expect((await b.admin.request('GET', path)).status).toBe(200);
    }
    beside.close();
  });

  it('let a write on one build on what the other has just answered', async () => {
    let last = (await a.admin.request('POST', MAPS, configMap('passed', { turn: '0' }))).body;
    for (let i = 1; i <= 20; i++) {
      const server = i % 2 ? b : a;
      const answer = await server.admin.request('PUT', `${MAPS}/passed`, { ...last, data: { turn: `${i}` } });
      expect(answer.status).toBe(200);
      last = answer.body;
    }
    expect(await a.admin.request('POST', '/api/v1/namespaces', { metadata: { name: 'fresh' } })).toMatchObject({
      status: 201,
    });
    const inFresh = await b.admin.request('POST', '/api/v1/namespaces/fresh/configmaps', configMap('first'));
    expect(inFresh.status).toBe(201);
  });

  it('answer 409 on one to a version that the other has replaced', async () => {
    const { body: old } = await a.admin.request('POST', MAPS, configMap('contested'));
    await b.admin.request('PUT', `${MAPS}/contested`, { ...old, data: { by: 'b' } });
    const late = await a.admin.request('PUT', `${MAPS}/contested`, { ...old, data: { by: 'a' } });
    expect(late).toMatchObject({ status: 409, body: { reason: 'Conflict' } });
    const again = await b.admin.request('POST', MAPS, configMap('contested'));
    expect(again).toMatchObject({ status: 409, body: { reason: 'AlreadyExists' } });
    expect((await a.admin.request('DELETE', `${MAPS}/contested`)).status).toBe(200);
    expect((await b.admin.request('DELETE', `${MAPS}/contested`)).status).toBe(404);
  });

  it('lose no patch, whichever of the two it goes to', async () => {
    await a.admin.request('POST', MAPS, configMap('counted'));
    const patch = (server: TestServer, i: number) =>
      server.admin.request('PATCH', `${MAPS}/counted`, { data: { [`key-${i}`]: 'x' } });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => patch(i % 2 ? a : b, i)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { body } = await b.admin.request('GET', `${MAPS}/counted`);
    expect(Object.keys(body.data ?? {})).toHaveLength(20);
  });

  it('send the same events in the same order to watchers of both', async () => {
    const { body: list } = await a.admin.request('GET', MAPS);
    const path = `${MAPS}?watch=1&resourceVersion=${list.metadata.resourceVersion}`;
    const watches = await Promise.all([a.watch(path), b.watch(path)]);
    const lives = Array.from({ length: 20 }, async (_, i) => {
      const server = i % 2 ? a : b;
      await server.admin.request('POST', MAPS, configMap(`told-${i}`));
      await (i % 3 ? a : b).admin.request('PATCH', `${MAPS}/told-${i}`, { data: { i: `${i}` } });
      await (i % 2 ? b : a).admin.request('DELETE', `${MAPS}/told-${i}`);
    });
    await Promise.all(lives);
    const [first, second] = await Promise.all(watches.map((watch) => watch.take(60)));
    expect(second).toEqual(first);
    const revisions = (first ?? []).map(({ object }) => Number(object.metadata.resourceVersion));
    expect(revisions).toEqual([...revisions].sort((x, y) => x - y));
    expect(new Set(revisions).size).toBe(60);
    for (const watch of watches) watch.close();
  });

  it('never give one address or port to two services', async () => {
    const path = '/api/v1/namespaces/default/services';
    const service = (i: number) => ({
      metadata: { name: `service-${i}` },
      spec: { type: 'NodePort', ports: [{ port: 80 }] },
    });
    const create = (i: number) => (i % 2 ? a : b).admin.request('POST', path, service(i));
    const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => create(i)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const taken = answers.map(({ body }) => body.spec as { clusterIP: string; ports: { nodePort: number }[] });
    const addresses = new Set(taken.map(({ clusterIP }) => clusterIP));
    expect(addresses.size).toBe(30);
    expect(new Set(taken.map(({ ports }) => ports[0]?.nodePort)).size).toBe(30);
    const clusterIP = Array.from({ length: 31 }, (_, i) => `10.0.0.${220 + i}`).find(
      (address) => !addresses.has(address),
    );
    const wanted = { spec: { clusterIP, ports: [{ port: 80 }] } };
    const same = await Promise.all(
      [a, b].map(({ admin }, i) => admin.request('POST', path, { ...wanted, metadata: { name: `wanted-${i}` } })),
    );
    expect(same.map(({ status }) => status).sort()).toEqual([201, 422]);
  });

  it('are both behind the service of the plane, and come to rest', async () => {
    const addresses = async () => {
      const { body } = await b.admin.request('GET', '/api/v1/namespaces/default/endpoints/platform');
      return JSON.stringify(body);
    };
    await expect.poll(addresses).toMatch(/192\.0\.2\.1.*192\.0\.2\.2|192\.0\.2\.2.*192\.0\.2\.1/);
    const before = await addresses();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await addresses()).toBe(before);
  });

  it('come up at the same time over an empty store', async () => {
    const together = await Promise.all(
      [1, 2, 3].map(() =>
        startTestServer({ store: 'etcd', etcdServers: etcd.endpoints, etcdPrefix: '/together', dataDir: directory }),
      ),
    );
    const roles = await Promise.all(
      together.map(({ admin }) => admin.request('GET', '/api/v1/namespaces?fieldSelector=metadata.name=default')),
    );
    expect(roles.map(({ body }) => body.items.length)).toEqual([1, 1, 1]);
    await Promise.all(together.map((server) => server.close()));
  });
});
