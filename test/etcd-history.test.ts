import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Etcd } from './support/etcd.ts';
import { PATIENCE_MS } from './support/patience.ts';
import { havePeer } from './support/peers.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const HISTORY_MEMORY = 200_000;

interface Told {
  readonly resourceVersion: string;
  readonly event: string;
  readonly attribution: string;
  readonly user?: string;
  readonly verb?: string;
  readonly fieldManager?: string;
}

interface History {
  readonly oldestResourceVersion: string;
  readonly versions: readonly Told[];
}

describe.runIf(havePeer('etcd', '--version'))('the history of an object over one etcd', () => {
  let etcd: Etcd;
  let directory: string;
  let a: TestServer;
  let b: TestServer;

  const start = (changes: object = {}): Promise<TestServer> =>
    startTestServer({ etcdServers: etcd.endpoints, dataDir: directory, store: 'etcd', ...changes });

  beforeAll(async () => {
    [etcd, directory] = await Promise.all([Etcd.start(), makeDirectory()]);
    a = await start();
    b = await start();
  });

  afterAll(async () => {
    await Promise.all([a?.close(), b?.close()]);
    await etcd?.close();
    await removeDirectory(directory);
  });

  const ask = ({ admin }: TestServer, name: string, more: object = {}) => {
    const spec = { object: { resource: 'configmaps', namespace: 'default', name }, ...more };
    return admin.request('POST', '/apis/explain.platform.io/v1alpha1/objecthistories', { spec });
  };
  const historyOf = async (server: TestServer, name: string): Promise<History> =>
    (await ask(server, name)).body.status as History;
  const versionsOf = async (server: TestServer, name: string) => (await historyOf(server, name)).versions;

  it('is the same on every server, and each says who made what it has stored itself', async () => {
    const path = `${MAPS}/shared`;
    const created = await a.admin.request('POST', `${MAPS}?fieldManager=first`, {
      metadata: { name: 'shared' },
      data: { at: 'a' },
    });
    const patched = await b.admin.request('PATCH', `${path}?fieldManager=second`, { data: { at: 'b' } });
    await a.admin.request('DELETE', path);
    await b.admin.request('GET', path);
    const [onA, onB] = [await versionsOf(a, 'shared'), await versionsOf(b, 'shared')];
    expect(onB.map(({ resourceVersion, event }) => [resourceVersion, event])).toEqual(
      onA.map(({ resourceVersion, event }) => [resourceVersion, event]),
    );
    expect(onA.map(({ event }) => event)).toEqual(['Deleted', 'Updated', 'Created']);
    expect(onA.slice(1).map(({ resourceVersion }) => resourceVersion)).toEqual(
      [patched, created].map(({ body }) => body.metadata.resourceVersion),
    );
    const known = (verb: string) => ({ attribution: 'Known', user: 'platform-admin', verb });
    expect(onA[0]).toMatchObject(known('delete'));
    expect(onA[1]).toMatchObject({ attribution: 'Unknown', fieldManager: 'second' });
    expect(onA[1]).not.toHaveProperty('user');
    expect(onA[2]).toMatchObject({ ...known('create'), fieldManager: 'first' });
    expect(onB[0]).toMatchObject({ attribution: 'Unknown' });
    expect(onB[0]).not.toHaveProperty('fieldManager');
    expect(onB[1]).toMatchObject({ ...known('patch'), fieldManager: 'second' });
    expect(onB[2]).toMatchObject({ attribution: 'Unknown', fieldManager: 'first' });
  });

  it('survives a server that goes, but not what that remembered of writers', async () => {
    const passing = await start();
    const { status } = await passing.admin.request('POST', MAPS, { metadata: { name: 'left' } });
    expect(status).toBe(201);
    expect((await versionsOf(passing, 'left'))[0]).toMatchObject({ attribution: 'Known' });
    await passing.close();
    const next = await start();
    expect(await versionsOf(next, 'left')).toEqual([
      expect.objectContaining({ event: 'Created', attribution: 'Unknown' }),
    ]);
    await next.close();
  });

  it('begins later where it is beyond --history-memory, and says where', { timeout: 2 * PATIENCE_MS }, async () => {
    const small = await start({ historyMemory: HISTORY_MEMORY });
    const path = `${MAPS}/changing`;
    const text = (i: number) => `${i} `.repeat(5_000);
    const first = await small.admin.request('POST', MAPS, { metadata: { name: 'changing' } });
    for (let i = 0; i < 60; i++) await small.admin.request('PATCH', path, { data: { text: text(i) } });
    const history = await historyOf(small, 'changing');
    const begin = Number(first.body.metadata.resourceVersion);
    expect(Number(history.oldestResourceVersion)).toBeGreaterThan(begin);
    expect(history.versions.length).toBeLessThan(30);
    expect(history.versions[0]).toMatchObject({ event: 'Updated', attribution: 'Known', verb: 'patch' });
    const gone = await ask(small, 'changing', { resourceVersion: String(begin) });
    expect(gone).toMatchObject({ status: 410, body: { reason: 'Expired' } });
    // A server with room for more keeps what it has been told.
    expect(await versionsOf(b, 'changing')).toHaveLength(61);
    const [oldest] = (await versionsOf(b, 'changing')).slice(-1);
    expect(oldest).toMatchObject({ event: 'Created', resourceVersion: String(begin) });
    await small.close();
  });
});
