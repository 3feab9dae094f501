import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedPlane, startPlane } from '../src/server/server.ts';

/** What the server tells of the past of objects, and how it is brought back. */

type As = 'admin' | { user: string; groups: string[] };

let plane: EmbeddedPlane;
beforeAll(async () => {
  plane = await startPlane({ store: 'memory', freezeObjects: true });
});
afterAll(() => plane.close());

const send = async (method: string, target: string, body?: unknown, as: As = 'admin', type = 'application/json') => {
  const headers = { 'content-type': type, 'audit-id': `id-${++requests}` };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const reply = await plane.inject({ method, target, as, headers, ...sent });
  return { status: reply.status, id: `id-${requests}`, body: JSON.parse(String(reply.body)) };
};
let requests = 0;

const ask = (plural: string, spec: unknown, as?: As, query = '') =>
  send('POST', `/apis/explain.platform.io/v1alpha1/${plural}${query}`, { spec }, as);

const MAPS = '/api/v1/namespaces/default/configmaps';
const mapNamed = (name: string) => ({ resource: 'configmaps', namespace: 'default', name });
const MERGE = 'application/merge-patch+json';

/** A map with three versions and the ids of the requests that made them. */
async function threeVersions(name: string) {
  const created = await send('POST', `${MAPS}?fieldManager=maker`, { metadata: { name }, data: { a: '1', b: '1' } });
  const patched = await send('PATCH', `${MAPS}/${name}?fieldManager=patcher`, { data: { a: '2' } }, 'admin', MERGE);
  const applied = await send(
    'PATCH',
    `${MAPS}/${name}?fieldManager=applier`,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { c: '3' } },
    'admin',
    'application/apply-patch+yaml',
  );
  const revisions = [created, patched, applied].map(({ body }) => body.metadata.resourceVersion);
  return { created, patched, applied, revisions };
}

describe('the history of an object', () => {
  it('has every version, newest first, with who made it and by which request', async () => {
    const { created, patched, applied, revisions } = await threeVersions('told');
    const { status, body } = await ask('objecthistories', { object: mapNamed('told') });
    expect(status).toBe(201);
    const [third, second, first] = body.status.versions;
    expect(body.status.versions).toHaveLength(3);
    expect([first, second, third].map(({ resourceVersion }) => resourceVersion)).toEqual(revisions);
    expect(first).toMatchObject({ event: 'Created', verb: 'create', fieldManager: 'maker', auditID: created.id });
    expect(second).toMatchObject({ event: 'Updated', verb: 'patch', operation: 'Update', auditID: patched.id });
    expect(third).toMatchObject({ fieldManager: 'applier', operation: 'Apply', auditID: applied.id });
    expect(first).toMatchObject({ attribution: 'Known', user: 'platform-admin', uid: created.body.metadata.uid });
    expect(body.status).toMatchObject({ exists: true, oldestResourceVersion: expect.any(String) });
  });

  it('is read a page at a time', async () => {
    const { revisions } = await threeVersions('paged');
    const first = await ask('objecthistories', { object: mapNamed('paged'), limit: 2 });
    expect(first.body.status.versions).toHaveLength(2);
    const next = { object: mapNamed('paged'), limit: 2, continue: first.body.status.continue };
    const second = await ask('objecthistories', next);
    expect(second.body.status.versions).toMatchObject([{ resourceVersion: revisions[0] }]);
    expect(second.body.status.continue).toBeUndefined();
  });

  it('goes on over a deletion, and names who deleted', async () => {
    await threeVersions('gone');
    const { id } = await send('DELETE', `${MAPS}/gone`);
    await send('POST', MAPS, { metadata: { name: 'gone' } });
    const { body } = await ask('objecthistories', { object: mapNamed('gone') });
    const events = body.status.versions.map(({ event }: { event: string }) => event);
    expect(events).toEqual(['Created', 'Deleted', 'Updated', 'Updated', 'Created']);
    expect(body.status.versions[1]).toMatchObject({ verb: 'delete', auditID: id, attribution: 'Known' });
    expect(body.status.versions[0].uid).not.toBe(body.status.versions[1].uid);
  });

  it('shows an object as it was', async () => {
    const { revisions, created } = await threeVersions('shown');
    const { body } = await ask('objecthistories', { object: mapNamed('shown'), resourceVersion: revisions[0] });
    expect(body.status.object).toEqual(created.body);
  });

  it('is of an object that is known', async () => {
    expect((await ask('objecthistories', { object: mapNamed('never') })).status).toBe(404);
    const odd = [
      [{ resource: 'configmaps', namespace: 'default', name: '' }, 'spec.object.name is required'],
      [{ resource: 'configmaps', name: 'x' }, 'spec.object.namespace is required for configmaps'],
      [{ resource: 'nodes', namespace: 'x', name: 'x' }, 'spec.object.namespace must be empty for nodes'],
      [{ resource: 'bindings', namespace: 'x', name: 'x' }, 'no stored objects of "bindings"'],
      [{ resource: 'configmaps', namespace: 'a/b', name: 'x' }, 'spec.object.namespace must not contain a slash'],
    ] as const;
    for (const [object, message] of odd) {
      const { status, body } = await ask('objecthistories', { object });
      expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
    }
    const badPages = [{ limit: -1 }, { continue: 'x' }, { resourceVersion: '-3' }];
    for (const bad of badPages) {
      expect((await ask('objecthistories', { object: mapNamed('told'), ...bad })).status).toBe(400);
    }
  });
});

describe('the difference of two revisions', () => {
  it('has every changed field with both values, but for bookkeeping', async () => {
    const { revisions } = await threeVersions('compared');
    const [fromRevision, , toRevision] = revisions;
    const { status, body } = await ask('objectdiffs', { object: mapNamed('compared'), fromRevision, toRevision });
    expect(status).toBe(201);
    expect(body.status.changes).toEqual([
      { path: '.data.a', before: '1', after: '2' },
      { path: '.data.c', after: '3' },
    ]);
    expect(body.status).toMatchObject({ from: { fieldManager: 'maker' }, to: { fieldManager: 'applier' } });
    const whole = await ask('objectdiffs', { object: mapNamed('compared'), fromRevision, includeBookkeeping: true });
    expect(whole.body.status.changes.map(({ path }: { path: string }) => path)).toContain('.metadata.managedFields');
  });

  it('tells an object that went as one that is there no more', async () => {
    const { revisions } = await threeVersions('removed');
    await send('DELETE', `${MAPS}/removed`);
    const { body } = await ask('objectdiffs', { object: mapNamed('removed'), fromRevision: revisions[2] });
    expect(body.status.to.event).toBe('Deleted');
    const data = body.status.changes.find(({ path }: { path: string }) => path === '.data');
    expect(data).toEqual({ path: '.data', before: { a: '2', b: '1', c: '3' } });
  });
});

describe('restoring', () => {
  it('writes an old state over the one there is, and nothing else of it', async () => {
    const { revisions, created } = await threeVersions('old');
    const tried = await ask(
      'objectrestores',
      { object: mapNamed('old'), revision: revisions[0] },
      'admin',
      '?dryRun=All',
    );
    expect(tried.body.status).toMatchObject({ dryRun: true, changed: true });
    expect((await send('GET', `${MAPS}/old`)).body.data).toEqual({ a: '2', b: '1', c: '3' });
    const restored = await ask('objectrestores', { object: mapNamed('old'), revision: revisions[0] });
    expect(restored.body.status).toMatchObject({ restoredRevision: revisions[0], changed: true, created: false });
    const now = await send('GET', `${MAPS}/old`);
    expect(now.body.data).toEqual({ a: '1', b: '1' });
    expect(now.body.metadata).toMatchObject({ uid: created.body.metadata.uid });
    const managers = now.body.metadata.managedFields.map(({ manager }: { manager: string }) => manager);
    expect(managers).toContain('restore');
    const again = await ask('objectrestores', { object: mapNamed('old'), revision: revisions[0] });
    expect(again.body.status).toMatchObject({ changed: false, resourceVersion: now.body.metadata.resourceVersion });
    const { body } = await ask('objecthistories', { object: mapNamed('old'), limit: 1 });
    expect(body.status.versions[0]).toMatchObject({ verb: 'update', fieldManager: 'restore', auditID: restored.id });
  });

  it('brings back a deleted object as a new one', async () => {
    const { created } = await threeVersions('deleted');
    await send('DELETE', `${MAPS}/deleted`);
    const { status, body } = await ask('objectrestores', { object: mapNamed('deleted'), deleted: true });
    expect([status, body.status.created]).toEqual([201, true]);
    const now = await send('GET', `${MAPS}/deleted`);
    expect(now.body.data).toEqual({ a: '2', b: '1', c: '3' });
    expect(now.body.metadata.uid).not.toBe(created.body.metadata.uid);
    expect((await ask('objectrestores', { object: mapNamed('deleted'), deleted: true })).status).toBe(409);
  });

  it('leaves out owners that are gone, and finalizers', async () => {
    const owner = await send('POST', MAPS, { metadata: { name: 'owner' } });
    const reference = (name: string, uid: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', name, uid });
    const ownerReferences = [reference('owner', owner.body.metadata.uid), reference('ghost', 'no-such-uid')];
    await send('POST', MAPS, { metadata: { name: 'owned', ownerReferences, finalizers: ['example.com/hold'] } });
    await send('DELETE', `${MAPS}/owned`);
    await send('PATCH', `${MAPS}/owned`, { metadata: { finalizers: null } }, 'admin', MERGE);
    expect((await ask('objectrestores', { object: mapNamed('owned'), deleted: true })).status).toBe(201);
    const { metadata } = (await send('GET', `${MAPS}/owned`)).body;
    expect(metadata.ownerReferences).toEqual([ownerReferences[0]]);
    expect(metadata.finalizers).toBeUndefined();
  });

  it('keeps the status, and is refused as any write', async () => {
    const services = '/api/v1/namespaces/default/services';
    const made = await send('POST', services, { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } });
    const object = { resource: 'services', namespace: 'default', name: 's' };
    await send('PATCH', `${services}/s`, { spec: { ports: [{ port: 81 }] } }, 'admin', MERGE);
    const status = { loadBalancer: { ingress: [{ ip: '10.1.1.1' }] } };
    await send('PATCH', `${services}/s/status`, { status }, 'admin', MERGE);
    const revision = made.body.metadata.resourceVersion;
    await ask('objectrestores', { object, revision });
    const now = await send('GET', `${services}/s`);
    expect(now.body).toMatchObject({ status, spec: { ports: [{ port: 80 }] } });
    const fixed = await send('POST', MAPS, { metadata: { name: 'fixed' }, data: { a: '1' } });
    await send('PATCH', `${MAPS}/fixed`, { data: { a: '2' }, immutable: true }, 'admin', MERGE);
    const refused = await ask('objectrestores', {
      object: mapNamed('fixed'),
      revision: fixed.body.metadata.resourceVersion,
    });
    expect([refused.status, refused.body.reason]).toEqual([422, 'Invalid']);
  });

  it('is asked for one state', async () => {
    for (const spec of [{}, { revision: '1', deleted: true }]) {
      const { status, body } = await ask('objectrestores', { object: mapNamed('old'), ...spec });
      expect([status, body.message]).toEqual([400, 'either spec.revision or spec.deleted is required']);
    }
  });
});
