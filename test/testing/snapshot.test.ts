import { afterEach, describe, expect, it } from 'vitest';
import { ClusterRole, ClusterRoleBinding, ConfigMap, ResourceQuota } from '../../src/client/index.ts';
import { startTestPlane, type TestPlane } from '../../src/testing/test-plane.ts';

let plane: TestPlane;

afterEach(() => plane.stop());

const mapsOf = (one: TestPlane) => one.client.of(ConfigMap).inNamespace('default');

const texts = async (one: TestPlane): Promise<Record<string, string | undefined>> =>
  Object.fromEntries((await mapsOf(one).list()).items.map(({ metadata, data }) => [metadata.name, data?.text]));

const own = (all: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => name.startsWith('own-')));

const write = (name: string, text: string) => mapsOf(plane).apply({ metadata: { name }, data: { text } });

/** What a watch ends with. `onEvent` is called with each before. */
async function endOf(events: AsyncIterable<unknown>, onEvent: () => void): Promise<unknown> {
  try {
    for await (const _ of events) onEvent();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('a plane that is put back', () => {
  it('holds what it held: what was made is gone, what was changed or deleted is as before', async () => {
    plane = await startTestPlane();
    for (const name of ['own-kept', 'own-changed', 'own-deleted']) await write(name, 'before');
    const kept = await mapsOf(plane).get('own-kept');
    const snapshot = plane.snapshot();
    await write('own-changed', 'after');
    await write('own-made', 'after');
    await mapsOf(plane).delete('own-deleted');
    await plane.restore(snapshot);
    expect(own(await texts(plane))).toEqual({ 'own-kept': 'before', 'own-changed': 'before', 'own-deleted': 'before' });
    expect(await mapsOf(plane).get('own-kept')).toEqual(kept);
    await plane.restore(snapshot);
    expect(own(await texts(plane))).toEqual({ 'own-kept': 'before', 'own-changed': 'before', 'own-deleted': 'before' });
  });

  it('goes on upwards: every object has the revision that a list says, larger than any before', async () => {
    plane = await startTestPlane();
    await write('own-a', 'before');
    const snapshot = plane.snapshot();
    await write('own-a', 'after');
    const { resourceVersion: before } = await mapsOf(plane).list();
    await plane.restore(snapshot);
    const { resourceVersion: after } = await mapsOf(plane).list();
    const { metadata } = await mapsOf(plane).get('own-a');
    expect(Number(after)).toBeGreaterThan(Number(before));
    expect(Number(metadata.resourceVersion)).toBeGreaterThan(Number(before));
    await mapsOf(plane).update({ ...(await mapsOf(plane).get('own-a')), data: { text: 'again' } });
    await expect(mapsOf(plane).update({ metadata: { name: 'own-a', resourceVersion: before } })).rejects.toMatchObject({
      reason: 'Conflict',
    });
  });

  it('restores an object that quotes its own version elsewhere', async () => {
    plane = await startTestPlane();
    const { applied } = await write('own-a', 'x');
    const next = Number(applied?.metadata.resourceVersion) + 1;
    const quoted = `{"resourceVersion":"${next}"}`;
    await mapsOf(plane).apply({
      metadata: { name: 'own-a', labels: { resourceVersion: String(next) } },
      data: { text: quoted },
    });
    const snapshot = plane.snapshot();
    await mapsOf(plane).delete('own-a');
    await plane.restore(snapshot);
    const restored = await mapsOf(plane).get('own-a');
    expect(restored.metadata.labels).toEqual({ resourceVersion: String(next) });
    expect(restored.data?.text).toBe(quoted);
    expect(Number(restored.metadata.resourceVersion)).toBeGreaterThan(next);
  });

  it('has watchers list again, over the same connection, and informers see what is different', async () => {
    plane = await startTestPlane();
    await write('own-a', 'before');
    const snapshot = plane.snapshot();
    const informer = await mapsOf(plane).informer();
    let watched: Promise<unknown> | undefined;
    await new Promise<void>((begun) => {
      watched = endOf(mapsOf(plane).watch(), begun);
    });
    await write('own-b', 'after');
    await informer.until((store) => store.get('own-b', 'default'));
    await plane.restore(snapshot);
    expect(await watched).toMatchObject({ code: 410 });
    await informer.until((store) => store.get('own-b', 'default') === undefined);
    expect(informer.store.get('own-a', 'default')?.data?.text).toBe('before');
    await informer.close();
  });

  it('has its rights, quotas and custom kinds follow', async () => {
    plane = await startTestPlane();
    const empty = plane.snapshot();
    const alice = await plane.clientAs('alice');
    const names = () => alice.of(ConfigMap).inNamespace('default').list();
    const { rbac, apiextensions } = plane.client.vocabulary.groups;
    await plane.client.of(ClusterRole).create({
      metadata: { name: 'reader' },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }],
    });
    await plane.client.of(ClusterRoleBinding).create({
      metadata: { name: 'alice-reads' },
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'reader' },
      subjects: [{ kind: 'User', apiGroup: rbac, name: 'alice' }],
    });
    const quotas = plane.client.of(ResourceQuota).inNamespace('default');
    await quotas.create({ metadata: { name: 'few' }, spec: { hard: { 'count/configmaps': '2' } } });
    await plane.apply([
      {
        apiVersion: `${apiextensions}/v1`,
        kind: 'CustomResourceDefinition',
        metadata: { name: 'widgets.example.com' },
        spec: {
          group: 'example.com',
          scope: 'Cluster',
          names: { plural: 'widgets', kind: 'Widget' },
          versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
        },
      },
      { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' } },
    ]);
    const widgets = (name: string) =>
      plane.client.raw({ method: 'GET', target: `/apis/example.com/v1/widgets/${name}` }).then(({ status }) => status);
    expect([(await names()).items.length > 0, await widgets('a')]).toEqual([true, 200]);
    const full = plane.snapshot();

    await plane.restore(empty);
    await expect(names()).rejects.toMatchObject({ reason: 'Forbidden' });
    expect(await widgets('a')).toBe(404);
    for (const name of ['own-a', 'own-b', 'own-c']) await write(name, 'without a quota');

    await plane.restore(full);
    expect([(await names()).items.length > 0, await widgets('a')]).toEqual([true, 200]);
    await expect
      .poll(() =>
        write('own-d', 'one too many')
          .then(() => write('own-e', 'x'))
          .catch((error: Error) => error.message),
      )
      .toContain('exceeded quota');
  });

  it('takes what is written meanwhile, before or after', async () => {
    plane = await startTestPlane();
    await write('own-a', 'before');
    const snapshot = plane.snapshot();
    const writes = Array.from({ length: 20 }, (_, at) => write(`own-${at}`, 'meanwhile'));
    await Promise.all([plane.restore(snapshot), ...writes]);
    const state = await texts(plane);
    expect(state['own-a']).toBe('before');
    const left = Object.keys(own(state)).filter((name) => name !== 'own-a');
    for (const name of left) await write(name, 'changed');
    expect(Object.values(own(await texts(plane))).filter((text) => text === 'meanwhile')).toEqual([]);
  });

  it('refuses a snapshot of another plane', async () => {
    plane = await startTestPlane();
    await using other = await startTestPlane();
    await expect(plane.restore(other.snapshot())).rejects.toThrow('another plane');
  });
});
