import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from './support/test-server.ts';

let plane: TestServer;

beforeAll(async () => {
  plane = await startTestServer();
});

afterAll(() => plane.close());

const template = {
  metadata: { labels: { app: 'a' } },
  spec: { containers: [{ name: 'main', image: 'example/main:1' }] },
};

const apps = '/apis/apps/v1/namespaces/default';
const selector = { matchLabels: { app: 'a' } };

const scalable = [
  { path: `${apps}/deployments`, spec: { replicas: 2, selector, template } },
  { path: `${apps}/replicasets`, spec: { replicas: 2, selector, template } },
  { path: `${apps}/statefulsets`, spec: { replicas: 2, selector, template, serviceName: 's' } },
  {
    path: '/api/v1/namespaces/default/replicationcontrollers',
    spec: { replicas: 2, selector: { app: 'a' }, template },
  },
];

describe.each(scalable)('the scale of $path', ({ path, spec }) => {
  const object = `${path}/web`;
  beforeAll(async () => {
    const created = await plane.admin.request('POST', path, { metadata: { name: 'web' }, spec });
    expect(created.status, created.text).toBe(201);
  });

  it('shows the number of replicas and whom they are counted by', async () => {
    const { body } = await plane.admin.request('GET', `${object}/scale`);
    expect(body).toMatchObject({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name: 'web', namespace: 'default' },
      spec: { replicas: 2 },
      status: { replicas: 0, selector: 'app=a' },
    });
  });

  it('changes the replicas and nothing else, and counts as a change of desired state', async () => {
    const before = (await plane.admin.request('GET', object)).body;
    const scaled = await plane.admin.request('PUT', `${object}/scale`, {
      metadata: { name: 'web', labels: { not: 'taken' } },
      spec: { replicas: 7 },
      status: { replicas: 7 },
    });
    expect(scaled.status, scaled.text).toBe(200);
    const after = (await plane.admin.request('GET', object)).body;
    expect({ ...after, metadata: { ...after.metadata, managedFields: [] } }).toEqual({
      ...before,
      metadata: {
        ...before.metadata,
        resourceVersion: scaled.body.metadata.resourceVersion,
        generation: before.metadata.generation + 1,
        managedFields: [],
      },
      spec: { ...before.spec, replicas: 7 },
    });
  });

  it('belongs to whoever set it, in the version of the object', async () => {
    await plane.admin.request('PATCH', `${object}/scale?fieldManager=scaler`, { spec: { replicas: 8 } });
    const { metadata, apiVersion } = JSON.parse((await plane.admin.request('GET', object)).text);
    expect(metadata.managedFields).toContainEqual(
      expect.objectContaining({
        ...{ manager: 'scaler', operation: 'Update', subresource: 'scale', apiVersion },
        fieldsV1: { 'f:spec': { 'f:replicas': {} } },
      }),
    );
  });

  it('is refused to someone who means another object', async () => {
    const another = { metadata: { name: 'web', uid: 'another' }, spec: { replicas: 1 } };
    const answer = await plane.admin.request('PUT', `${object}/scale`, another);
    expect(answer.body).toMatchObject({ code: 409, reason: 'Conflict' });
  });

  it('gives way to no other writer', async () => {
    const writes = Array.from({ length: 20 }, (_, at) =>
      at % 2
        ? plane.admin.request('PATCH', `${object}/scale`, { spec: { replicas: at } })
        : plane.admin.request('PATCH', object, { metadata: { labels: { [`writer-${at}`]: 'here' } } }),
    );
    const statuses = (await Promise.all(writes)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('is shown as a table', async () => {
    await plane.admin.request('PATCH', `${object}/scale`, { spec: { replicas: 3 } });
    const accept = 'application/json;as=Table;g=meta.platform.io;v=v1';
    const { text } = await plane.admin.request('GET', `${object}/scale`, undefined, { accept });
    const { columnDefinitions, rows } = JSON.parse(text);
    expect(columnDefinitions.map(({ name }: { name: string }) => name)).toEqual([
      'Name',
      'Desired',
      'Available',
      'Age',
    ]);
    expect(rows[0].cells.slice(0, 3)).toEqual(['web', 3, 0]);
  });
});
