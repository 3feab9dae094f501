import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { vocabularies, vocabularyNames } from '../src/vocabulary/vocabulary.ts';
import { type Answer, type Client, http1Client, withToken } from './support/client.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** What becomes of requests that are refused. */

const QUARTER_MS = 15 * 60_000;

describe.each(vocabularyNames)('a denial in the %s vocabulary', (vocabulary) => {
  const { groups } = vocabularies[vocabulary];
  const EXPLAIN = `/apis/${groups.explain}/v1alpha1`;
  const RBAC = `/apis/${groups.rbac}/v1`;
  const runtime = new ShiftableRuntime();
  let directory: string;
  let plane: TestServer;
  let alice: Client;
  let mallory: Client;

  beforeAll(async () => {
    directory = await makeDirectory();
    const tokenAuthFile = join(directory, 'tokens.csv');
    await writeFile(tokenAuthFile, 'alice-token,alice,1,"staff"\nmallory-token,mallory,2\n');
    plane = await startTestServer({ tokenAuthFile, vocabulary, runtime });
    alice = http1Client(withToken(plane.connection, 'alice-token'));
    mallory = http1Client(withToken(plane.connection, 'mallory-token'));
  });
  afterAll(async () => {
    alice.close();
    mallory.close();
    await plane.close();
    await removeDirectory(directory);
  });

  const idOf = ({ headers }: Answer): string => String(headers['denial-id'] ?? '');

  // What an answer holds is looked at piece by piece.
  // biome-ignore lint/suspicious/noExplicitAny: it is read as JSON
  const lookUp = async (id: string): Promise<any> => {
    const answer = await plane.admin.request('GET', `${EXPLAIN}/denials/${id}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  const count = async (user: string): Promise<number> => {
    const { body } = await plane.admin.request('GET', `${EXPLAIN}/denials`);
    return body.items.filter(({ spec }) => spec.user === user).length;
  };

  it('has an id beside a text that says no more than before, and a story under the id', async () => {
    const path = '/api/v1/namespaces/default/pods/web/log';
    const refused = await alice.request('GET', path);
    expect(refused.status).toBe(403);
    expect(refused.body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message:
        'pods "web" is forbidden: User "alice" cannot get resource "pods/log" in API group "" in the namespace "default"',
      reason: 'Forbidden',
      details: { name: 'web', kind: 'pods' },
      code: 403,
    });
    const { spec, request, status } = await lookUp(idOf(refused));
    expect(spec).toMatchObject({
      user: 'alice',
      groups: ['staff', 'system:authenticated'],
      resourceAttributes: { verb: 'get', resource: 'pods', subresource: 'log', namespace: 'default', name: 'web' },
    });
    expect(request).toMatchObject({ message: refused.body.message, count: 1, auditID: refused.headers['audit-id'] });
    expect(request.modes.map(({ mode, decision }: Record<string, string>) => `${mode} ${decision}`)).toEqual([
      'PrivilegedGroup NoOpinion',
      'RBAC NoOpinion',
    ]);
    expect(status.allowed).toBe(false);
    const roleNames = async (): Promise<string[]> =>
      (await lookUp(idOf(refused))).status.sufficientRoles.map(({ name }: { name: string }) => name);
    // A loop puts some of them together once the server has started.
    const inOrder = ['view', 'edit', 'admin', 'cluster-admin'];
    await expect.poll(async () => (await roleNames()).slice(0, 4)).toEqual(inOrder);
  });

  it('is over once the least grant that it tells of is made', async () => {
    const path = '/api/v1/namespaces/default/configmaps/one';
    const id = idOf(await alice.request('GET', path));
    const { leastGrant } = (await lookUp(id)).status;
    expect(leastGrant.role.rules).toEqual([
      { verbs: ['get'], apiGroups: [''], resources: ['configmaps'], resourceNames: ['one'] },
    ]);
    const role = await plane.admin.request('POST', `${RBAC}/namespaces/default/roles`, leastGrant.role);
    const binding = await plane.admin.request('POST', `${RBAC}/namespaces/default/rolebindings`, leastGrant.binding);
    expect([role.status, binding.status]).toEqual([201, 201]);
    const allowed = await alice.request('GET', path);
    expect([allowed.status, allowed.headers['denial-id']]).toEqual([404, undefined]);
    expect((await lookUp(id)).status).toMatchObject({
      allowed: true,
      grants: [{ mode: 'RBAC', holder: { kind: 'User', name: 'alice' }, binding: { kind: 'RoleBinding' } }],
    });
    // What is near now is what was granted, and what it lacks is told.
    const other = await lookUp(idOf(await alice.request('PUT', '/api/v1/namespaces/default/configmaps/two', {})));
    expect(other.status.nearestRules[0]).toMatchObject({ lacks: ['Verb', 'Name'], role: { kind: 'Role' } });
  });

  it('is remembered once, however often it comes', async () => {
    const ids = new Set<string>();
    for (let at = 0; at < 3; at++) ids.add(idOf(await alice.request('GET', '/api/v1/nodes')));
    expect(ids.size).toBe(1);
    expect((await lookUp([...ids][0] ?? '')).request.count).toBe(3);
  });

  it('of an impersonation is the one of whoever asks', async () => {
    const asBob = { 'impersonate-user': 'bob' };
    const refused = await alice.request('GET', '/api/v1/nodes', undefined, asBob);
    expect((await lookUp(idOf(refused))).spec).toMatchObject({
      user: 'alice',
      resourceAttributes: { verb: 'impersonate', resource: 'users', name: 'bob' },
    });
    const acted = await plane.admin.request('GET', '/api/v1/nodes', undefined, asBob);
    expect(acted.status).toBe(403);
    const { spec, request } = await lookUp(idOf(acted));
    expect([spec.user, request.impersonator]).toEqual(['bob', `${vocabulary}-admin`]);
  });

  it('of whoever would grant more than they hold tells what would exempt them', async () => {
    const apiGroups = [groups.rbac];
    const rules = [{ verbs: ['create'], apiGroups, resources: ['rolebindings'] }];
    const metadata = { name: 'binders' };
    const roleRef = { apiGroup: groups.rbac, kind: 'Role', name: 'binders' };
    const subjects = [{ kind: 'User', apiGroup: groups.rbac, name: 'alice' }];
    const path = `${RBAC}/namespaces/default`;
    await plane.admin.request('POST', `${path}/roles`, { metadata, rules });
    await plane.admin.request('POST', `${path}/rolebindings`, { metadata, roleRef, subjects });
    const binding = {
      metadata: { name: 'mine' },
      roleRef: { ...roleRef, kind: 'ClusterRole', name: 'cluster-admin' },
      subjects,
    };
    const refused = await alice.request('POST', `${path}/rolebindings`, binding);
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('not currently held')]);
    const { spec, request, status } = await lookUp(idOf(refused));
    expect(request.message).toBe(refused.body.message);
    expect(spec.resourceAttributes).toMatchObject({ verb: 'bind', resource: 'clusterroles', name: 'cluster-admin' });
    expect(status.leastGrant.role.rules).toEqual([
      { verbs: ['bind'], apiGroups, resources: ['clusterroles'], resourceNames: ['cluster-admin'] },
    ]);
  });

  it('is not pushed out by those of somebody who floods', async () => {
    const id = idOf(await alice.request('GET', '/apis/apps/v1/namespaces/default/deployments'));
    const paths = Array.from({ length: 400 }, (_, at) => `/api/v1/namespaces/default/secrets/s${at}`);
    for (let at = 0; at < paths.length; at += 20) {
      const answers = await Promise.all(paths.slice(at, at + 20).map((path) => mallory.request('GET', path)));
      expect(answers.every(({ status }) => status === 403)).toBe(true);
    }
    expect(await count('mallory')).toBe(100);
    expect((await lookUp(id)).spec.user).toBe('alice');
  });

  it('is shown in a table, and forgotten after a quarter of an hour', async () => {
    const id = idOf(await alice.request('DELETE', '/api/v1/nodes/n1'));
    const accept = `application/json;as=Table;g=${groups.meta};v=v1`;
    const table = await plane.admin.request('GET', `${EXPLAIN}/denials/${id}`, undefined, { accept });
    expect(JSON.parse(table.text).rows[0].cells).toEqual([id, 'alice', 'delete', 'nodes', '', 'n1', 1, '0s', '']);
    runtime.advance(QUARTER_MS + 1_000);
    expect((await plane.admin.request('GET', `${EXPLAIN}/denials/${id}`)).status).toBe(404);
    expect(await count('alice')).toBe(0);
  });

  it('is nobody’s business but that of whoever may read it', async () => {
    const id = idOf(await alice.request('GET', '/api/v1/nodes'));
    const review = { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } };
    const asked = [
      alice.request('GET', `${EXPLAIN}/denials/${id}`),
      alice.request('GET', `${EXPLAIN}/denials`),
      alice.request('POST', `${EXPLAIN}/whocanreviews`, review),
      alice.request('POST', `${EXPLAIN}/accessexplanations`, { spec: { ...review.spec, user: 'alice' } }),
      alice.request('POST', `${EXPLAIN}/subjectrulesreviews`, { spec: { user: 'alice' } }),
    ];
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
  });
});

it('denials are not kept by a server that does not explain', async () => {
  const plane = await startTestServer({ runtimeConfig: ['explain.platform.io/v1alpha1=false'] });
  onTestFinished(() => plane.close());
  const headers = { 'impersonate-user': 'eve' };
  const refused = await plane.admin.request('GET', '/api/v1/nodes', undefined, headers);
  expect([refused.status, refused.headers['denial-id']]).toEqual([403, undefined]);
});
