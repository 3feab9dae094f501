import type { Client } from '../support/client.ts';
import { CONFIG_MAPS, ENTRIES, entries, post, type Shape, times } from './shape.ts';

/** Questions that take the server the most to answer. */

const EXPLAIN = '/apis/explain.platform.io/v1alpha1';
const RBAC = '/apis/rbac.authorization.platform.io/v1';
const MERGE = { 'content-type': 'application/merge-patch+json' };

const asked = (name: string) => ({ object: { resource: 'configmaps', namespace: 'default', name } });
const ask = (plural: string, spec: () => object) => post(`${EXPLAIN}/${plural}`, () => ({ spec: spec() }));

/** A map whose every field is another in each of some versions. */
async function prepareMap(admin: Client, name: string, size: number): Promise<void> {
  const metadata = { name };
  const data = (value: string) => ({
    metadata: { labels: entries(size * ENTRIES, value) },
    data: entries(size * ENTRIES, value),
  });
  await admin.request('POST', CONFIG_MAPS, { ...data('v0'), metadata: { ...data('v0').metadata, ...metadata } });
  for (const value of ['v1', 'v2']) await admin.request('PATCH', `${CONFIG_MAPS}/${name}`, data(value), MERGE);
}

export const EXPLAIN_SHAPES: readonly Shape[] = [
  {
    name: 'blame of very many fields',
    prepare: (admin, size) => prepareMap(admin, 'blamed', size),
    ...ask('ownershipreviews', () => asked('blamed')),
  },
  {
    name: 'blame of very many fields that are as they were made',
    prepare: async (admin, size) => {
      await admin.request('POST', CONFIG_MAPS, { metadata: { name: 'still' }, data: entries(size * ENTRIES, 'v') });
      for (const label of ['a', 'b', 'c']) {
        await admin.request('PATCH', `${CONFIG_MAPS}/still`, { metadata: { labels: { label } } }, MERGE);
      }
    },
    ...ask('ownershipreviews', () => asked('still')),
  },
  {
    name: 'the difference of two large versions',
    prepare: (admin, size) => prepareMap(admin, 'compared', size),
    send: async (admin) => {
      const history = await admin.request('POST', `${EXPLAIN}/objecthistories`, { spec: asked('compared') });
      const [to, from] = Object(history.body.status).versions;
      const spec = { ...asked('compared'), fromRevision: from.resourceVersion, toRevision: to.resourceVersion };
      return (await admin.request('POST', `${EXPLAIN}/objectdiffs`, { spec })).status;
    },
  },
  {
    name: 'what an apply to a large object would change',
    prepare: (admin, size) => prepareMap(admin, 'previewed', size),
    send: async (admin, size) => {
      const object = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'previewed' },
        data: entries(size * ENTRIES, 'other'),
      };
      const spec = { ...asked('previewed'), fieldManager: 'other', document: object };
      return (await admin.request('POST', `${EXPLAIN}/applypreviews`, { spec })).status;
    },
  },
  {
    name: 'rules of somebody with very many',
    prepare: async (admin, size) => {
      for (let role = 0; role < 10; role++) {
        const rules = times(size * 2_000, (at) => ({
          verbs: ['get', 'list'],
          apiGroups: [''],
          resources: ['configmaps'],
          resourceNames: [`r${role}-${at}`],
        }));
        const name = `many-${role}`;
        await admin.request('POST', `${RBAC}/clusterroles`, { metadata: { name }, rules });
        await admin.request('POST', `${RBAC}/clusterrolebindings`, {
          metadata: { name },
          roleRef: { apiGroup: 'rbac.authorization.platform.io', kind: 'ClusterRole', name },
          subjects: [{ apiGroup: 'rbac.authorization.platform.io', kind: 'User', name: 'ruled' }],
        });
      }
    },
    ...ask('subjectrulesreviews', () => ({ user: 'ruled', namespace: 'default' })),
  },
  {
    name: 'one right of somebody with very many rules',
    ...ask('whocanreviews', () => ({
      resourceAttributes: { verb: 'get', resource: 'configmaps', namespace: 'default', name: 'none' },
    })),
  },
  {
    name: 'why an object of the cluster stays, among very many others',
    prepare: async (admin, size) => {
      await admin.request('POST', '/api/v1/nodes', { metadata: { name: 'stays', finalizers: ['example.com/held'] } });
      for (let at = 0; at < size * 4_000; at++) {
        await admin.request('POST', CONFIG_MAPS, {
          metadata: { name: `many-${at}`, finalizers: ['example.com/held'] },
          data: { k: 'v'.repeat(500) },
        });
      }
    },
    ...ask('deletionreviews', () => ({ object: { resource: 'nodes', name: 'stays' } })),
  },
];
