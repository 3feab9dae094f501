import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { TestAuthority } from './support/certificates.ts';
import { type Answer, asNobody, http1Client } from './support/client.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const authority = new TestAuthority('nodes');
let directory: string;
let plane: TestServer;

beforeAll(async () => {
  directory = await makeDirectory();
  const clientCaFile = join(directory, 'nodes.crt');
  await writeFile(clientCaFile, authority.pem);
  // The plugin would refuse the pods that a node must not gain anything by.
  const disableAdmissionPlugins = ['ServiceAccount'];
  plane = await startTestServer({ authorizationMode: ['Node', 'RBAC'], clientCaFile, disableAdmissionPlugins });
  for (const name of ['mine', 'volume', 'other']) await make('/api/v1/namespaces/default/secrets', { name });
});

afterAll(async () => {
  await plane.close();
  await removeDirectory(directory);
});

async function make(path: string, metadata: object, parts: object = {}): Promise<void> {
  const { status, text } = await plane.admin.request('POST', path, { metadata, ...parts });
  expect(status, text).toBe(201);
}

const asNode = (node: string, method: string, path: string, body?: object): Promise<Answer> =>
  plane.admin.request(method, path, body, {
    'Impersonate-User': `system:node:${node}`,
    'Impersonate-Group': ['system:nodes'],
  });

const SECRETS = '/api/v1/namespaces/default/secrets';
const PODS = '/api/v1/namespaces/default/pods';
const pod = (nodeName: string, ...volumes: object[]) => ({
  spec: { nodeName, containers: [{ name: 'c', image: 'i' }], volumes },
});
const secretVolume = { name: 's', secret: { secretName: 'mine' } };

it('a node reads a secret from the moment its pod is stored until the moment the pod is gone', async () => {
  const read = async (node: string): Promise<number> => (await asNode(node, 'GET', `${SECRETS}/mine`)).status;
  expect(await read('a')).toBe(403);
  await make(PODS, { name: 'p' }, pod('a', secretVolume));
  expect([await read('a'), await read('b')]).toEqual([200, 403]);
  expect((await asNode('a', 'GET', `${SECRETS}?fieldSelector=metadata.name%3Dmine`)).body.items).toHaveLength(1);
  expect((await asNode('a', 'GET', SECRETS)).status).toBe(403);
  expect((await asNode('a', 'DELETE', `${SECRETS}?fieldSelector=metadata.name%3Dmine`)).status).toBe(403);
  await plane.admin.request('DELETE', `${PODS}/p?gracePeriodSeconds=0`);
  expect(await read('a')).toBe(403);
});

it('a binding gives a node what its pod names', async () => {
  await make(PODS, { name: 'bound' }, pod('', secretVolume));
  expect((await asNode('c', 'GET', `${SECRETS}/mine`)).status).toBe(403);
  const target = { apiVersion: 'v1', kind: 'Node', name: 'c' };
  await make(`${PODS}/bound/binding`, { name: 'bound' }, { target });
  expect((await asNode('c', 'GET', `${SECRETS}/mine`)).status).toBe(200);
});

it('a volume leads to its secret by the claim of a pod', async () => {
  const csi = { driver: 'd', volumeHandle: 'h', nodeStageSecretRef: { namespace: 'default', name: 'volume' } };
  const claimRef = { namespace: 'default', name: 'data' };
  const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], csi, claimRef };
  await make('/api/v1/persistentvolumes', { name: 'disk' }, { spec });
  expect((await asNode('d', 'GET', `${SECRETS}/volume`)).status).toBe(403);
  expect((await asNode('d', 'GET', '/api/v1/persistentvolumes/disk')).status).toBe(403);
  await make(PODS, { name: 'q' }, pod('d', { name: 'v', persistentVolumeClaim: { claimName: 'data' } }));
  expect((await asNode('d', 'GET', `${SECRETS}/volume`)).status).toBe(200);
  expect((await asNode('d', 'GET', '/api/v1/persistentvolumes/disk')).status).toBe(200);
  expect((await asNode('d', 'GET', `${SECRETS}/other`)).status).toBe(403);
});

it('a node is who its certificate says, and keeps its lease', async () => {
  const identity = authority.client({ commonName: 'system:node:f', organizations: ['system:nodes'] });
  const node = http1Client({ ...asNobody(plane.connection), ...identity });
  onTestFinished(() => node.close());
  const leases = '/apis/coordination.platform.io/v1/namespaces/platform-node-lease/leases';
  const statusOf = async (method: string, path: string, body?: object) =>
    (await node.request(method, path, body)).status;
  expect(await statusOf('POST', leases, { metadata: { name: 'f' } })).toBe(201);
  expect(await statusOf('PATCH', `${leases}/f`, { spec: { holderIdentity: 'f' } })).toBe(200);
  expect(await statusOf('GET', `${leases}/e`)).toBe(403);
  expect(await statusOf('GET', leases)).toBe(403);
  expect(await statusOf('POST', '/api/v1/nodes', { metadata: { name: 'f' } })).toBe(201);
  expect(await statusOf('GET', '/api/v1/pods?fieldSelector=spec.nodeName%3Df')).toBe(200);
  expect(await statusOf('GET', SECRETS)).toBe(403);
});

it('a mirror pod gives its node nothing', async () => {
  const metadata = { name: 'mirror-e', annotations: { 'platform.io/config.mirror': 'x' } };
  await make(PODS, metadata, pod('e', secretVolume));
  expect((await asNode('e', 'GET', `${SECRETS}/mine`)).status).toBe(403);
});

it('what a node may do beyond its pods cannot be listed, and is said so', async () => {
  const path = '/apis/authorization.platform.io/v1/selfsubjectrulesreviews';
  const spec = { namespace: 'default' };
  const node = await asNode('a', 'POST', path, { spec });
  expect(node.body.status).toMatchObject({ incomplete: true, evaluationError: expect.stringContaining('node') });
  const { body } = await plane.admin.request('POST', path, { spec });
  expect(body.status).toMatchObject({ incomplete: false });
});
