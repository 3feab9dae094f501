import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { http2Client } from './support/client.ts';
import { Etcd } from './support/etcd.ts';
import { havePeer } from './support/peers.ts';
import { QuotaNamespace } from './support/quota.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

describe.runIf(havePeer('etcd', '--version'))('two servers over one etcd', () => {
  let etcd: Etcd;
  let directory: string;
  let a: TestServer;
  let b: TestServer;

  beforeAll(async () => {
    [etcd, directory] = await Promise.all([Etcd.start(), makeDirectory()]);
    const start = (advertiseAddress: string): Promise<TestServer> =>
      startTestServer({ etcdServers: etcd.endpoints, dataDir: directory, store: 'etcd', advertiseAddress });
    a = await start('192.0.2.1');
    b = await start('192.0.2.2');
  }, 30_000);
  afterAll(async () => {
    await Promise.all([a?.close(), b?.close()]);
    await etcd?.close();
    await removeDirectory(directory);
  });

  it('let 200 creates at once use what is allowed and no more', async () => {
    const namespace = await QuotaNamespace.make(a, 'shared');
    await namespace.bound({ configmaps: '51' });
    const clients = [a, b].map(({ connection }) => http2Client(connection));
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, at) =>
        clients[at % 2]?.request('POST', '/api/v1/namespaces/shared/configmaps', { metadata: { name: `c${at}` } }),
      ),
    );
    for (const client of clients) client.close();
    expect(answers.filter((answer) => answer?.status === 201)).toHaveLength(50);
    expect(new Set(answers.map((answer) => answer?.status))).toEqual(new Set([201, 403]));
    expect(await namespace.used()).toEqual({ configmaps: '51' });
  }, 30_000);

  it('give back to one what was deleted by way of the other', async () => {
    const namespace = await QuotaNamespace.make(a, 'returned');
    await namespace.bound({ secrets: '1' });
    expect((await namespace.request('POST', 'secrets', { metadata: { name: 's' } })).status).toBe(201);
    const there = namespace.through(b);
    expect((await there.request('POST', 'secrets', { metadata: { name: 't' } })).status).toBe(403);
    expect((await there.request('DELETE', 'secrets/s')).status).toBe(200);
    await expect
      .poll(async () => (await namespace.request('POST', 'secrets', { metadata: { name: 't' } })).status)
      .toBe(201);
  });
});
