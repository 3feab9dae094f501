import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API_SERVICES, GROUP, NAME, serving, VERSION } from './support/aggregated-plane.ts';
import { TestAuthority } from './support/certificates.ts';
import { Etcd } from './support/etcd.ts';
import { insist } from './support/patience.ts';
import { havePeer } from './support/peers.ts';
import { StandIn } from './support/stand-in.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** Two servers over one etcd, and one that answers for a group behind both. */
describe.runIf(havePeer('etcd', '--version'))('APIServices of two servers over one etcd', () => {
  let etcd: Etcd;
  let directory: string;
  let backend: StandIn;
  let fronts: TestServer[];
  const authority = new TestAuthority('backends');

  beforeAll(async () => {
    [etcd, directory] = await Promise.all([Etcd.start(), makeDirectory()]);
    backend = await StandIn.open(authority, ['backend.default.svc']);
    backend.answer = serving((_request, response) => response.end('{"kind":"SampleList"}'));
    const start = (advertiseAddress: string): Promise<TestServer> =>
      startTestServer({
        etcdServers: etcd.endpoints,
        dataDir: directory,
        store: 'etcd',
        advertiseAddress,
        network: {
          locate: (place) => (place.host.startsWith('10.1.') ? { host: '127.0.0.1', port: backend.port } : place),
        },
      });
    fronts = [await start('192.0.2.1'), await start('192.0.2.2')];
  });

  afterAll(async () => {
    await Promise.all(fronts.map((front) => front.close()));
    await Promise.all([backend.close(), etcd.close()]);
    await removeDirectory(directory);
  });

  const onBoth = async (path: string): Promise<number[]> =>
    (await Promise.all(fronts.map(({ admin }) => admin.request('GET', path)))).map(({ status }) => status);

  it('are one each for what the servers serve, whoever started first', async () => {
    const [one, other] = await Promise.all(fronts.map(({ admin }) => admin.request('GET', API_SERVICES)));
    expect(one?.body.items.map(({ metadata }) => metadata.name)).toContain('v1.apps');
    expect(other?.body.items).toEqual(one?.body.items);
  });

  it('lead elsewhere on both, are found available by one, and end on both', async () => {
    const [{ admin }, other] = fronts as [TestServer, TestServer];
    const metadata = { name: 'backend' };
    const subsets = [{ addresses: [{ ip: '10.1.0.1' }], ports: [{ port: 8443 }] }];
    await admin.request('POST', '/api/v1/namespaces/default/services', { metadata, spec: { ports: [{ port: 443 }] } });
    await other.admin.request('POST', '/api/v1/namespaces/default/endpoints', { metadata, subsets });
    const made = await admin.request('POST', API_SERVICES, {
      metadata: { name: NAME },
      spec: {
        ...{ group: GROUP, version: 'v1', groupPriorityMinimum: 100, versionPriority: 10 },
        service: { namespace: 'default', name: 'backend' },
        caBundle: Buffer.from(authority.pem).toString('base64'),
      },
    });
    expect(made.status, made.text).toBe(201);
    await insist(async () => expect(await onBoth(`${VERSION}/samples`)).toEqual([200, 200]));
    expect(await onBoth(`/apis/${GROUP}`)).toEqual([200, 200]);
    await other.admin.request('DELETE', '/api/v1/namespaces/default/services/backend');
    await insist(async () => expect(await onBoth(`${VERSION}/samples`)).toEqual([503, 503]));
    await other.admin.request('DELETE', `${API_SERVICES}/${NAME}`);
    await insist(async () => expect(await onBoth(`${VERSION}/samples`)).toEqual([404, 404]));
  });
});
