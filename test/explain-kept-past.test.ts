import { afterEach, describe, expect, it } from 'vitest';
import { type EmbeddedPlane, startPlane } from '../src/server/server.ts';
import { PATIENCE_MS } from './support/patience.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';

/** Kinds whose past is remembered for longer than it can be watched, by `--history-retention-for`. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MAPS = '/api/v1/namespaces/default/configmaps';
const SECRETS = '/api/v1/namespaces/default/secrets';

let plane: EmbeddedPlane;
let runtime: ShiftableRuntime;
afterEach(() => plane.close());

type Options = Parameters<typeof startPlane>[0];

const start = async (options: Options): Promise<void> => {
  runtime = new ShiftableRuntime();
  plane = await startPlane({
    runtime,
    controllers: ['-*'],
    historyRetention: 5 * MINUTE,
    historyRetentionFor: ['configmaps=24h'],
    ...options,
  });
};

const send = async (method: string, target: string, body?: unknown) => {
  const headers = { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const reply = await plane.inject({ method, target, as: 'admin', headers, ...sent });
  return { status: reply.status, body: JSON.parse(String(reply.body)) };
};

const ask = (plural: string, resource: string, name: string, spec: object = {}) =>
  send('POST', `/apis/explain.platform.io/v1alpha1/${plural}`, {
    spec: { object: { resource, namespace: 'default', name }, ...spec },
  });

/** Makes, changes and deletes an object; returns the resource versions. */
const lifeOf = async (collection: string, name: string, other = ''): Promise<string[]> => {
  const made = await send('POST', collection, { metadata: { name }, data: { k: 'MQ==', other } });
  const changed = await send('PATCH', `${collection}/${name}`, { data: { k: 'Mg==' } });
  await send('DELETE', `${collection}/${name}`);
  return [made, changed].map(({ body }) => body.metadata.resourceVersion);
};

const eventsOf = async (resource: string, name: string): Promise<string[] | number> => {
  const { status, body } = await ask('objecthistories', resource, name);
  return status === 201 ? body.status.versions.map(({ event }: { event: string }) => event) : status;
};

const WHOLE = ['Deleted', 'Updated', 'Created'];

const STORES = [
  { store: 'memory' },
  { store: 'lmdb' },
  // All of the past is in the store alone.
  { store: 'lmdb', historyMemory: 100_000 },
] as const;

describe.each(STORES)('over $store', (options) => {
  const open = async (): Promise<void> =>
    start(options.store === 'lmdb' ? { ...options, dataDir: await temporaryDirectory() } : options);

  it('the past of a kind can be shown, compared and restored when it can be watched no longer', async () => {
    await open();
    const [first = '', second = ''] = await lifeOf(MAPS, 'kept');
    await lifeOf(SECRETS, 'usual');
    runtime.advance(HOUR);
    expect((await send('GET', `${MAPS}?watch=true&resourceVersion=${first}`)).body).toMatchObject({ code: 410 });
    expect((await send('GET', `${MAPS}?resourceVersion=${first}&resourceVersionMatch=Exact`)).status).toBe(410);
    expect(await eventsOf('secrets', 'usual')).toBe(404);
    expect(await eventsOf('configmaps', 'kept')).toEqual(WHOLE);
    const { body } = await ask('objecthistories', 'configmaps', 'kept', { resourceVersion: first });
    expect(body.status).toMatchObject({ exists: false, object: { data: { k: 'MQ==' } } });
    expect(body.status.versions).toMatchObject([{ attribution: 'Known', verb: 'create' }]);
    const diff = await ask('objectdiffs', 'configmaps', 'kept', { fromRevision: first, toRevision: second });
    expect(diff.body.status.changes).toMatchObject([{ path: '.data.k', before: 'MQ==', after: 'Mg==' }]);
    expect((await ask('objectrestores', 'configmaps', 'kept', { deleted: true })).status).toBe(201);
    expect((await send('GET', `${MAPS}/kept`)).body.data).toEqual({ k: 'Mg==', other: '' });
    expect(await eventsOf('configmaps', 'kept')).toEqual(['Created', ...WHOLE]);
  });

  it('goes when its own time is over, and says how far it goes back', async () => {
    await open();
    const [first = ''] = await lifeOf(MAPS, 'early');
    runtime.advance(23 * HOUR);
    const [later = ''] = await lifeOf(MAPS, 'late');
    runtime.advance(2 * HOUR);
    expect(await eventsOf('configmaps', 'early')).toBe(404);
    expect(await eventsOf('configmaps', 'late')).toEqual(WHOLE);
    const { status, body } = await ask('objecthistories', 'configmaps', 'early', { resourceVersion: first });
    expect([status, body.message]).toEqual([410, expect.stringContaining('is forgotten')]);
    const { oldestResourceVersion } = (await ask('objecthistories', 'configmaps', 'late')).body.status;
    expect(Number(oldestResourceVersion)).toBeGreaterThan(Number(first));
    expect(Number(oldestResourceVersion)).toBeLessThan(Number(later));
  });

  it('is counted', async () => {
    await open();
    await lifeOf(MAPS, 'counted');
    runtime.advance(HOUR);
    const { body } = await plane.inject({ method: 'GET', target: '/metrics', as: 'admin' });
    expect(String(body)).toMatch(/^apiserver_version_log_kept_versions\{resource="configmaps"\} [1-9]\d*$/m);
    expect(String(body)).not.toContain('apiserver_version_log_kept_versions{resource="secrets"}');
  });
});

it('outlasts a restart in a store on disk, without who made the versions', async () => {
  const dataDir = await temporaryDirectory();
  await start({ store: 'lmdb', dataDir });
  await lifeOf(MAPS, 'kept');
  runtime.advance(HOUR);
  await plane.close();
  await start({ store: 'lmdb', dataDir });
  runtime.advance(HOUR);
  const { body } = await ask('objecthistories', 'configmaps', 'kept');
  expect(body.status.versions).toMatchObject(WHOLE.map((event) => ({ event, attribution: 'Unknown' })));
  expect((await ask('objectrestores', 'configmaps', 'kept', { deleted: true })).status).toBe(201);
  await plane.close();
  // Where it is not asked for any more it is forgotten, and does not come back.
  await start({ store: 'lmdb', dataDir, historyRetentionFor: [] });
  await lifeOf(MAPS, 'other');
  runtime.advance(2 * HOUR);
  await expect.poll(() => eventsOf('configmaps', 'other')).toBe(404);
  await plane.close();
  await start({ store: 'lmdb', dataDir });
  runtime.advance(HOUR);
  expect(await eventsOf('configmaps', 'kept')).toEqual(['Unknown']);
});

/** How many versions are kept for longer of a collection, by the metrics. */
const keptOf = async (resource: string): Promise<number> => {
  const { body } = await plane.inject({ method: 'GET', target: '/metrics', as: 'admin' });
  const count = new RegExp(`^apiserver_version_log_kept_versions\\{resource="${resource}"\\} (\\d+)$`, 'm');
  return Number(count.exec(String(body))?.[1] ?? 0);
};

it('gives way to the window where all of the past is in memory, oldest first', async () => {
  await start({ store: 'memory', historyMemory: 400_000 });
  const names = ['first', 'second', 'third'];
  for (const name of names) await lifeOf(MAPS, name, 'x'.repeat(40_000));
  runtime.advance(HOUR);
  for (const name of names) expect(await eventsOf('configmaps', name)).toEqual(WHOLE);
  await send('POST', SECRETS, { metadata: { name: 'large' } });
  const { body } = await send('GET', `${SECRETS}/large`);
  const change = (round: number) => send('PATCH', `${SECRETS}/large`, { stringData: { k: `${round}`.repeat(30_000) } });
  for (let round = 0; round < 4; round++) await change(round);
  expect(await eventsOf('configmaps', 'first')).toBe(404);
  expect(await eventsOf('configmaps', 'third')).toEqual(WHOLE);
  for (let round = 4; round < 9; round++) await change(round);
  expect(await keptOf('configmaps')).toBe(0);
  expect(await eventsOf('configmaps', 'third')).toBe(404);
  // What can still be watched was not touched for it.
  expect(await eventsOf('secrets', 'large')).toHaveLength(10);
  const watched = await send(
    'GET',
    `${SECRETS}?resourceVersion=${body.metadata.resourceVersion}&resourceVersionMatch=Exact`,
  );
  expect(watched.status).toBe(200);
});

it('is halved where its versions alone are beyond --history-memory: that of the kind with the most, its older half', async () => {
  const dataDir = await temporaryDirectory();
  const historyRetentionFor = ['configmaps=24h', 'secrets=24h'];
  // So many versions at 200 bytes.
  await start({ store: 'lmdb', dataDir, historyRetentionFor, historyMemory: 200 * 100 });
  for (let at = 0; at < 10; at++) await lifeOf(SECRETS, `secret-${at}`);
  for (let at = 0; at < 23; at++) await lifeOf(MAPS, `map-${at}`);
  runtime.advance(HOUR);
  // One is of the server itself.
  expect([await keptOf('secrets'), await keptOf('configmaps')]).toEqual([30, 70]);
  for (let at = 23; at < 30; at++) await lifeOf(MAPS, `map-${at}`);
  runtime.advance(HOUR);
  // Half of what had been kept when the first of these came.
  expect(await keptOf('configmaps')).toBeGreaterThan(40);
  expect(await keptOf('configmaps')).toBeLessThan(60);
  for (const at of [0, 10]) expect(await eventsOf('configmaps', `map-${at}`)).toBe(404);
  for (const at of [15, 29]) expect(await eventsOf('configmaps', `map-${at}`)).toEqual(WHOLE);
  expect(await keptOf('secrets')).toBe(30);
  expect(await eventsOf('secrets', 'secret-0')).toEqual(WHOLE);
});

it('is halved where a full store refuses writes, and again only if that was not enough', async () => {
  const dataDir = await temporaryDirectory();
  await start({ store: 'lmdb', dataDir, storageQuota: 4 << 20 });
  for (let at = 0; at < 16; at++) await lifeOf(MAPS, `map-${at}`, 'x'.repeat(60_000));
  runtime.advance(HOUR);
  expect(await keptOf('configmaps')).toBe(49);
  let made = 0;
  const create = async (): Promise<number> => {
    const metadata = { name: `large-${made++}` };
    return (await send('POST', SECRETS, { metadata, stringData: { k: 'x'.repeat(60_000) } })).status;
  };
  // The store looks now and then how much it holds.
  const fill = async (): Promise<void> => {
    do runtime.advance(2_000);
    while ((await create()) === 201);
  };
  await fill();
  expect(await keptOf('configmaps')).toBe(24);
  for (const at of [0, 7]) expect(await eventsOf('configmaps', `map-${at}`)).toBe(404);
  for (const at of [8, 15]) expect(await eventsOf('configmaps', `map-${at}`)).toEqual(WHOLE);
  await expect.poll(create, { timeout: PATIENCE_MS }).toBe(201);
  expect(await keptOf('configmaps')).toBe(24);
  await fill();
  expect(await keptOf('configmaps')).toBe(12);
});

describe('the flag', () => {
  const refusalOf = async (...historyRetentionFor: string[]): Promise<string> => {
    const starting = startPlane({ store: 'memory', historyRetention: HOUR, historyRetentionFor });
    const outcome = await starting.catch((error: Error) => error.message);
    if (typeof outcome === 'string') return outcome;
    plane = outcome;
    return 'started';
  };

  it('takes kinds of the server and names of custom ones, and refuses what it cannot mean', async () => {
    expect(await refusalOf('configmaps')).toMatch(/"configmaps" is not RESOURCE=DURATION/);
    expect(await refusalOf('configmaps=soon')).toMatch(/"configmaps=soon" is not RESOURCE=DURATION/);
    expect(await refusalOf('=1h')).toMatch(/"=1h" is not RESOURCE=DURATION/);
    expect(await refusalOf('configmaps=5m')).toMatch(/configmaps=5m is less than --history-retention, which is 1h$/);
    expect(await refusalOf('deployments=2h')).toMatch(/there is no resource "deployments"/);
    expect(await refusalOf('bindings=2h')).toMatch(/there is no resource "bindings"/);
    expect(await refusalOf('configmaps=2h', 'configmaps=3h')).toMatch(/configmaps is there twice/);
    expect(await refusalOf(...Array.from({ length: 65 }, (_, at) => `a.b${at}.c=2h`))).toMatch(
      /more than 64 resources/,
    );
    expect(await refusalOf('deployments.apps=2h', 'widgets.example.com=800h')).toBe('started');
  });
});
