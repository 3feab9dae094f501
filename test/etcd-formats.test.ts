import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Etcd } from './support/etcd.ts';
import { FormerServer } from './support/former-server.ts';
import { PATIENCE_MS } from './support/patience.ts';
import { havePeer } from './support/peers.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const LEASE_MS = 60_000;
const LINGER_MS = 180_000;

/** One server of each format over one etcd; the tests tell one story, in their order. */
describe.runIf(havePeer('etcd', '--version'))('beside a server of the former format', () => {
  const runtime = new ShiftableRuntime();
  let etcd: Etcd;
  let former: FormerServer;
  let plane: TestServer;
  const started: TestServer[] = [];

  const start = async (): Promise<TestServer> => {
    const server = await startTestServer({ store: 'etcd', etcdServers: etcd.endpoints, runtime });
    started.push(server);
    return server;
  };

  const write = async ({ admin }: TestServer, text: string): Promise<number> => {
    const { status, body } = await admin.request('PATCH', `${MAPS}/kept`, { data: { text } });
    expect(status).toBe(200);
    return Number(body.metadata.resourceVersion);
  };

  /** Writes, and tells whether a server of the former format would know that it has to wait for that. */
  const isWrittenForBoth = async (server: TestServer, text: string): Promise<boolean> => {
    const revision = await write(server, text);
    return (await former.head()) >= revision;
  };

  beforeAll(async () => {
    etcd = await Etcd.start();
    former = new FormerServer(etcd.endpoints);
    await former.replay();
    plane = await start();
  });

  afterAll(async () => {
    for (const server of started) await server.close();
    former?.close();
    await etcd?.close();
  });

  it('a server reads what that wrote', async () => {
    expect((await plane.admin.request('GET', `${MAPS}/kept`)).body.data).toEqual({ text: 'second' });
    expect((await plane.admin.request('GET', `${MAPS}/gone`)).status).toBe(404);
  });

  it('a server is told at once what that writes and deletes', async () => {
    const { body: list } = await plane.admin.request('GET', MAPS);
    const watch = await plane.watch(`${MAPS}?watch=1&resourceVersion=${list.metadata.resourceVersion}`);
    await former.putBack();
    expect((await plane.admin.request('GET', `${MAPS}/kept`)).body.data).toEqual({ text: 'first' });
    await former.removeKept();
    expect((await plane.admin.request('GET', `${MAPS}/kept`)).status).toBe(404);
    expect((await watch.take(2)).map(({ type, object }) => `${type} ${object.data?.text}`)).toEqual([
      'MODIFIED first',
      'DELETED first',
    ]);
    watch.close();
    await former.putBack();
  });

  it('a server writes everything so that it can be read there', async () => {
    expect(await isWrittenForBoth(plane, 'for both')).toBe(true);
    await plane.admin.request('POST', MAPS, { metadata: { name: 'passing' }, data: { text: 'left behind' } });
    await plane.admin.request('DELETE', `${MAPS}/passing`);
    expect(await former.left()).toMatch(/"name":"passing".*"text":"left behind"/s);
    expect(await former.identity()).toBe('1 platform');
  });

  it('a server takes the data over when the other has gone, and only then', async () => {
    runtime.advance(LEASE_MS / 2);
    expect(await isWrittenForBoth(plane, 'it is still there')).toBe(true);
    expect(await former.identity()).toBe('1 platform');
    runtime.advance(LEASE_MS);
    await expect.poll(() => former.identity(), { timeout: PATIENCE_MS }).toBe('2 platform');
  });

  it('servers go on for a while as if it were there: one may have opened the data just before', async () => {
    expect(await isWrittenForBoth(plane, 'by the first')).toBe(true);
    expect(await isWrittenForBoth(await start(), 'by the second')).toBe(true);
    runtime.advance(LINGER_MS);
    for (const [i, server] of started.entries()) expect(await isWrittenForBoth(server, `later, by ${i}`)).toBe(false);
  });

  it('a server that learns of it later accommodates it again', async () => {
    await former.renew(runtime.now());
    let tries = 0;
    const again = () => isWrittenForBoth(plane, `once more for both, ${tries++}`);
    await expect.poll(again, { timeout: PATIENCE_MS }).toBe(true);
  });
});
