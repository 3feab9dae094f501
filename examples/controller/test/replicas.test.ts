import { ApiError, type Informer, Pod, ReplicaSet } from 'platform-apiserver/client';
import { startTestPlane, type TestNamespace, type TestPlane } from 'platform-apiserver/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { runReplicas } from '../src/replicas.ts';

let plane: TestPlane;
let pods: Informer<Pod>;
let namespace: TestNamespace;
const errors: unknown[] = [];

beforeAll(async () => {
  plane = await startTestPlane();
  const controller = await runReplicas(plane.client, (_key, error) => errors.push(error));
  plane.atStop(() => controller.close());
  pods = await plane.client.of(Pod).informer();
  plane.atStop(() => pods.close());
});
afterAll(() => plane.stop());

beforeEach(async () => {
  errors.length = 0;
  namespace = await plane.namespace();
});

const sets = () => plane.client.of(ReplicaSet).inNamespace(namespace.name);

function create(replicas: number): Promise<ReplicaSet> {
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } };
  return sets().create({ metadata: { name: 'web' }, spec: { replicas, selector: { matchLabels: labels }, template } });
}

/** Resolves when there are these pods and no others. */
const untilPods = (...names: string[]) =>
  pods.until((store) => {
    const there = store.list(namespace.name).map(({ metadata }) => metadata.name);
    return JSON.stringify(there.sort()) === JSON.stringify(names);
  });

it('makes as many pods as a set wants, and says so', async () => {
  await create(3);
  await untilPods('web-0', 'web-1', 'web-2');
  await expect.poll(async () => (await sets().get('web')).status?.replicas).toBe(3);
  expect(errors).toEqual([]);
});

it('replaces a pod that somebody deletes', async () => {
  await create(2);
  await untilPods('web-0', 'web-1');
  const before = pods.store.get('web-1', namespace.name)?.metadata.uid;
  await plane.client.of(Pod).inNamespace(namespace.name).delete('web-1');
  const after = await pods.until((store) => {
    const uid = store.get('web-1', namespace.name)?.metadata.uid;
    return uid !== before && uid;
  });
  expect(after).not.toBe(before);
});

it('follows a set that is scaled', async () => {
  await create(1);
  await untilPods('web-0');
  await sets().scale.patch('web', { merge: { spec: { replicas: 3 } } });
  await untilPods('web-0', 'web-1', 'web-2');
  await sets().scale.patch('web', { merge: { spec: { replicas: 0 } } });
  await untilPods();
});

it('leaves the pods of a deleted set to the garbage collector', async () => {
  await create(2);
  await untilPods('web-0', 'web-1');
  await sets().delete('web');
  await untilPods();
});

it('tries again when the plane refuses a pod', async () => {
  let refusals = 0;
  using _ = plane.intercept(
    { verb: 'create', kind: 'Pod' },
    {
      before() {
        if (++refusals <= 2) throw new ApiError('Forbidden', 'not today');
      },
    },
  );
  await create(2);
  await untilPods('web-0', 'web-1');
  expect(errors).toHaveLength(2);
});
