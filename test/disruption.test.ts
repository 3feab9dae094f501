import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { define, definition, version } from './support/definitions.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const runtime = new ShiftableRuntime();
let plane: TestServer;
let namespaces = 0;

beforeAll(async () => {
  // Pods here have owners that nobody has made.
  plane = await startTestServer({ runtime, controllers: ['*', '-garbagecollector'] });
});
afterAll(() => plane.close());

type Json = { readonly [key: string]: unknown };

class Place {
  readonly path: string;

  constructor(name: string) {
    this.path = `namespaces/${name}`;
  }

  async make(root: string, plural: string, document: Json): Promise<Json & { metadata: { uid: string } }> {
    const { status, text, body } = await plane.admin.request('POST', `${root}/${this.path}/${plural}`, document);
    expect(status, text).toBe(201);
    return body as unknown as Json & { metadata: { uid: string } };
  }

  /** Pods of an owner, of which the first so many are ready. */
  async pods(count: number, ready: number, owner?: Json): Promise<void> {
    const ownerReferences = owner ? [{ controller: true, ...owner }] : [];
    for (let at = 0; at < count; at++) {
      const metadata = { name: `${owner?.name ?? 'p'}-${at}`, labels: { app: 'a' }, ownerReferences };
      const spec = { containers: [{ name: 'main', image: 'i' }] };
      await this.make('/api/v1', 'pods', { metadata, spec });
      if (at < ready) await this.ready(metadata.name);
    }
  }

  async ready(name: string): Promise<void> {
    const conditions = [{ type: 'Ready', status: 'True' }];
    const path = `/api/v1/${this.path}/pods/${name}/status`;
    expect((await plane.admin.request('PATCH', path, { status: { phase: 'Running', conditions } })).status).toBe(200);
  }

  budget(spec: Json): Promise<unknown> {
    const selector = { matchLabels: { app: 'a' } };
    return this.make('/apis/policy/v1', 'poddisruptionbudgets', {
      metadata: { name: 'b' },
      spec: { selector, ...spec },
    });
  }

  async status(): Promise<Json> {
    return (await plane.admin.request('GET', `/apis/policy/v1/${this.path}/poddisruptionbudgets/b`)).body
      .status as Json;
  }

  settles(expected: Json): Promise<void> {
    return expect.poll(() => this.status()).toMatchObject(expected);
  }

  evict(name: string): Promise<number> {
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } };
    return plane.admin
      .request('POST', `/api/v1/${this.path}/pods/${name}/eviction`, eviction)
      .then(({ status }) => status);
  }
}

async function place(): Promise<Place> {
  const name = `place-${namespaces++}`;
  expect((await plane.admin.request('POST', '/api/v1/namespaces', { metadata: { name } })).status).toBe(201);
  const account = `/api/v1/namespaces/${name}/serviceaccounts/default`;
  await expect.poll(async () => (await plane.admin.request('GET', account)).status).toBe(200);
  return new Place(name);
}

const TEMPLATE = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'main', image: 'i' }] } };
const workload = (name: string, replicas: number, more: Json = {}): Json => ({
  metadata: { name, ...more },
  spec: { replicas, selector: { matchLabels: { app: 'a' } }, template: TEMPLATE },
});
const refTo = (apiVersion: string, kind: string, name: string, { metadata }: { metadata: { uid: string } }): Json => ({
  apiVersion,
  kind,
  name,
  uid: metadata.uid,
});

describe('the status of a budget', () => {
  it('follows the pods that are there where a number is wanted', async () => {
    const here = await place();
    await here.budget({ minAvailable: 2 });
    await here.settles({ observedGeneration: 1, expectedPods: 0, disruptionsAllowed: 0, desiredHealthy: 2 });
    await here.pods(4, 3);
    await here.settles({
      expectedPods: 4,
      currentHealthy: 3,
      desiredHealthy: 2,
      disruptionsAllowed: 1,
      conditions: [{ type: 'DisruptionAllowed', status: 'True', reason: 'SufficientPods', observedGeneration: 1 }],
    });
    await plane.admin.request('DELETE', `/api/v1/${here.path}/pods/p-0`);
    await here.settles({
      expectedPods: 3,
      currentHealthy: 2,
      disruptionsAllowed: 0,
      conditions: [{ type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods' }],
    });
    const path = `/apis/policy/v1/${here.path}/poddisruptionbudgets/b`;
    await plane.admin.request('PATCH', path, { spec: { minAvailable: 1 } });
    await here.settles({ observedGeneration: 2, desiredHealthy: 1, disruptionsAllowed: 1 });
  });

  it.each([
    [{ maxUnavailable: 1 }, { expectedPods: 5, desiredHealthy: 4 }],
    [{ maxUnavailable: '30%' }, { expectedPods: 5, desiredHealthy: 3 }],
    [{ minAvailable: '50%' }, { expectedPods: 5, desiredHealthy: 3 }],
    [{ minAvailable: 2 }, { expectedPods: 3, desiredHealthy: 2 }],
  ])('counts what controllers want together: %j is %j', async (spec, expected) => {
    const here = await place();
    const deployment = await here.make('/apis/apps/v1', 'deployments', workload('d', 3));
    const owner = { controller: true, ...refTo('apps/v1', 'Deployment', 'd', deployment) };
    const old = await here.make('/apis/apps/v1', 'replicasets', workload('old', 7, { ownerReferences: [owner] }));
    const young = await here.make('/apis/apps/v1', 'replicasets', workload('young', 1, { ownerReferences: [owner] }));
    const set = await here.make('/apis/apps/v1', 'statefulsets', { ...workload('s', 2) });
    await here.pods(1, 1, refTo('apps/v1', 'ReplicaSet', 'old', old));
    await here.pods(1, 1, refTo('apps/v1', 'ReplicaSet', 'young', young));
    await here.pods(1, 1, refTo('apps/v1', 'StatefulSet', 's', set));
    await here.budget(spec);
    await here.settles({ currentHealthy: 3, ...expected });
  });

  it('asks controllers of other kinds for their scale, and says so when they have none', async () => {
    const here = await place();
    const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
    const scalable = version('v1', { replicas: { type: 'integer' } }, { subresources: { scale, status: {} } });
    await define(plane.admin, definition('herds', 'zoo.example.com', [scalable]), `/apis/zoo.example.com/v1/herds`);
    await define(
      plane.admin,
      definition('cages', 'zoo.example.com', [version('v1')]),
      `/apis/zoo.example.com/v1/cages`,
    );
    const of = (kind: string) => ({ apiVersion: 'zoo.example.com/v1', kind, metadata: { name: 'x' } });
    const herd = await here.make('/apis/zoo.example.com/v1', 'herds', { ...of('Herd'), spec: { replicas: 4 } });
    const cage = await here.make('/apis/zoo.example.com/v1', 'cages', of('Cage'));
    await here.pods(2, 2, refTo('zoo.example.com/v1', 'Herd', 'x', herd));
    await here.budget({ maxUnavailable: 3 });
    await here.settles({ expectedPods: 4, desiredHealthy: 1, currentHealthy: 2, disruptionsAllowed: 1 });
    const metadata = { name: 'caged', labels: { app: 'a' } };
    const owner = { controller: true, ...refTo('zoo.example.com/v1', 'Cage', 'x', cage) };
    const spec = { containers: [{ name: 'main', image: 'i' }] };
    await here.make('/api/v1', 'pods', { metadata: { ...metadata, ownerReferences: [owner] }, spec });
    const message = 'cages.zoo.example.com does not implement the scale subresource';
    await here.settles({ disruptionsAllowed: 0, conditions: [{ status: 'False', reason: 'SyncFailed', message }] });
  });

  it('allows nothing while the controller of a pod is not known', async () => {
    const here = await place();
    await here.pods(1, 1, { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'lost', uid: 'gone' });
    await here.budget({ maxUnavailable: 1 });
    const message = 'found no controllers for pod "lost-0"';
    await here.settles({ disruptionsAllowed: 0, conditions: [{ status: 'False', reason: 'SyncFailed', message }] });
  });
});

describe('evictions', () => {
  it('take from a budget that is counted all the while', async () => {
    const here = await place();
    await here.pods(6, 6);
    await here.budget({ minAvailable: 4 });
    await here.settles({ disruptionsAllowed: 2 });
    const answers = await Promise.all(Array.from({ length: 6 }, (_, at) => here.evict(`p-${at}`)));
    expect(answers.filter((status) => status === 201)).toHaveLength(2);
    await here.settles({ expectedPods: 4, currentHealthy: 4, disruptionsAllowed: 0 });
    await expect.poll(async () => (await here.status()).disruptedPods).toBeUndefined();
  });

  it('that did not happen are given back after two minutes', async () => {
    const here = await place();
    await here.pods(3, 3);
    await here.budget({ minAvailable: 2 });
    await here.settles({ disruptionsAllowed: 1 });
    const path = `/apis/policy/v1/${here.path}/poddisruptionbudgets/b/status`;
    const time = new Date(runtime.now()).toISOString().replace(/\.\d+/, '');
    await plane.admin.request('PATCH', path, { status: { disruptedPods: { 'p-0': time }, disruptionsAllowed: 0 } });
    await here.settles({ currentHealthy: 2, disruptionsAllowed: 0, disruptedPods: { 'p-0': time } });
    runtime.advance(121_000);
    await here.settles({ currentHealthy: 3, disruptionsAllowed: 1 });
    expect((await here.status()).disruptedPods).toBeUndefined();
  });
});
