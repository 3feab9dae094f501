import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from './support/audit.ts';
import type { Answer } from './support/client.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const runtime = new ShiftableRuntime();
let plane: TestServer;
beforeAll(async () => {
  plane = await startTestServer({ runtime });
});
afterAll(() => plane.close());

const send = (method: string, path: string, body?: unknown): Promise<Answer> => plane.admin.request(method, path, body);

async function make(path: string, metadata: object, more: object = {}): Promise<Answer> {
  const answer = await send('POST', path, { metadata, ...more });
  expect(answer.status, answer.text).toBe(201);
  return answer;
}

/** A new namespace with what every namespace has; gives its path. */
async function makeNamespace(name: string): Promise<string> {
  await make('/api/v1/namespaces', { name });
  const path = `/api/v1/namespaces/${name}`;
  await eventually(async () =>
    (await send('GET', `${path}/serviceaccounts/default`)).status === 200 ? true : undefined,
  );
  return path;
}

const container = { name: 'main', image: 'example/app:1' };
const makePod = (path: string, name: string, spec: object = {}): Promise<Answer> =>
  make(`${path}/pods`, { name }, { spec: { containers: [container], ...spec } });

type Conditions = Readonly<Record<string, string>>;

/** The conditions of a namespace: `status reason message`, by type without what all begin with. */
async function conditionsOf(path: string): Promise<Conditions> {
  const status = (await send('GET', path)).body.status as {
    conditions?: { type: string; status: string; reason: string; message: string }[];
  };
  const told = (status.conditions ?? []).map((one) => [
    one.type.replace(/^Namespace(Deletion)?/, ''),
    `${one.status} ${one.reason} ${one.message}`,
  ]);
  return Object.fromEntries(told);
}

const says = (path: string, type: string, text: string): Promise<Conditions> =>
  eventually(async () => {
    const conditions = await conditionsOf(path);
    return conditions[type] === text ? conditions : undefined;
  });
const gone = (path: string): Promise<boolean> =>
  eventually(async () => ((await send('GET', path)).status === 404 ? true : undefined));
const isThere = async (path: string): Promise<boolean> => (await send('GET', path)).status === 200;
const isGoing = async (path: string): Promise<boolean> =>
  'deletionTimestamp' in (await send('GET', path)).body.metadata;

const CLEAR: Conditions = {
  DiscoveryFailure: 'False ResourcesDiscovered All resources successfully discovered',
  GroupVersionParsingFailure: 'False ParsedGroupVersions All legacy kube types successfully parsed',
  ContentFailure: 'False ContentDeleted All content successfully deleted, may be waiting on finalization',
  ContentRemaining: 'False ContentRemoved All content successfully removed',
  FinalizersRemaining: 'False ContentHasNoFinalizers All content-preserving finalizers finished',
};

describe('a namespace that is deleted', () => {
  it('goes with everything in it', async () => {
    const path = await makeNamespace('full');
    await make(`${path}/secrets`, { name: 's' });
    await make(`${path}/services`, { name: 's' }, { spec: { ports: [{ port: 80 }] } });
    await makePod(path, 'unbound');
    await send('DELETE', path);
    await gone(path);
    await makeNamespace('full');
    for (const plural of ['secrets', 'services', 'pods']) {
      expect((await send('GET', `${path}/${plural}`)).body.items).toEqual([]);
    }
  });

  it('says what remains, how many of it, and which finalizers hold it', async () => {
    const path = await makeNamespace('held');
    await make(`${path}/secrets`, { name: 'a', finalizers: ['example.com/x', 'example.com/y'] });
    await make(`${path}/secrets`, { name: 'b', finalizers: ['example.com/x'] });
    await make(
      '/apis/apps/v1/namespaces/held/controllerrevisions',
      { name: 'r', finalizers: ['example.com/z'] },
      { revision: 1, data: {} },
    );
    await send('DELETE', path);
    const remaining = 'controllerrevisions.apps has 1 resource instances, secrets. has 2 resource instances';
    const conditions = await says(
      path,
      'ContentRemaining',
      `True SomeResourcesRemain Some resources are remaining: ${remaining}`,
    );
    const held =
      'example.com/x in 2 resource instances, example.com/y in 1 resource instances, example.com/z in 1 resource instances';
    const finalizers = `True SomeFinalizersRemain Some content in the namespace has finalizers remaining: ${held}`;
    const { ContentRemaining, FinalizersRemaining, ...others } = CLEAR;
    expect(conditions).toMatchObject({ ...others, FinalizersRemaining: finalizers });
    await send('PATCH', `${path}/secrets/a`, { metadata: { finalizers: null } });
    await send('PATCH', '/apis/apps/v1/namespaces/held/controllerrevisions/r', { metadata: { finalizers: null } });
    await says(
      path,
      'ContentRemaining',
      'True SomeResourcesRemain Some resources are remaining: secrets. has 1 resource instances',
    );
    await send('PATCH', `${path}/secrets/b`, { metadata: { finalizers: null } });
    await gone(path);
  });

  it('waits for pods on nodes, and leaves them what they need', async () => {
    const path = await makeNamespace('running');
    await makePod(path, 'bound', { nodeName: 'n', terminationGracePeriodSeconds: 3600 });
    await makePod(path, 'unbound');
    await make(`${path}/secrets`, { name: 's' });
    await send('DELETE', path);
    const pods = 'True SomeResourcesRemain Some resources are remaining: pods. has 1 resource instances';
    const conditions = await says(path, 'ContentRemaining', pods);
    expect(conditions.ContentFailure).toBe(CLEAR.ContentFailure);
    expect((await send('GET', `${path}/pods/bound`)).body.metadata).toMatchObject({ deletionGracePeriodSeconds: 3600 });
    expect(await isThere(`${path}/pods/unbound`)).toBe(false);
    expect([await isGoing(`${path}/secrets/s`), await isThere(`${path}/serviceaccounts/default`)]).toEqual([
      false,
      true,
    ]);
    // The node says that it has ended: nothing but that is waited for.
    await send('DELETE', `${path}/pods/bound?gracePeriodSeconds=0`);
    await gone(path);
  });

  it('says so when pods are still there after their time', async () => {
    const path = await makeNamespace('late');
    await makePod(path, 'stuck', { nodeName: 'n', terminationGracePeriodSeconds: 20 });
    await send('DELETE', path);
    await says(
      path,
      'ContentRemaining',
      'True SomeResourcesRemain Some resources are remaining: pods. has 1 resource instances',
    );
    runtime.advance(30_000);
    const problem = 'unexpected items still remain in namespace: late for gvr: /v1, Resource=pods';
    await says(
      path,
      'ContentFailure',
      `True ContentDeletionFailed Failed to delete all resource types, 1 remaining: ${problem}`,
    );
    await send('DELETE', `${path}/pods/stuck?gracePeriodSeconds=0`);
    await gone(path);
  });

  it('keeps rights until nothing else is left', async () => {
    const path = await makeNamespace('ruled');
    const roles = '/apis/rbac.authorization.platform.io/v1/namespaces/ruled/roles';
    await make(roles, { name: 'cleaner' }, { rules: [] });
    await make(`${path}/configmaps`, { name: 'c', finalizers: ['example.com/x'] });
    await send('DELETE', path);
    await says(
      path,
      'ContentRemaining',
      'True SomeResourcesRemain Some resources are remaining: configmaps. has 1 resource instances',
    );
    expect(await isGoing(`${roles}/cleaner`)).toBe(false);
    await send('PATCH', `${path}/configmaps/c`, { metadata: { finalizers: null } });
    await gone(path);
  });

  it('asks for nothing twice and writes nothing while it only waits', async () => {
    const path = await makeNamespace('still');
    await make(`${path}/secrets`, { name: 's', finalizers: ['example.com/x'] });
    await makePod(path, 'unbound');
    await send('DELETE', path);
    await says(
      path,
      'ContentRemaining',
      'True SomeResourcesRemain Some resources are remaining: secrets. has 1 resource instances',
    );
    const looks = async (): Promise<number> => {
      const { text } = await send('GET', '/metrics');
      return Number(/^workqueue_work_duration_seconds_count\{name="namespace"\} (\d+)/m.exec(text)?.[1]);
    };
    const versions = async (): Promise<string[]> =>
      Promise.all(
        [path, `${path}/secrets/s`].map(async (one) => (await send('GET', one)).body.metadata.resourceVersion),
      );
    const [looked, before] = [await looks(), await versions()];
    runtime.advance(60_000);
    await eventually(async () => ((await looks()) > looked ? true : undefined));
    expect(await versions()).toEqual(before);
    await send('PATCH', `${path}/secrets/s`, { metadata: { finalizers: null } });
    await gone(path);
  });

  it('is kept by finalizers of its own when its content is gone', async () => {
    const path = await makeNamespace('kept');
    await send('PATCH', path, { metadata: { finalizers: ['example.com/x'] } });
    await make(`${path}/secrets`, { name: 's' });
    await send('DELETE', path);
    await gone(`${path}/secrets/s`);
    expect(await says(path, 'ContentRemaining', CLEAR.ContentRemaining ?? '')).toEqual(CLEAR);
    await eventually(async () => ((await send('GET', path)).body.spec.finalizers === undefined ? true : undefined));
    await send('PATCH', path, { metadata: { finalizers: null } });
    await gone(path);
  });

  it('takes objects of custom kinds with it, also of one that came while it waited', async () => {
    const define = async (plural: string): Promise<string> => {
      const schema = { openAPIV3Schema: { type: 'object' } };
      await make(
        '/apis/apiextensions.platform.io/v1/customresourcedefinitions',
        { name: `${plural}.example.com` },
        {
          spec: {
            group: 'example.com',
            scope: 'Namespaced',
            names: { plural, kind: plural.toUpperCase() },
            versions: [{ name: 'v1', served: true, storage: true, schema }],
          },
        },
      );
      const path = `/apis/example.com/v1/namespaces/custom/${plural}`;
      await eventually(async () => ((await send('GET', path)).status === 200 ? true : undefined));
      return path;
    };
    const path = await makeNamespace('custom');
    const early = await define('early');
    await make(early, { name: 'a', finalizers: ['example.com/x'] }, { apiVersion: 'example.com/v1', kind: 'EARLY' });
    await send('DELETE', path);
    await says(
      path,
      'ContentRemaining',
      'True SomeResourcesRemain Some resources are remaining: early.example.com has 1 resource instances',
    );
    await define('late');
    await send('PATCH', `${early}/a`, { metadata: { finalizers: null } });
    await gone(path);
  });

  it('does not hold up others, however long it waits', async () => {
    const waiting = await Promise.all(
      Array.from({ length: 12 }, async (_, at) => {
        const path = await makeNamespace(`waits-${at}`);
        await make(`${path}/secrets`, { name: 's', finalizers: ['example.com/x'] });
        await send('DELETE', path);
        return path;
      }),
    );
    const path = await makeNamespace('quick');
    await send('DELETE', path);
    await gone(path);
    for (const one of waiting) expect(await isThere(one)).toBe(true);
    for (const one of waiting) await send('PATCH', `${one}/secrets/s`, { metadata: { finalizers: null } });
    for (const one of waiting) await gone(one);
  });
});
