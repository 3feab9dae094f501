import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from './support/client.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

let plane: TestServer;

beforeAll(async () => {
  plane = await startTestServer({ controllers: ['*', '-disruption'] });
});

afterAll(() => plane.close());

let named = 0;
const fresh = (prefix: string): string => `${prefix}-${++named}`;

const call = (method: string, path: string, body?: unknown): Promise<Answer> => plane.admin.request(method, path, body);

/** Asks for something that must not be refused. */
async function done(method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await call(method, path, body);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer;
}

/** A namespace of its own, and ways to fill it. */
async function makeNamespace() {
  const namespace = fresh('ns');
  await done('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  const core = `/api/v1/namespaces/${namespace}`;
  const pods = `${core}/pods`;
  const budgets = `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`;
  const makePod = async (name: string, labels: object = { app: 'a' }): Promise<void> => {
    const spec = { containers: [{ name: 'main', image: 'example/main:1' }] };
    await done('POST', pods, { metadata: { name, labels }, spec });
  };
  const runPod = async (name: string, ready = 'True'): Promise<void> => {
    await makePod(name);
    const conditions = [{ type: 'Ready', status: ready }];
    await done('PATCH', `${pods}/${name}/status`, { status: { phase: 'Running', conditions } });
  };
  const makeBudget = async (name: string, status?: object): Promise<void> => {
    const spec = { minAvailable: 1, selector: { matchLabels: { app: 'a' } } };
    await done('POST', budgets, { metadata: { name }, spec });
    if (status) await done('PATCH', `${budgets}/${name}/status`, { status: { observedGeneration: 1, ...status } });
  };
  const evict = (name: string, deleteOptions: object = { gracePeriodSeconds: 0 }, query = ''): Promise<Answer> =>
    call('POST', `${pods}/${name}/eviction${query}`, { metadata: { name }, deleteOptions });
  const statusOf = async (budget: string): Promise<Record<string, unknown>> =>
    (await done('GET', `${budgets}/${budget}`)).body.status as Record<string, unknown>;
  const isThere = async (pod: string): Promise<boolean> => (await call('GET', `${pods}/${pod}`)).status === 200;
  return { core, pods, makePod, runPod, makeBudget, evict, statusOf, isThere };
}

describe('a binding', () => {
  it('puts a pod onto a node and tells it so', async () => {
    const { pods, makePod } = await makeNamespace();
    await makePod('p');
    const binding = { metadata: { name: 'p', annotations: { by: 'me' } }, target: { kind: 'Node', name: 'n' } };
    const answer = await done('POST', `${pods}/p/binding`, binding);
    expect(answer.body).toMatchObject({ kind: 'Status', status: 'Success', code: 201 });
    const { body } = await done('GET', `${pods}/p`);
    expect(body).toMatchObject({
      metadata: { annotations: { by: 'me' } },
      spec: { nodeName: 'n' },
      status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'True' }] },
    });
  });

  it('wins once, however many want the pod', async () => {
    const { core, pods, makePod } = await makeNamespace();
    await makePod('p');
    const paths = [`${pods}/p/binding`, `${core}/bindings`, `${pods}/p/binding`, `${core}/bindings`];
    const answers = await Promise.all(
      paths.map((path, at) => call('POST', path, { metadata: { name: 'p' }, target: { name: `n-${at}` } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const winner = answers.findIndex(({ status }) => status === 201);
    expect((await done('GET', `${pods}/p`)).body.spec.nodeName).toBe(`n-${winner}`);
  });

  it.each([
    ['another name', { metadata: { name: 'q' }, target: { name: 'n' } }, 400],
    ['no target', { metadata: { name: 'p' }, target: { name: '' } }, 422],
    ['something that is no node', { metadata: { name: 'p' }, target: { kind: 'Moon', name: 'n' } }, 422],
    ['another pod of that name', { metadata: { name: 'p', uid: 'another' }, target: { name: 'n' } }, 409],
    ['an older version of the pod', { metadata: { name: 'p', resourceVersion: '1' }, target: { name: 'n' } }, 409],
  ])('for %s is refused', async (_what, binding, status) => {
    const { pods, makePod } = await makeNamespace();
    await makePod('p');
    expect((await call('POST', `${pods}/p/binding`, binding)).status).toBe(status);
    expect((await done('GET', `${pods}/p`)).body.spec.nodeName).toBeUndefined();
  });

  it('of a pod that is not there, or is about to go, is refused', async () => {
    const { pods, makePod } = await makeNamespace();
    const binding = { metadata: { name: 'p' }, target: { name: 'n' } };
    expect((await call('POST', `${pods}/p/binding`, binding)).status).toBe(404);
    await makePod('p');
    await done('PATCH', `${pods}/p`, { metadata: { finalizers: ['example.com/stay'] } });
    await done('DELETE', `${pods}/p`);
    expect((await call('POST', `${pods}/p/binding`, binding)).status).toBe(409);
  });

  it('that is only tried changes nothing', async () => {
    const { pods, makePod } = await makeNamespace();
    await makePod('p');
    await done('POST', `${pods}/p/binding?dryRun=All`, { metadata: { name: 'p' }, target: { name: 'n' } });
    expect((await done('GET', `${pods}/p`)).body.spec.nodeName).toBeUndefined();
  });
});

describe('an eviction', () => {
  it.each(['policy/v1', 'policy/v1beta1'])('in %s deletes a pod that no budget protects', async (apiVersion) => {
    const { pods, runPod, isThere } = await makeNamespace();
    await runPod('p');
    const answer = await done('POST', `${pods}/p/eviction`, { apiVersion, kind: 'Eviction', metadata: { name: 'p' } });
    expect(answer.body).toMatchObject({ kind: 'Status', status: 'Success', code: 201 });
    expect(await isThere('p')).toBe(false);
  });

  it('of a pod that several budgets protect is refused, as it cannot spend them at once', async () => {
    const { runPod, makeBudget, evict, isThere } = await makeNamespace();
    await runPod('p');
    await makeBudget('a', { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 });
    await makeBudget('b', { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 });
    const { status, body } = await evict('p');
    expect([status, body.code, body.reason]).toEqual([500, 500, undefined]);
    expect(body.message).toBe(
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
    expect(await isThere('p')).toBe(true);
  });

  it('spends the budget exactly, however many come at once', async () => {
    const { runPod, makeBudget, evict, statusOf, isThere } = await makeNamespace();
    const names = Array.from({ length: 8 }, (_, at) => `p-${at}`);
    await Promise.all(names.map((name) => runPod(name)));
    await makeBudget('b', { disruptionsAllowed: 3, currentHealthy: 8, desiredHealthy: 5, expectedPods: 8 });
    const answers = await Promise.all(names.map((name) => evict(name)));
    const evicted = names.filter((_name, at) => answers[at]?.status === 201);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 429, 429, 429, 429, 429]);
    const status = await statusOf('b');
    expect(status).toMatchObject({
      disruptionsAllowed: 0,
      conditions: [{ type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods' }],
    });
    expect(Object.keys(status.disruptedPods as object).sort()).toEqual(evicted);
    const left = await Promise.all(names.map(isThere));
    expect(names.filter((_name, at) => !left[at])).toEqual(evicted);
  });

  it('is put off while nobody has looked at the budget', async () => {
    const { runPod, makeBudget, evict, isThere } = await makeNamespace();
    await runPod('p');
    await makeBudget('b');
    const { status, headers, body } = await evict('p');
    expect(status).toBe(429);
    expect(headers['retry-after']).toBe('10');
    expect(body).toMatchObject({ reason: 'TooManyRequests', details: { retryAfterSeconds: 10 } });
    expect(await isThere('p')).toBe(true);
  });

  it('beyond the budget is refused without a time to try again', async () => {
    const { runPod, makeBudget, evict } = await makeNamespace();
    await runPod('p');
    await makeBudget('b', { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 });
    const { status, headers, body } = await evict('p');
    expect(status).toBe(429);
    expect(headers['retry-after']).toBeUndefined();
    expect(body.details?.causes).toMatchObject([{ reason: 'DisruptionBudget' }]);
  });

  it('of a pod with several budgets cannot be done', async () => {
    const { runPod, makeBudget, evict } = await makeNamespace();
    await runPod('p');
    await makeBudget('a');
    await makeBudget('b');
    expect((await evict('p')).status).toBe(500);
  });

  it.each(['Pending', 'Succeeded', 'Failed'])('of a pod that is %s asks no budget', async (phase) => {
    const { pods, makePod, makeBudget, evict, isThere } = await makeNamespace();
    await makePod('p');
    await done('PATCH', `${pods}/p/status`, { status: { phase } });
    await makeBudget('b');
    expect((await evict('p')).status).toBe(201);
    expect(await isThere('p')).toBe(false);
  });

  it('of a pod that is not ready spends nothing where enough others are', async () => {
    const { runPod, makeBudget, evict, statusOf } = await makeNamespace();
    await runPod('p', 'False');
    await makeBudget('b', { disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2, expectedPods: 3 });
    expect((await evict('p')).status).toBe(201);
    expect((await statusOf('b')).disruptedPods).toBeUndefined();
  });

  it.each([
    ['in the query', {}, '?dryRun=All'],
    ['in its options', { dryRun: ['All'] }, ''],
  ])('that is only tried, as it says %s, changes nothing', async (_where, options, query) => {
    const { runPod, makeBudget, evict, statusOf, isThere } = await makeNamespace();
    await runPod('p');
    await makeBudget('b', { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 });
    expect((await evict('p', options, query)).status).toBe(201);
    expect(await isThere('p')).toBe(true);
    expect((await statusOf('b')).disruptionsAllowed).toBe(1);
  });

  it.each([
    ['another uid', { preconditions: { uid: 'another' } }, 409],
    ['another version', { preconditions: { resourceVersion: '1' } }, 409],
    ['an unknown policy', { propagationPolicy: 'Whatever' }, 422],
  ])('with %s in its options is refused', async (_what, options, status) => {
    const { makePod, evict, isThere } = await makeNamespace();
    await makePod('p');
    expect((await evict('p', options)).status).toBe(status);
    expect(await isThere('p')).toBe(true);
  });

  it('needs a pod of its name', async () => {
    const { pods, makePod, evict } = await makeNamespace();
    expect((await evict('p')).status).toBe(404);
    await makePod('p');
    expect((await call('POST', `${pods}/p/eviction`, { metadata: { name: 'q' } })).status).toBe(400);
    expect((await call('POST', `${pods}/p/eviction`, { kind: 'Binding', metadata: { name: 'p' } })).status).toBe(400);
  });
});
