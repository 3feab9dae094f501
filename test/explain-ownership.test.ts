import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedPlane, startPlane } from '../src/server/server.ts';

/** What the server tells of who owns the fields of an object, and who gave them their values. */

let plane: EmbeddedPlane;
beforeAll(async () => {
  plane = await startPlane({ store: 'memory' });
});
afterAll(() => plane.close());

const [JSON_BODY, MERGE, APPLY] = ['application/json', 'application/merge-patch+json', 'application/apply-patch+yaml'];

type As = 'admin' | { user: string; groups: string[] };

const send = async (method: string, target: string, body?: unknown, type = JSON_BODY, as: As = 'admin') => {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const reply = await plane.inject({ method, target, as, headers: { 'content-type': type }, ...sent });
  return { status: reply.status, body: JSON.parse(String(reply.body)) };
};

const ask = (plural: string, spec: unknown, as?: As) =>
  send('POST', `/apis/explain.platform.io/v1alpha1/${plural}`, { spec }, JSON_BODY, as);

const MAPS = '/api/v1/namespaces/default/configmaps';
const mapNamed = (name: string) => ({ resource: 'configmaps', namespace: 'default', name });

interface Story {
  readonly path: string;
  readonly value?: unknown;
  readonly previous?: unknown;
  readonly owners?: readonly { readonly manager: string }[];
  readonly setBy?: { readonly resourceVersion: string; readonly fieldManager?: string; readonly user?: string };
}

const blame = async (object: unknown, more: object = {}): Promise<{ fields: Story[]; [more: string]: unknown }> =>
  (await ask('ownershipreviews', { object, ...more })).body.status;

const storyOf = (fields: readonly Story[], path: string): Story | undefined => fields.find((one) => one.path === path);

describe('the fields of an object', () => {
  it('have owners, and the version that gave them their value', async () => {
    await send('POST', `${MAPS}?fieldManager=maker`, { metadata: { name: 'm' }, data: { a: '1', b: '1' } });
    const as = { user: 'mallory', groups: ['system:masters'] };
    const patched = await send('PATCH', `${MAPS}/m?fieldManager=patcher`, { data: { a: '2' } }, MERGE, as);
    await send('PATCH', `${MAPS}/m?fieldManager=other`, { data: { c: '1' } }, MERGE);
    const { fields, complete } = await blame(mapNamed('m'));
    expect(complete).toBe(true);
    expect(storyOf(fields, '.data.a')).toMatchObject({
      value: '2',
      previous: '1',
      owners: [{ manager: 'patcher', operation: 'Update' }],
      setBy: { resourceVersion: patched.body.metadata.resourceVersion, user: 'mallory', fieldManager: 'patcher' },
    });
    expect(storyOf(fields, '.data.b')).toMatchObject({ owners: [{ manager: 'maker' }], setBy: { event: 'Created' } });
    expect(storyOf(fields, '.data.b')).not.toHaveProperty('previous');
    expect(storyOf(fields, '.metadata.uid')?.owners).toBeUndefined();
    const some = await blame(mapNamed('m'), { fieldPrefix: '.data.' });
    expect(some.fields.map(({ path }) => path)).toEqual(['.data.a', '.data.b', '.data.c']);
  });

  it('of many are told as far as an answer goes, and counted', async () => {
    const data = Object.fromEntries(Array.from({ length: 9_900 }, (_, at) => [`k${at}`, 'x']));
    await send('POST', MAPS, { metadata: { name: 'many' }, data });
    for (let at = 0; at < 3; at++) await send('PATCH', `${MAPS}/many`, { data: { [`k${at}`]: 'y' } }, MERGE);
    const { fields, remainingFields, versionsRead } = await blame(mapNamed('many'));
    expect(Number(remainingFields)).toBeGreaterThan(4_900);
    expect(versionsRead).toBe(3);
    expect(storyOf(fields, '.data.k1')).toMatchObject({ value: 'y', previous: 'x' });
  });
});

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

/** One write by some manager: sent as it is, whatever becomes of it. */
interface RandomWrite {
  readonly method: string;
  readonly type: string;
  readonly query: string;
  readonly subresource: string;
  readonly body: object;
}

const manager = fc.constantFrom('ann', 'bob', 'cy');
const small = fc.constantFrom('1', '2', '3');
const env = fc.uniqueArray(fc.record({ name: fc.constantFrom('A', 'B', 'C'), value: small }), {
  selector: ({ name }) => name,
});
const container = fc.record({ name: fc.constantFrom('x', 'y'), image: small, args: fc.array(small), env });
const containers = fc.uniqueArray(container, { selector: ({ name }) => name, minLength: 1 });
const labels = fc.dictionary(fc.constantFrom('l1', 'l2'), small);
const podSpec = containers.map((all) => ({ containers: all }));

const specOf = (pod: object, replicas: number) => ({
  replicas,
  selector: { matchLabels: { app: 'a' } },
  template: { metadata: { labels: { app: 'a' } }, spec: pod },
});

const applied: fc.Arbitrary<RandomWrite> = fc
  .record({ manager, pod: podSpec, labels, replicas: fc.integer({ min: 0, max: 3 }), force: fc.boolean() })
  .map(({ manager: name, pod, labels: own, replicas, force }) => ({
    method: 'PATCH',
    type: APPLY,
    query: `?fieldManager=${name}&force=${force}`,
    subresource: '',
    body: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { labels: own }, spec: specOf(pod, replicas) },
  }));
const patched: fc.Arbitrary<RandomWrite> = fc
  .record({ manager, labels, annotations: fc.dictionary(fc.constantFrom('n1', 'n2'), fc.option(small)) })
  .map(({ manager: name, labels: own, annotations }) => ({
    method: 'PATCH',
    type: MERGE,
    query: `?fieldManager=${name}`,
    subresource: '',
    body: { metadata: { labels: own, annotations } },
  }));
const replaced: fc.Arbitrary<RandomWrite> = fc
  .record({ manager, pod: podSpec, labels, replicas: fc.integer({ min: 0, max: 3 }) })
  .map(({ manager: name, pod, labels: own, replicas }) => ({
    method: 'PUT',
    type: JSON_BODY,
    query: `?fieldManager=${name}`,
    subresource: '',
    body: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { labels: own }, spec: specOf(pod, replicas) },
  }));
const reported: fc.Arbitrary<RandomWrite> = fc
  .record({ manager, ready: fc.integer({ min: 0, max: 2 }) })
  .map((sent) => ({
    method: 'PATCH',
    type: MERGE,
    query: `?fieldManager=${sent.manager}`,
    subresource: '/status',
    body: { status: { readyReplicas: sent.ready } },
  }));

/** The value at a path as it is told; undefined where there is none. */
function valueAt(object: unknown, path: string): unknown {
  let value: unknown = object;
  for (const [, field, key] of path.matchAll(/\.([^.[]+)|\[([^\]]*)\]/g)) {
    if (field !== undefined) value = (value as Record<string, unknown> | undefined)?.[field];
    else value = Array.isArray(value) ? value.find((item) => hasKey(item, key ?? '')) : undefined;
  }
  return value;
}

function hasKey(item: unknown, key: string): boolean {
  if (key.startsWith('=')) return JSON.stringify(item) === key.slice(1);
  const entries = key.split(',').map((one) => one.split('=') as [string, string]);
  return entries.every(([name, value]) => JSON.stringify((item as Record<string, unknown>)[name]) === value);
}

/** What was told of a field, made anew by going through all versions from the first on. */
function replayed({ path, value: isTold }: Story, versions: readonly { metadata: { resourceVersion: string } }[]) {
  const seen = (object: unknown): string | undefined => {
    const value = valueAt(object, path);
    if (value === undefined) return undefined;
    return isTold === undefined ? 'there' : JSON.stringify(value);
  };
  let set: { resourceVersion: string; previous: unknown } | undefined;
  versions.forEach((version, at) => {
    const before = versions[at - 1];
    if (at > 0 && seen(version) === seen(before)) return;
    set = { resourceVersion: version.metadata.resourceVersion, previous: before && valueAt(before, path) };
  });
  return set;
}

/** The paths of all plain values, lists taken as a whole. */
function leaves(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path];
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner, `${path}.${name}`));
}

describe('blame, against a replay of all versions', () => {
  it('names the version that set each field and what was there before', async () => {
    let made = 0;
    const writes = fc.array(fc.oneof(applied, patched, replaced, reported), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(writes, async (all) => {
        const name = `d${made++}`;
        const first = { metadata: { name }, spec: specOf({ containers: [{ name: 'x', image: '0' }] }, 1) };
        const versions = [(await send('POST', `${DEPLOYMENTS}?fieldManager=maker`, first)).body];
        for (const { method, type, query, subresource, body } of all) {
          const sent = { ...body, metadata: { ...('metadata' in body && (body.metadata as object)), name } };
          const reply = await send(method, `${DEPLOYMENTS}/${name}${subresource}${query}`, sent, type);
          const last = versions.at(-1).metadata.resourceVersion;
          if (reply.status === 200 && reply.body.metadata.resourceVersion !== last) versions.push(reply.body);
        }
        const { fields } = await blame({ group: 'apps', resource: 'deployments', namespace: 'default', name });
        const now = versions.at(-1);
        for (const story of fields) {
          const { path, setBy } = story;
          if (story.value !== undefined) expect([path, story.value]).toEqual([path, valueAt(now, path)]);
          const wanted = replayed(story, versions);
          const previous = story.value === undefined ? undefined : wanted?.previous;
          expect([path, setBy?.resourceVersion, story.previous]).toEqual([path, wanted?.resourceVersion, previous]);
        }
        const paths = fields.map(({ path }) => path);
        const bookkeeping = /^\.metadata\.(managedFields|resourceVersion)/;
        for (const leaf of leaves(now).filter(
          (path) => !bookkeeping.test(path) && !path.endsWith('creationTimestamp'),
        )) {
          expect(paths.some((path) => path.startsWith(leaf)) || valueAt(now, leaf)).toBeTruthy();
        }
      }),
      { numRuns: 30, seed: 20 },
    );
  }, 60_000);
});

const document = (name: string, data: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });

describe('the preview of an apply', () => {
  it('tells what would change, whom it would conflict with and what would be given up', async () => {
    await send('PATCH', `${MAPS}/p?fieldManager=me`, document('p', { a: '1', b: '1', shared: '1' }), APPLY);
    await send('PATCH', `${MAPS}/p?fieldManager=friend`, document('p', { shared: '1' }), APPLY);
    const theirs = await send('PATCH', `${MAPS}/p?fieldManager=other`, { data: { a: '2' } }, MERGE);
    const spec = { object: mapNamed('p'), document: document('p', { a: '3', c: '1' }), fieldManager: 'me' };
    const { status, body } = await ask('applypreviews', spec);
    expect(status).toBe(201);
    expect(body.status.creates).toBe(false);
    expect(body.status.changes).toEqual([
      { path: '.data.a', before: '2', after: '3' },
      { path: '.data.c', after: '1' },
      { path: '.data.b', before: '1' },
    ]);
    expect(body.status.conflicts).toMatchObject([
      {
        path: '.data.a',
        owner: { manager: 'other', operation: 'Update' },
        theirs: '2',
        yours: '3',
        setBy: { resourceVersion: theirs.body.metadata.resourceVersion, fieldManager: 'other' },
      },
    ]);
    expect(body.status.abandoned).toEqual([
      { path: '.data.b', value: '1', removed: true },
      { path: '.data.shared', value: '1', removed: false },
    ]);
    expect((await send('GET', `${MAPS}/p`)).body.data).toEqual({ a: '2', b: '1', shared: '1' });
  });

  it('agrees with what an apply is answered', async () => {
    const made = await ask('applypreviews', {
      object: mapNamed('new'),
      document: document('new', { a: '1' }),
      fieldManager: 'me',
    });
    expect(made.body.status).toMatchObject({ creates: true, changes: expect.any(Array) });
    expect(made.body.status).not.toHaveProperty('conflicts');
    const odd = await ask('applypreviews', { object: mapNamed('p'), document: { kind: 'Pod' }, fieldManager: 'me' });
    const real = await send('PATCH', `${MAPS}/p?fieldManager=me`, { kind: 'Pod' }, APPLY);
    expect([odd.status, odd.body.message]).toEqual([real.status, real.body.message]);
    expect((await ask('applypreviews', { object: mapNamed('p'), document: {}, fieldManager: '' })).status).toBe(400);
  });
});
