import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPlane } from '../src/server/server.ts';
import type { Headers } from './support/client.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** The past of objects over HTTPS, by weak users, in the other vocabulary, and after a restart. */

const QUESTIONS = ['objecthistories', 'objectdiffs', 'objectrestores', 'ownershipreviews', 'deletionreviews'];
const GROUP = 'explain.k8s.io';
const path = (plural: string): string => `/apis/${GROUP}/v1alpha1/${plural}`;

let served: TestServer;
beforeAll(async () => {
  served = await startTestServer({ vocabulary: 'kubernetes', authorizationMode: ['RBAC'] });
});
afterAll(() => served.close());

const post = (target: string, body: unknown, headers: Headers = {}) =>
  served.admin.request('POST', target, body, headers);
const read = (target: string) => served.admin.request('GET', target);
const remove = (target: string) => served.admin.request('DELETE', target);
const as = (user: string) => ({ 'Impersonate-User': user });
const MAPS = '/api/v1/namespaces/default/configmaps';
const SECRETS = '/api/v1/namespaces/default/secrets';

const grant = async (user: string, rules: object[]): Promise<void> => {
  const group = '/apis/rbac.authorization.k8s.io/v1';
  await post(`${group}/clusterroles`, { metadata: { name: user }, rules });
  await post(`${group}/clusterrolebindings`, {
    metadata: { name: user },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: user },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
  });
};

const rule = (apiGroups: string[], resources: string[], verbs: string[]) => ({ apiGroups, resources, verbs });

describe('a deleted object', () => {
  it('comes back over HTTPS', async () => {
    await post(MAPS, { metadata: { name: 'back', labels: { a: 'b' } }, data: { k: 'v' } });
    await remove(`${MAPS}/back`);
    const spec = { object: { resource: 'configmaps', namespace: 'default', name: 'back' }, deleted: true };
    const restored = await post(path('objectrestores'), { spec });
    expect([restored.status, restored.body.status]).toMatchObject([201, { created: true, changed: true }]);
    const { body } = await read(`${MAPS}/back`);
    expect(body).toMatchObject({ data: { k: 'v' }, metadata: { labels: { a: 'b' } } });
  });
});

describe('whoever asks', () => {
  it('has to be allowed to ask, and to get what is asked about', async () => {
    await post(SECRETS, { metadata: { name: 'hidden' }, stringData: { k: 'v' } });
    const object = { resource: 'secrets', namespace: 'default', name: 'hidden' };
    await grant('asker', [rule([GROUP], QUESTIONS, ['create']), rule([''], ['configmaps'], ['get'])]);
    for (const plural of QUESTIONS) {
      const spec = { object, fromRevision: '1', revision: '1' };
      const nobody = await post(path(plural), { spec }, as('nobody'));
      expect([nobody.status, nobody.body.message]).toEqual([403, expect.stringContaining(`${plural}.${GROUP}`)]);
      const asker = await post(path(plural), { spec }, as('asker'));
      expect([asker.status, asker.body.message]).toEqual([
        403,
        expect.stringContaining('cannot get resource "secrets"'),
      ]);
    }
  });

  it('restores with the rights of an ordinary write', async () => {
    const made = await post(MAPS, { metadata: { name: 'mine' }, data: { k: '1' } });
    await served.admin.request('PATCH', `${MAPS}/mine`, { data: { k: '2' } });
    const object = { resource: 'configmaps', namespace: 'default', name: 'mine' };
    const spec = { object, revision: made.body.metadata.resourceVersion };
    const refused = await post(path('objectrestores'), { spec }, as('asker'));
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('cannot update')]);
    await remove(`${MAPS}/mine`);
    const anew = await post(path('objectrestores'), { spec: { object, deleted: true } }, as('asker'));
    expect([anew.status, anew.body.message]).toEqual([403, expect.stringContaining('cannot create')]);
    expect((await read(`${MAPS}/mine`)).status).toBe(404);
  });

  it('is told of no content that it may not list', async () => {
    await grant('peeker', [rule([GROUP], QUESTIONS, ['create']), rule([''], ['namespaces'], ['get'])]);
    const spec = { object: { resource: 'namespaces', name: 'default' } };
    const { status, body } = await post(path('deletionreviews'), { spec }, as('peeker'));
    expect(status).toBe(201);
    expect(body.status).toMatchObject({ notSearched: expect.arrayContaining(['secrets', 'configmaps']) });
    expect(JSON.stringify(body.status)).not.toContain('"Content"');
  });
});

describe('after a restart', () => {
  it('the versions are still there, and who made them is unknown', async () => {
    const dataDir = await temporaryDirectory();
    const options = { store: 'lmdb', dataDir } as const;
    const history = async (plane: Awaited<ReturnType<typeof startPlane>>) => {
      const spec = { object: { resource: 'configmaps', namespace: 'default', name: 'kept' } };
      const target = '/apis/explain.platform.io/v1alpha1/objecthistories';
      const reply = await plane.inject({ method: 'POST', target, as: 'admin', body: JSON.stringify({ spec }) });
      return JSON.parse(String(reply.body)).status.versions;
    };
    const write = (plane: Awaited<ReturnType<typeof startPlane>>, method: string, target: string, body?: object) =>
      plane.inject({
        method,
        target,
        as: 'admin',
        headers: { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
    const first = await startPlane(options);
    await write(first, 'POST', `${MAPS}?fieldManager=maker`, { metadata: { name: 'kept' }, data: { a: 'a' } });
    await write(first, 'PATCH', `${MAPS}/kept?fieldManager=patcher`, { data: { a: 'b' } });
    await write(first, 'DELETE', `${MAPS}/kept`);
    const before = await history(first);
    await first.close();
    const second = await startPlane(options);
    const after = await history(second);
    await second.close();
    const shared = ({ resourceVersion, uid, event }: Record<string, string>) => ({ resourceVersion, uid, event });
    expect(after.map(shared)).toEqual(before.map(shared));
    expect(before.map(({ attribution }: { attribution: string }) => attribution)).toEqual(Array(3).fill('Known'));
    expect(after).toMatchObject([
      { event: 'Deleted', attribution: 'Unknown' },
      { event: 'Updated', attribution: 'Unknown', fieldManager: 'patcher' },
      { event: 'Created', attribution: 'Unknown', fieldManager: 'maker' },
    ]);
    for (const version of after) expect(version).not.toHaveProperty('user');
  });
});
