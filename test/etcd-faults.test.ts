import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemRuntime } from '../src/runtime/runtime.ts';
import { Cluster } from '../src/storage/backends/etcd/cluster.ts';
import { Etcd } from './support/etcd.ts';
import { havePeer } from './support/peers.ts';
import { TcpProxy } from './support/tcp-proxy.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string) => ({ metadata: { name } });
/** Nobody is left waiting: some seconds at most, which are more on a busy machine. */
const PROMPTLY_MS = 25_000;

async function timed<T>(action: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await action();
  expect(performance.now() - began).toBeLessThan(PROMPTLY_MS);
  return result;
}

describe.runIf(havePeer('etcd', '--version'))('a server over etcd', () => {
  let directory: string;

  beforeAll(async () => {
    directory = await makeDirectory();
  });

  afterAll(() => removeDirectory(directory));

  const startOver = (etcdServers: string[]): Promise<TestServer> =>
    startTestServer({ store: 'etcd', etcdServers, dataDir: directory });

  describe('of one member', () => {
    let etcd: Etcd;
    let plane: TestServer;

    beforeAll(async () => {
      etcd = await Etcd.start();
      plane = await startOver(etcd.endpoints);
    });

    afterAll(async () => {
      await etcd?.close();
      await plane?.close();
    });

    const write = (name: string) => timed(() => plane.admin.request('POST', MAPS, configMap(name)));

    it('answers 503 and is not ready while etcd is gone, and goes on when it is back', async () => {
      const [member] = etcd.members;
      const { body: list } = await plane.admin.request('GET', MAPS);
      const watch = await plane.watch(`${MAPS}?watch=1&resourceVersion=${list.metadata.resourceVersion}`);
      expect((await write('before')).status).toBe(201);
      await member?.stop('SIGKILL');
      const refused = await write('meanwhile');
      expect(refused).toMatchObject({ status: 503, body: { reason: 'ServiceUnavailable' } });
      expect(refused.headers['retry-after']).toBe('1');
      const get = (path: string) => timed(() => plane.admin.request('GET', path));
      expect((await get(`${MAPS}/before`)).status).toBe(503);
      expect((await get(`${MAPS}/before?resourceVersion=0`)).status).toBe(200);
      const readiness = await get('/readyz');
      expect(readiness.status).toBe(500);
      expect(readiness.text).toMatch(/\[-\]etcd failed/);
      member?.start();
      await member?.ready();
      await expect.poll(async () => (await write('after')).status).toBe(201);
      expect((await get('/readyz')).status).toBe(200);
      const events = await watch.take(2);
      expect(events.map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual([
        'ADDED before',
        'ADDED after',
      ]);
      watch.close();
    });

    it('does not say of a write that etcd never answered whether it was made', async () => {
      const [member] = etcd.members;
      await write('asked');
      await member?.frozen();
      const answer = await write('unanswered').finally(() => member?.thaw());
      expect([503, 504]).toContain(answer.status);
      await expect.poll(async () => (await write('thawed')).status).toBe(201);
    });

    it('ends a watch with 410 when changes were lost to it, and knows what is there now', async () => {
      const proxy = await TcpProxy.to(etcd.endpoints[0] ?? '');
      const far = await startOver([proxy.url]);
      const path = '/api/v1/namespaces/default/secrets';
      await write('seen');
      await plane.admin.request('POST', path, configMap('gone'));
      const { body: list } = await far.admin.request('GET', path);
      const { resourceVersion } = list.metadata;
      const watch = await far.watch(`${path}?watch=1&resourceVersion=${resourceVersion}`);
      proxy.cut();
      await plane.admin.request('DELETE', `${path}/gone`);
      const { body: kept } = await plane.admin.request('POST', path, configMap('kept'));
      const cluster = new Cluster({ runtime: systemRuntime, endpoints: etcd.endpoints });
      await cluster.compact(Number(kept.metadata.resourceVersion));
      cluster.close();
      proxy.restore();
      expect(await watch.next()).toMatchObject({
        type: 'ERROR',
        object: { kind: 'Status', code: 410, reason: 'Expired' },
      });
      expect(await watch.ended).toBe('clean');
      const again = await far.admin.request('GET', `${path}?watch=1&resourceVersion=${resourceVersion}`);
      expect(again).toMatchObject({ status: 410, body: { reason: 'Expired' } });
      const { body: now } = await far.admin.request('GET', path);
      expect(now.items.map(({ metadata }) => metadata.name)).toEqual(['kept']);
      await far.close();
      await proxy.close();
    });
  });

  describe('of three members', () => {
    let etcd: Etcd;
    let plane: TestServer;

    beforeAll(async () => {
      etcd = await Etcd.start(3);
      // Members are asked in their order, so that it is known which is.
      const runtime = { ...systemRuntime, random: () => 0 };
      plane = await startTestServer({ store: 'etcd', etcdServers: etcd.endpoints, runtime });
    });

    afterAll(async () => {
      await plane?.close();
      await etcd?.close();
    });

    it('goes on when the one it talks to is gone or falls silent, and loses nothing', async () => {
      const { body: list } = await plane.admin.request('GET', MAPS);
      const watch = await plane.watch(`${MAPS}?watch=1&resourceVersion=${list.metadata.resourceVersion}`);
      const acknowledged: string[] = [];
      const attempt = async (name: string): Promise<number> => {
        const { status } = await timed(() => plane.admin.request('POST', MAPS, configMap(name)));
        if (status === 201) acknowledged.push(name);
        return status;
      };
      let count = 0;
      const insist = () => expect.poll(() => attempt(`map-${count++}`), { timeout: PROMPTLY_MS }).toBe(201);
      const [first, second] = etcd.members;
      await first?.stop('SIGKILL');
      await insist();
      first?.start();
      await first?.ready();
      second?.freeze();
      await insist();
      second?.thaw();
      await insist();
      const { body: now } = await plane.admin.request('GET', MAPS);
      const names = now.items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith('map-'));
      expect(names).toEqual(expect.arrayContaining(acknowledged));
      const events = await watch.take(names.length);
      expect(events.map(({ object }) => object.metadata.name).sort()).toEqual(names.sort());
      watch.close();
    });
  });
});
