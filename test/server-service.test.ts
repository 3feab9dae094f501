import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { StartOptions } from '../src/server/server.ts';
import type { Document } from './support/client.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const SERVICE = '/api/v1/namespaces/default/services/platform';
const ENDPOINTS = '/api/v1/namespaces/default/endpoints/platform';
const SLICE = '/apis/discovery.platform.io/v1/namespaces/default/endpointslices/platform';

async function start(options?: StartOptions): Promise<TestServer> {
  const plane = await startTestServer({ advertiseAddress: '192.0.2.7', ...options });
  onTestFinished(() => plane.close());
  return plane;
}

const read = async ({ admin }: TestServer, path: string): Promise<Document> => (await admin.request('GET', path)).body;

/** Reads until the object is as it should be: control loops take a moment. */
const eventually = (plane: TestServer, path: string, expected: object) =>
  expect.poll(() => read(plane, path), { interval: 5 }).toMatchObject(expected);

describe('the server as a service', () => {
  it('has the first address, and itself behind it', async () => {
    const plane = await start();
    const { port } = plane.server;
    expect(await read(plane, SERVICE)).toMatchObject({
      metadata: { labels: { component: 'apiserver', provider: 'platform' } },
      spec: { clusterIP: '10.0.0.1', ports: [{ name: 'https', port: 443, targetPort: port }] },
    });
    expect(await read(plane, ENDPOINTS)).toMatchObject({
      subsets: [{ addresses: [{ ip: '192.0.2.7' }], ports: [{ name: 'https', port, protocol: 'TCP' }] }],
    });
    expect(await read(plane, SLICE)).toMatchObject({
      metadata: { labels: { 'platform.io/service-name': 'platform' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['192.0.2.7'], conditions: { ready: true } }],
      ports: [{ name: 'https', port, protocol: 'TCP' }],
    });
  });

  it('is called as the vocabulary says', async () => {
    const plane = await start({ vocabulary: 'kubernetes' });
    const { body } = await plane.admin.request('GET', SERVICE.replace('platform', 'kubernetes'));
    expect(body.metadata.labels).toEqual({ component: 'apiserver', provider: 'kubernetes' });
  });

  it('is put back when someone deletes or changes it', async () => {
    const plane = await start();
    for (const path of [SERVICE, ENDPOINTS, SLICE]) await plane.admin.request('DELETE', path);
    await eventually(plane, SERVICE, { spec: { clusterIP: '10.0.0.1' } });
    await eventually(plane, ENDPOINTS, { subsets: [{ addresses: [{ ip: '192.0.2.7' }] }] });
    await eventually(plane, SLICE, { endpoints: [{ addresses: ['192.0.2.7'] }] });
    const metadata = { annotations: { note: 'kept' } };
    await plane.admin.request('PATCH', SERVICE, { metadata, spec: { type: 'NodePort' } });
    await eventually(plane, SERVICE, { metadata, spec: { type: 'ClusterIP' } });
  });

  it('does not lend its address', async () => {
    const plane = await start({ serviceClusterIpRange: '10.0.0.0/29' });
    const create = (name: string, clusterIP?: string) =>
      plane.admin.request('POST', '/api/v1/namespaces/default/services', {
        metadata: { name },
        spec: { clusterIP, ports: [{ port: 80 }] },
      });
    expect((await create('a', '10.0.0.1')).status).toBe(422);
    const answers = await Promise.all(['b', 'c', 'd', 'e', 'f'].map((name) => create(name)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    const full = await create('g');
    expect(full.body).toMatchObject({ code: 500, reason: 'InternalError' });
    expect(full.body.details).toEqual({ causes: [{ message: 'failed to allocate a serviceIP: range is full' }] });
  });

  it('follows where the server is from start to start', async () => {
    const dataDir = await temporaryDirectory();
    const first = await startTestServer({ store: 'lmdb', dataDir, advertiseAddress: '192.0.2.7' });
    const before = await read(first, SERVICE);
    await first.close();
    const moved = { advertiseAddress: '2001:db8::7', serviceClusterIpRange: '10.9.0.0/24' };
    const second = await start({ store: 'lmdb', dataDir, ...moved });
    const after = await read(second, SERVICE);
    expect(after.spec).toMatchObject({ clusterIP: '10.9.0.1', ports: [{ targetPort: second.server.port }] });
    expect(after.metadata.uid).not.toBe(before.metadata.uid);
    expect(await read(second, ENDPOINTS)).toMatchObject({ subsets: [{ addresses: [{ ip: '2001:db8::7' }] }] });
    expect(await read(second, SLICE)).toMatchObject({ addressType: 'IPv6' });
  });
});

it.each([
  [{ serviceClusterIpRange: 'nonsense' }, 'the service address range must be like 10.0.0.0/24, not "nonsense"'],
  [{ serviceNodePortRange: '9-1' }, 'the service node port range must be like 30000-32767, not "9-1"'],
])('a server does not start with %j', async (options, message) => {
  await expect(startTestServer(options)).rejects.toThrow(message);
});

const BOOTSTRAP = join(import.meta.dirname, '../../shared/reference/bootstrap.json');

it.skipIf(!existsSync(BOOTSTRAP))('the objects are those of the reference', async () => {
  const reference: Record<string, Document[]> = JSON.parse(readFileSync(BOOTSTRAP, 'utf8'));
  const plane = await start();
  const generated = { uid: '', resourceVersion: '', creationTimestamp: '' };
  const paths = { services: SERVICE, endpoints: ENDPOINTS, endpointslices: SLICE };
  for (const [plural, path] of Object.entries(paths)) {
    const ours = await read(plane, path);
    const text = JSON.stringify({ ...ours, metadata: { ...ours.metadata, ...generated, managedFields: undefined } });
    const masked = text
      .replaceAll(`${plane.server.port}`, '"<securePort>"')
      .replace(/"(10\.0\.0\.1|192\.0\.2\.7)"/g, '"<generated>"');
    const { _managers, ...theirs } = { _managers: undefined, ...reference[plural]?.[0] };
    expect(JSON.parse(masked)).toEqual({ ...theirs, metadata: { ...theirs.metadata, ...generated } });
  }
});
