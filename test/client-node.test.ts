import {
  ApiException,
  AppsV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  type KubernetesObject,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  type V1ConfigMap,
} from '@kubernetes/client-node';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startTestServer, type TestServer } from './support/test-server.ts';

let plane: TestServer;
let config: KubeConfig;
let core: CoreV1Api;

beforeAll(async () => {
  plane = await startTestServer({ vocabulary: 'kubernetes' });
  config = new KubeConfig();
  config.loadFromString(plane.server.adminConfig);
  core = config.makeApiClient(CoreV1Api);
});

afterAll(() => plane.close());

const namespace = 'default';
const mergePatch = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);

it('creates, reads, lists, replaces, patches and deletes', async () => {
  const name = 'colours';
  const created = await core.createNamespacedConfigMap({
    namespace,
    body: { metadata: { name }, data: { sky: 'blue' } },
  });
  expect(created.metadata?.creationTimestamp).toBeInstanceOf(Date);
  expect(await core.readNamespacedConfigMap({ namespace, name })).toEqual(created);
  const { items, metadata } = await core.listNamespacedConfigMap({ namespace });
  expect(items.map((item) => item.metadata?.name)).toContain(name);
  expect(metadata?.resourceVersion).toMatch(/^\d+$/);
  const replaced = await core.replaceNamespacedConfigMap({
    namespace,
    name,
    body: { ...created, data: { sky: 'grey' } },
  });
  expect(replaced.data).toEqual({ sky: 'grey' });
  const patched = await core.patchNamespacedConfigMap(
    { namespace, name, body: { data: { sea: 'green' } } },
    mergePatch,
  );
  expect(patched.data).toEqual({ sky: 'grey', sea: 'green' });
  expect((await core.deleteNamespacedConfigMap({ namespace, name })).status).toBe('Success');
  await expect(core.readNamespacedConfigMap({ namespace, name })).rejects.toMatchObject({ code: 404 });
});

it('is told errors as it knows them', async () => {
  const body = { metadata: { name: 'Not A Name' } };
  const refused: unknown = await core.createNamespacedConfigMap({ namespace, body }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ApiException);
  expect(refused).toMatchObject({ code: 422, body: expect.stringContaining('"reason":"Invalid"') });
});

it('finds kinds by discovery', async () => {
  const objects = KubernetesObjectApi.makeApiClient(config);
  const selector = { matchLabels: { app: 'web' } };
  const template = {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image: 'example/web:1' }] },
  };
  const metadata = { name: 'web', namespace };
  await objects.create({ apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { selector, template } });
  const deployment = await config.makeApiClient(AppsV1Api).readNamespacedDeployment({ namespace, name: 'web' });
  expect(deployment.spec).toMatchObject({ replicas: 1, strategy: { rollingUpdate: { maxSurge: '25%' } } });
});

it('an informer sees what is there, and every add, update and delete', async () => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const labelSelector = 'informed=yes';
  const list = () => core.listNamespacedConfigMap({ namespace, labelSelector });
  const body = (name: string, step: string): V1ConfigMap => ({
    metadata: { name, labels: { informed: 'yes' } },
    data: { step },
  });
  await core.createNamespacedConfigMap({ namespace, body: body('before', '0') });

  const informer = makeInformer(config, path, list, labelSelector);
  onTestFinished(() => informer.stop());
  const seen: string[] = [];
  for (const verb of ['add', 'update', 'delete'] as const) {
    informer.on(verb, ({ metadata, data }) => seen.push(`${verb} ${metadata?.name} ${data?.step}`));
  }
  informer.on('error', (error) => seen.push(`error ${error}`));
  await informer.start();
  await expect.poll(() => seen).toEqual(['add before 0']);

  await core.createNamespacedConfigMap({ namespace, body: body('after', '1') });
  await core.replaceNamespacedConfigMap({ namespace, name: 'after', body: body('after', '2') });
  await core.deleteNamespacedConfigMap({ namespace, name: 'after' });
  await core.patchNamespacedConfigMap(
    { namespace, name: 'before', body: { metadata: { labels: { informed: null } } } },
    mergePatch,
  );
  await expect
    .poll(() => seen)
    .toEqual(['add before 0', 'add after 1', 'update after 2', 'delete after 2', 'delete before 0']);
  expect(informer.list(namespace)).toEqual([]);
});

it('goes on following a custom kind when its schema changes', async () => {
  const group = 'notes.example.com';
  const text = { type: 'string' };
  const plain = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
  const specOf = (properties: object): object => ({
    group,
    scope: 'Namespaced',
    names: { plural: 'notes', kind: 'Note' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
      },
    ],
  });
  const { admin } = plane;
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const path = `/apis/${group}/v1/namespaces/${namespace}/notes`;
  const named = { ...plain, metadata: { name: `notes.${group}` } };
  expect((await admin.request('POST', definitions, { ...named, spec: specOf({ a: text }) })).status).toBe(201);
  await expect.poll(async () => (await admin.request('GET', path)).status).toBe(200);
  await admin.request('POST', path, {
    kind: 'Note',
    apiVersion: `${group}/v1`,
    metadata: { name: 'first' },
    spec: { a: '1' },
  });

  const custom = config.makeApiClient(CustomObjectsApi);
  const list = () => custom.listNamespacedCustomObject({ group, version: 'v1', namespace, plural: 'notes' });
  const informer = makeInformer<KubernetesObject & { spec?: object }>(config, path, list);
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
    return informer.stop();
  });
  const seen: string[] = [];
  for (const verb of ['add', 'update'] as const) {
    informer.on(verb, ({ metadata, spec }) => seen.push(`${verb} ${metadata?.name} ${JSON.stringify(spec)}`));
  }
  // Once the server is gone it would begin again for ever, and keep everything else from its turn.
  informer.on('error', () => {
    if (!isOver) void informer.start();
  });
  await informer.start();
  await expect.poll(() => seen).toEqual(['add first {"a":"1"}']);
  await admin.request('PATCH', `${definitions}/notes.${group}`, { spec: specOf({ a: text, b: text }) });
  await admin.request('PATCH', `${path}/first`, { spec: { b: '2' } });
  await expect.poll(() => seen.at(-1), { timeout: 20_000 }).toBe('update first {"a":"1","b":"2"}');
});
