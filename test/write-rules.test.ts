import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Client, http1Client, withToken } from './support/client.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const APPLY = { 'content-type': 'application/apply-patch+yaml' };
const RBAC = '/apis/rbac.authorization.platform.io/v1';
const NAMESPACE = '/api/v1/namespaces/default';
const MAPS = `${NAMESPACE}/configmaps`;

let directory: string;
let plane: TestServer;
/** Someone who may change everything and make nothing. */
let changer: Client;

beforeAll(async () => {
  directory = await makeDirectory();
  await writeFile(join(directory, 'tokens.csv'), 'changer-token,changer,1\n');
  plane = await startTestServer({ tokenAuthFile: join(directory, 'tokens.csv') });
  changer = http1Client(withToken(plane.connection, 'changer-token'));
  const apiGroup = RBAC.split('/')[2];
  const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'update', 'patch'] }];
  await plane.admin.request('POST', `${RBAC}/clusterroles`, { metadata: { name: 'changer' }, rules });
  await plane.admin.request('POST', `${RBAC}/clusterrolebindings`, {
    metadata: { name: 'changer' },
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'changer' },
    subjects: [{ apiGroup, kind: 'User', name: 'changer' }],
  });
});

afterAll(async () => {
  changer.close();
  await plane.close();
  await removeDirectory(directory);
});

const configMap = (name: string, data: object, metadata: object = {}) => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name, ...metadata },
  data,
});

const applyMap = (client: Client, name: string, data: object): Promise<Answer> =>
  client.request('PATCH', `${MAPS}/${name}?fieldManager=test`, configMap(name, data), APPLY);

describe('a change that would make an object', () => {
  it('needs the right to create it, when it is applied', async () => {
    const refused = await applyMap(changer, 'applied', { a: '1' });
    expect(refused.status).toBe(403);
    expect(refused.body.message).toContain('User "changer" cannot create resource "configmaps"');
    expect((await plane.admin.request('GET', `${MAPS}/applied`)).status).toBe(404);
    expect((await applyMap(plane.admin, 'applied', { a: '1' })).status).toBe(201);
    expect((await applyMap(changer, 'applied', { a: '1', b: '1' })).status).toBe(200);
  });

  it('needs the right to create it, when it is put', async () => {
    const path = `${NAMESPACE}/endpoints/put`;
    const document = { metadata: { name: 'put' } };
    expect((await changer.request('PUT', path, document)).status).toBe(403);
    expect((await plane.admin.request('PUT', path, document)).status).toBe(201);
    expect((await changer.request('PUT', path, document)).status).toBe(200);
  });
});

describe('owners', () => {
  // Of a kind that is not served: nobody can say that it is not there, and collect what it owns.
  const owner = { apiVersion: 'example.com/v1', kind: 'Owner', name: 'n', uid: '1' };
  const ownersIn = ({ body }: Answer): unknown => Reflect.get(body.metadata, 'ownerReferences');

  it('that are named twice are kept once, with a warning', async () => {
    const ownerReferences = [owner, { ...owner, uid: '2' }, owner];
    const made = await plane.admin.request('POST', MAPS, configMap('owned', {}, { ownerReferences }));
    expect(made.headers.warning).toContain('which are kept once: 1');
    expect(ownersIn(made)).toEqual(ownerReferences.slice(0, 2));
    const patched = await plane.admin.request('PATCH', `${MAPS}/owned`, { metadata: { ownerReferences } });
    expect(patched.headers.warning).toContain('which are kept once: 1');
    expect(patched.body.metadata.resourceVersion).toBe(made.body.metadata.resourceVersion);
  });
});

describe('an applier that goes on in another version of the kind', () => {
  it('gives up what it said only in the first', async () => {
    const autoscaler = (version: string, spec: object) => ({
      apiVersion: `autoscaling/${version}`,
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'scaler' },
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, maxReplicas: 5, ...spec },
    });
    const apply = (version: string, manager: string, spec: object): Promise<Answer> => {
      const path = `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers/scaler`;
      return plane.admin.request('PATCH', `${path}?fieldManager=${manager}`, autoscaler(version, spec), APPLY);
    };
    expect((await apply('v1', 'one', { targetCPUUtilizationPercentage: 50, minReplicas: 2 })).status).toBe(201);
    const conflict = await apply('v2', 'two', { maxReplicas: 6 });
    expect(conflict.status).toBe(409);
    expect(conflict.body.details?.causes).toMatchObject([{ field: '.spec.maxReplicas' }]);
    expect((await apply('v2', 'two', { minReplicas: 2 })).status).toBe(200);
    const { status, body } = await apply('v2', 'one', {});
    expect(status).toBe(200);
    // What is left without a target has the one that is given to all.
    expect(body.spec).toMatchObject({
      minReplicas: 2,
      metrics: [{ resource: { target: { averageUtilization: 80 } } }],
    });
  });
});

describe('deleting a collection', () => {
  it('stops at its limit, and says where to go on', async () => {
    const path = '/api/v1/namespaces/page/secrets';
    await plane.admin.request('POST', '/api/v1/namespaces', { metadata: { name: 'page' } });
    for (const name of ['a', 'b', 'c', 'd', 'e']) await plane.admin.request('POST', path, { metadata: { name } });
    const seen: string[][] = [];
    let next = '';
    do {
      const { status, body } = await plane.admin.request('DELETE', `${path}?limit=2&continue=${next}`);
      expect(status).toBe(200);
      seen.push(body.items.map(({ metadata }) => metadata.name));
      next = body.metadata.continue ?? '';
    } while (next !== '');
    expect(seen).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    expect((await plane.admin.request('GET', path)).body.items).toEqual([]);
  });
});

describe('options of a delete', () => {
  const finalizersAfter = async (query: string, body?: unknown, type = 'application/json'): Promise<unknown> => {
    await plane.admin.request('POST', MAPS, configMap('doomed', {}));
    const headers = body === undefined ? {} : { 'content-type': type };
    const deleted = await plane.admin.request('DELETE', `${MAPS}/doomed${query}`, body, headers);
    expect(deleted.status, deleted.text).toBe(200);
    await plane.admin.request('PATCH', `${MAPS}/doomed`, { metadata: { finalizers: null } });
    return Reflect.get(deleted.body.metadata ?? {}, 'finalizers');
  };

  it.each([
    ['?propagationPolicy=Orphan', ['orphan']],
    ['?propagationPolicy=Foreground', ['foregroundDeletion']],
    ['?propagationPolicy=Background', undefined],
    ['?orphanDependents=true', ['orphan']],
    ['?orphanDependents=false', undefined],
    ['?gracePeriodSeconds=9999999999', undefined],
  ])('are read from the query: %s', async (query, finalizers) => {
    expect(await finalizersAfter(query)).toEqual(finalizers);
  });

  it.each([
    [{ propagationPolicy: 'Orphan' }, ['orphan'], undefined],
    [{ orphanDependents: true }, ['orphan'], undefined],
    ['propagationPolicy: Foreground\n', ['foregroundDeletion'], 'application/yaml'],
  ])('are read from the body, which has the last word: %j', async (body, finalizers, type) => {
    expect(await finalizersAfter('', body, type)).toEqual(finalizers);
    expect(await finalizersAfter('?propagationPolicy=Background', body, type)).toEqual(finalizers);
  });

  it('that contradict each other are refused', async () => {
    await plane.admin.request('POST', MAPS, configMap('kept', {}));
    for (const [query, body] of [
      ['?propagationPolicy=Orphan&orphanDependents=false', undefined],
      ['', { propagationPolicy: 'Orphan', orphanDependents: true }],
      ['', { propagationPolicy: 'Sideways' }],
    ]) {
      const refused = await plane.admin.request('DELETE', `${MAPS}/kept${query}`, body);
      expect(refused.status).toBe(422);
      expect(refused.body.details?.causes).toMatchObject([{ field: 'propagationPolicy' }]);
    }
  });
});
