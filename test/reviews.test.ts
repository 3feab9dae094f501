import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, http1Client, withToken } from './support/client.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const authorization = '/apis/authorization.platform.io/v1';

let plane: TestServer;
let alice: Client;
let directory: string;

beforeAll(async () => {
  directory = await makeDirectory();
  const tokenAuthFile = join(directory, 'tokens.csv');
  await writeFile(tokenAuthFile, 'alice-token,alice,alice-uid,"dev,ops"\n');
  plane = await startTestServer({ tokenAuthFile, runtimeConfig: ['authentication.platform.io/v1alpha1'] });
  alice = http1Client(withToken(plane.connection, 'alice-token'));
});

afterAll(async () => {
  alice.close();
  await plane.close();
  await removeDirectory(directory);
});

describe('what is reviewed', () => {
  it('is what happens', async () => {
    const grants = { apiGroups: [''], resources: ['secrets'], resourceNames: ['one'], verbs: ['get'] };
    const rbac = '/apis/rbac.authorization.platform.io/v1/namespaces/default';
    await plane.admin.request('POST', `${rbac}/roles`, { metadata: { name: 'reader' }, rules: [grants] });
    await plane.admin.request('POST', `${rbac}/rolebindings`, {
      metadata: { name: 'reader' },
      roleRef: { apiGroup: 'rbac.authorization.platform.io', kind: 'Role', name: 'reader' },
      subjects: [{ apiGroup: 'rbac.authorization.platform.io', kind: 'Group', name: 'dev' }],
    });
    for (const name of ['one', 'two']) {
      const resourceAttributes = { namespace: 'default', verb: 'get', resource: 'secrets', name };
      const asked = await alice.request('POST', `${authorization}/selfsubjectaccessreviews`, {
        spec: { resourceAttributes },
      });
      const about = await plane.admin.request('POST', `${authorization}/subjectaccessreviews`, {
        spec: { resourceAttributes, user: 'someone', groups: ['dev'] },
      });
      const tried = await alice.request('GET', `/api/v1/namespaces/default/secrets/${name}`);
      expect([asked.status, about.status]).toEqual([201, 201]);
      expect(asked.body.status).toMatchObject({ allowed: tried.status !== 403 });
      expect(about.body.status).toMatchObject({ allowed: tried.status !== 403 });
    }
  });

  it('is not kept', async () => {
    const spec = { nonResourceAttributes: { path: '/version', verb: 'get' } };
    const path = `${authorization}/selfsubjectaccessreviews`;
    const { body } = await plane.admin.request('POST', path, { spec });
    expect(body.metadata).toEqual({ creationTimestamp: null });
    expect((await plane.admin.request('GET', path)).status).toBe(405);
  });

  it('may be in a namespace that is not there', async () => {
    const resourceAttributes = { namespace: 'nowhere', verb: 'get', resource: 'pods' };
    const path = `${authorization}/namespaces/nowhere/localsubjectaccessreviews`;
    const { status, body } = await plane.admin.request('POST', path, { spec: { user: 'alice', resourceAttributes } });
    expect({ status, allowed: (body.status as { allowed: boolean }).allowed }).toEqual({ status: 201, allowed: false });
  });

  it('lists each rule once', async () => {
    const path = `${authorization}/selfsubjectrulesreviews`;
    const { body } = await plane.admin.request('POST', path, { spec: { namespace: 'default' } });
    const { resourceRules } = body.status as { resourceRules: object[] };
    const texts = resourceRules.map((rule) => JSON.stringify(rule));
    expect(texts).toEqual([...new Set(texts)]);
    expect(texts).toContain('{"verbs":["*"],"apiGroups":["*"],"resources":["*"]}');
  });
});

describe('the review of a token', () => {
  const review = async (spec: object): Promise<unknown> =>
    (await plane.admin.request('POST', '/apis/authentication.platform.io/v1/tokenreviews', { spec })).body.status;

  it('tells whose it is', async () => {
    expect(await review({ token: 'alice-token' })).toEqual({
      authenticated: true,
      user: { username: 'alice', uid: 'alice-uid', groups: ['dev', 'ops', 'system:authenticated'] },
      audiences: ['https://platform.default.svc'],
    });
  });

  it.each([
    ['unknown', { token: 'stolen' }],
    ['blank', { token: ' ' }],
    ['meant for others', { token: 'alice-token', audiences: ['vault'] }],
  ])('that is %s tells only that', async (_what, spec) => {
    expect(await review(spec)).toEqual({ user: {}, error: expect.any(String) });
  });

  it('needs a token', async () => {
    const path = '/apis/authentication.platform.io/v1/tokenreviews';
    expect((await plane.admin.request('POST', path, { spec: {} })).status).toBe(400);
  });
});

describe('component statuses', () => {
  const path = '/api/v1/componentstatuses';

  it('are read one by one and together, with a warning', async () => {
    const list = await plane.admin.request('GET', path);
    const names = list.body.items.map(({ metadata }) => metadata.name);
    expect(list.body).toMatchObject({ kind: 'ComponentStatusList', apiVersion: 'v1' });
    expect(list.headers.warning).toMatch(/ComponentStatus is deprecated/);
    for (const name of names) {
      const { body } = await plane.admin.request('GET', `${path}/${name}`);
      expect(body).toMatchObject({ kind: 'ComponentStatus', conditions: [{ type: 'Healthy', status: 'True' }] });
    }
    expect((await plane.admin.request('GET', `${path}/absent`)).status).toBe(404);
  });

  it('are selected, shown as tables and not written', async () => {
    const selected = await plane.admin.request('GET', `${path}?fieldSelector=metadata.name=etcd-0`);
    expect(selected.body.items).toHaveLength(1);
    const accept = 'application/json;as=Table;g=meta.platform.io;v=v1';
    const table = JSON.parse((await plane.admin.request('GET', path, undefined, { accept })).text);
    expect(table.rows[0].cells).toEqual(['controller-manager', 'Healthy', 'ok', '']);
    expect((await plane.admin.request('POST', path, { metadata: { name: 'x' } })).status).toBe(405);
    expect((await plane.admin.request('GET', `${path}?watch=1`)).status).toBe(405);
  });
});

describe('what is not stored', () => {
  it('is not counted', async () => {
    const { text } = await plane.admin.request('GET', '/metrics');
    expect(text).toMatch(/apiserver_storage_objects\{resource="pods"\}/);
    expect(text).not.toMatch(/apiserver_storage_objects\{resource="(bindings|componentstatuses|.*reviews)/);
  });
});

describe('who someone is', () => {
  const path = '/apis/authentication.platform.io/v1alpha1/selfsubjectreviews';

  it('is told to whoever may ask, also when they act as someone else', async () => {
    const rbac = '/apis/rbac.authorization.platform.io/v1';
    const rules = [{ apiGroups: ['authentication.platform.io'], resources: ['selfsubjectreviews'], verbs: ['create'] }];
    await plane.admin.request('POST', `${rbac}/clusterroles`, { metadata: { name: 'asker' }, rules });
    await plane.admin.request('POST', `${rbac}/clusterrolebindings`, {
      metadata: { name: 'asker' },
      roleRef: { apiGroup: 'rbac.authorization.platform.io', kind: 'ClusterRole', name: 'asker' },
      subjects: [{ apiGroup: 'rbac.authorization.platform.io', kind: 'Group', name: 'system:authenticated' }],
    });
    const { status, body } = await alice.request('POST', path, {});
    expect(status).toBe(201);
    expect(body.status).toEqual({
      userInfo: { username: 'alice', uid: 'alice-uid', groups: ['dev', 'ops', 'system:authenticated'] },
    });
    const acting = await plane.admin.request('POST', path, {}, { 'impersonate-user': 'bob' });
    expect(acting.body.status).toMatchObject({ userInfo: { username: 'bob' } });
  });
});
