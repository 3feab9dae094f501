import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Document, Headers } from './support/client.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';
import { http2Session, openHttp2Watch, type Watch, type WatchEvent } from './support/watch.ts';

let plane: TestServer;
const runtime = new ShiftableRuntime();
const RETENTION_MS = 60_000;

beforeAll(async () => {
  plane = await startTestServer({ runtime, historyRetention: RETENTION_MS });
});

afterAll(() => plane.close());

let spaces = 0;

/** The maps of a namespace of its own, which holds nothing but the one that the server puts into each. */
async function freshMaps(): Promise<string> {
  const name = `watched-${++spaces}`;
  await plane.admin.request('POST', '/api/v1/namespaces', { metadata: { name } });
  const path = `/api/v1/namespaces/${name}/configmaps`;
  await expect.poll(async () => (await plane.admin.request('GET', path)).body.items.length).toBe(1);
  const [given] = (await plane.admin.request('GET', path)).body.items;
  // The server would put it back: told apart by its label, it stays.
  await plane.admin.request('PATCH', `${path}/${given?.metadata.name}`, { metadata: { labels: { given: 'yes' } } });
  return path;
}

async function watch(path: string, headers?: Headers): Promise<Watch> {
  const opened = await plane.watch(path, headers);
  onTestFinished(() => opened.close());
  return opened;
}

async function write(method: string, path: string, body?: object): Promise<Document> {
  const answer = await plane.admin.request(method, path, body);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body;
}

const create = (path: string, name: string, labels: object = {}) => write('POST', path, { metadata: { name, labels } });

const versionOf = async (path: string): Promise<string> =>
  (await plane.admin.request('GET', path)).body.metadata.resourceVersion;

const brief = ({ type, object }: WatchEvent): string => `${type} ${object.metadata.name}`;

const OWN = 'labelSelector=%21given';

describe('where a watch begins', () => {
  it.each(['', '&resourceVersion=0'])(
    'with "%s" it begins with what is there and goes on with changes',
    async (query) => {
      const path = await freshMaps();
      const [a, b] = [await create(path, 'a'), await create(path, 'b')];
      const events = await watch(`${path}?watch=1&${OWN}${query}`);
      expect(await events.take(2)).toEqual([
        { type: 'ADDED', object: a },
        { type: 'ADDED', object: b },
      ]);
      const c = await create(path, 'c');
      expect(await events.next()).toEqual({ type: 'ADDED', object: c });
    },
  );

  it('with a version it begins right after it, with every change in order', async () => {
    const path = await freshMaps();
    const a = await create(path, 'a');
    const changed = await write('PATCH', `${path}/a`, { data: { step: '1' } });
    await create(path, 'b');
    await write('DELETE', `${path}/a`);
    const again = await create(path, 'a');
    const events = await (await watch(`${path}?watch=1&resourceVersion=${a.metadata.resourceVersion}`)).take(4);
    expect(events.map(brief)).toEqual(['MODIFIED a', 'ADDED b', 'DELETED a', 'ADDED a']);
    expect(events[0]?.object).toEqual(changed);
    expect(events[2]?.object).toMatchObject({ metadata: { uid: a.metadata.uid }, data: { step: '1' } });
    expect(events[3]?.object).toEqual(again);
    const versions = events.map(({ object }) => Number(object.metadata.resourceVersion));
    expect(versions).toEqual([...versions].sort((x, y) => x - y));
    expect(new Set(versions).size).toBe(4);
  });

  it('with a version that cannot be one it is refused with 400', async () => {
    expect((await plane.admin.request('GET', '/api/v1/configmaps?watch=1&resourceVersion=latest')).status).toBe(400);
  });

  it('with a version no longer retained it is refused with 410', async () => {
    const path = await freshMaps();
    const old = await versionOf(path);
    await create(path, 'a');
    await write('PATCH', `${path}/a`, { data: { step: '1' } });
    runtime.advance(2 * RETENTION_MS);
    const { status, body } = await plane.admin.request('GET', `${path}?watch=1&resourceVersion=${old}`);
    expect(status).toBe(410);
    expect(body).toMatchObject({ kind: 'Status', reason: 'Expired', code: 410 });
    const list = await plane.admin.request('GET', `${path}?resourceVersion=${old}&resourceVersionMatch=Exact`);
    expect(list.status).toBe(410);
    const events = await watch(`${path}?watch=1&resourceVersion=${await versionOf(path)}`);
    await create(path, 'b');
    expect(brief(await events.next())).toBe('ADDED b');
  });

  it('a continue token no longer retained is refused with 410 and another to go on with', async () => {
    const path = await freshMaps();
    for (const name of ['a', 'b', 'c']) await create(path, name);
    const first = (await plane.admin.request('GET', `${path}?limit=2&${OWN}`)).body;
    runtime.advance(2 * RETENTION_MS);
    await write('DELETE', `${path}/a`);
    runtime.advance(2 * RETENTION_MS);
    const { status, body } = await plane.admin.request('GET', `${path}?limit=2&continue=${first.metadata.continue}`);
    expect(status).toBe(410);
    expect(body).toMatchObject({ reason: 'Expired' });
    const rest = await plane.admin.request('GET', `${path}?limit=2&continue=${body.metadata.continue}`);
    expect(rest.body.items.map(({ metadata }) => metadata.name)).toContain('c');
  });
});

describe('a watch that begins with a list', () => {
  const LIST = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const END = { 'platform.io/initial-events-end': 'true' };

  it.each(['', '0', 'now'])('tells what is there, then that this was all, then changes; from "%s"', async (from) => {
    const path = await freshMaps();
    const [a, b] = [await create(path, 'a'), await create(path, 'b')];
    const version = from === 'now' ? b.metadata.resourceVersion : from;
    const events = await watch(`${path}?${LIST}&${OWN}&resourceVersion=${version}`);
    const [first, second, end] = await events.take(3);
    expect([first, second]).toEqual([
      { type: 'ADDED', object: a },
      { type: 'ADDED', object: b },
    ]);
    expect(end).toMatchObject({ type: 'BOOKMARK', object: { kind: 'ConfigMap', metadata: { annotations: END } } });
    expect(Number(end?.object.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(b.metadata.resourceVersion));
    const c = await create(path, 'c');
    expect(await events.next()).toEqual({ type: 'ADDED', object: c });
  });

  it('tells at once where there is nothing, and in every form', async () => {
    const path = await freshMaps();
    const table = 'application/json;as=Table;v=v1;g=meta.platform.io';
    const metadata = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.platform.io';
    const none = `${path}?${LIST}&labelSelector=none`;
    const plain = await (await watch(none)).next();
    expect(plain.object).toMatchObject({ kind: 'ConfigMap', metadata: { annotations: END } });
    const partial = await (await watch(none, { accept: metadata })).next();
    expect(partial.object).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { annotations: END } });
    const rows: unknown = await (await watch(none, { accept: table })).next();
    expect(rows).toMatchObject({
      type: 'BOOKMARK',
      object: { kind: 'Table', rows: [{ cells: [], object: { metadata: { annotations: END } } }] },
    });
  });

  it('says nothing of the end to those who want no bookmarks', async () => {
    const path = await freshMaps();
    await create(path, 'a');
    const events = await watch(`${path}?${LIST.replace('&allowWatchBookmarks=true', '')}&${OWN}`);
    await events.next();
    await create(path, 'b');
    expect(brief(await events.next())).toBe('ADDED b');
  });

  it('can be told to leave out what is there', async () => {
    const path = await freshMaps();
    await create(path, 'a');
    const events = await watch(`${path}?${LIST.replace('Events=true', 'Events=false')}`);
    await create(path, 'b');
    expect(brief(await events.next())).toBe('ADDED b');
  });

  it.each([
    ['sendInitialEvents=true', 1],
    ['sendInitialEvents=false', 1],
    ['sendInitialEvents=true&resourceVersionMatch=Exact', 2],
    ['sendInitialEvents=true&resourceVersionMatch=NotOlderThan&continue=x', 1],
    ['resourceVersionMatch=NotOlderThan', 1],
  ])('is refused with 422 for %s', async (query, causes) => {
    const { status, body } = await plane.admin.request('GET', `/api/v1/configmaps?watch=1&${query}`);
    expect(status).toBe(422);
    expect(body.details?.causes).toHaveLength(causes);
  });
});

describe('what a watch sees', () => {
  it('every change exactly once and in order, of all watchers alike, with many writers', async () => {
    const path = await freshMaps();
    const from = await versionOf(path);
    const early = await Promise.all([1, 2, 3].map(() => watch(`${path}?watch=1&resourceVersion=${from}`)));
    const writers = Array.from({ length: 10 }, async (_, at) => {
      const name = `item-${at}`;
      await create(path, name);
      for (let step = 1; step <= 3; step++) await write('PATCH', `${path}/${name}`, { data: { step: String(step) } });
      await write('DELETE', `${path}/${name}`);
    });
    await Promise.all(writers);
    const late = await watch(`${path}?watch=1&resourceVersion=${from}`);
    const seen = await Promise.all([...early, late].map((one) => one.take(50)));
    for (const events of seen) expect(events).toEqual(seen[0]);
    const events = seen[0] ?? [];
    const versions = events.map(({ object }) => Number(object.metadata.resourceVersion));
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
    for (let at = 0; at < 10; at++) {
      const own = events.filter(({ object }) => object.metadata.name === `item-${at}`);
      expect(own.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'MODIFIED', 'MODIFIED', 'DELETED']);
      expect(own.map(({ object }) => object.data?.step)).toEqual([undefined, '1', '2', '3', '3']);
    }
  });

  it('an object that enters the selection is added, one that leaves it is deleted', async () => {
    const path = await freshMaps();
    const events = await watch(`${path}?watch=1&labelSelector=colour%3Dgreen&resourceVersion=${await versionOf(path)}`);
    await create(path, 'a', { colour: 'red' });
    const green = await write('PATCH', `${path}/a`, { metadata: { labels: { colour: 'green' } } });
    await write('PATCH', `${path}/a`, { data: { step: '1' } });
    const left = await write('PATCH', `${path}/a`, { metadata: { labels: { colour: 'blue' } }, data: { step: '2' } });
    await write('PATCH', `${path}/a`, { data: { step: '3' } });
    await create(path, 'b', { colour: 'green' });
    const seen = await events.take(4);
    expect(seen.map(brief)).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a', 'ADDED b']);
    expect(seen[0]?.object).toEqual(green);
    expect(seen[2]?.object.metadata).toMatchObject({
      labels: { colour: 'green' },
      resourceVersion: left.metadata.resourceVersion,
    });
    expect(seen[2]?.object.data).toEqual({ step: '1' });
  });

  it.each([
    ['an item path', '/a?watch=1'],
    ['a field selector', '?watch=1&fieldSelector=metadata.name%3Da'],
  ])('through %s one object is watched', async (_how, suffix) => {
    const path = await freshMaps();
    const a = await create(path, 'a');
    await create(path, 'aa');
    const events = await watch(`${path}${suffix}`);
    expect(await events.next()).toEqual({ type: 'ADDED', object: a });
    await write('PATCH', `${path}/aa`, { data: { step: '1' } });
    await write('PATCH', `${path}/a`, { data: { step: '1' } });
    await write('DELETE', `${path}/a`);
    expect((await events.take(2)).map(brief)).toEqual(['MODIFIED a', 'DELETED a']);
  });

  it('the old /watch/ prefix works too', async () => {
    const path = await freshMaps();
    await create(path, 'a');
    const events = await watch(`${path.replace('/api/v1/', '/api/v1/watch/')}/a`);
    expect(brief(await events.next())).toBe('ADDED a');
  });

  it('a watch over all namespaces sees those of each', async () => {
    const [here, there] = [await freshMaps(), await freshMaps()];
    const events = await watch(`/api/v1/configmaps?watch=1&resourceVersion=${await versionOf(there)}`);
    await create(here, 'a');
    await create(there, 'b');
    expect((await events.take(2)).map(brief)).toEqual(['ADDED a', 'ADDED b']);
  });

  it('streams of one connection see the same as connections of their own', async () => {
    const path = await freshMaps();
    const session = http2Session(plane.connection);
    onTestFinished(() => session.destroy());
    const query = `watch=1&timeoutSeconds=60&allowWatchBookmarks=true&resourceVersion=${await versionOf(path)}`;
    const streams = await Promise.all(
      [1, 2, 3].map(() => openHttp2Watch(session, plane.connection, `${path}?${query}`)),
    );
    const alone = await watch(`${path}?${query}`);
    await create(path, 'a', { colour: 'red' });
    await write('PATCH', `${path}/a`, { data: { step: '1' } });
    await write('DELETE', `${path}/a`);
    const seen = await alone.take(3);
    expect(seen.map(brief)).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
    for (const one of streams) expect(await one.take(3)).toEqual(seen);
    runtime.advance(61_000);
    expect(await Promise.all([alone, ...streams].map(({ ended }) => ended))).toEqual(Array(4).fill('clean'));
    for (const { pending } of streams) expect(pending.at(-1)).toEqual(alone.pending.at(-1));
  });

  it('a table is watched row by row, its columns named once', async () => {
    const path = await freshMaps();
    await create(path, 'a');
    await create(path, 'b');
    const accept = 'application/json;as=Table;v=v1;g=meta.platform.io';
    const events: unknown[] = await (await watch(`${path}?watch=1&${OWN}`, { accept })).take(2);
    const columns = expect.arrayContaining([expect.objectContaining({ name: 'Name' })]);
    expect(events).toEqual([
      { type: 'ADDED', object: expect.objectContaining({ columnDefinitions: columns }) },
      { type: 'ADDED', object: expect.not.objectContaining({ columnDefinitions: columns }) },
    ]);
    for (const [at, name] of ['a', 'b'].entries()) {
      expect(events[at]).toMatchObject({
        object: { kind: 'Table', rows: [{ cells: [name, 0, expect.any(String)] }] },
      });
    }
  });
});

describe('how a watch ends', () => {
  it('timeoutSeconds ends it cleanly, with a bookmark for those who want one', async () => {
    const path = await freshMaps();
    const from = await versionOf(path);
    const query = `watch=1&timeoutSeconds=30&resourceVersion=${from}`;
    const [plain, marked] = [await watch(`${path}?${query}`), await watch(`${path}?${query}&allowWatchBookmarks=true`)];
    runtime.advance(29_000);
    const a = await create(path, 'a');
    for (const one of [plain, marked]) expect(brief(await one.next())).toBe('ADDED a');
    runtime.advance(2_000);
    expect(await Promise.all([plain.ended, marked.ended])).toEqual(['clean', 'clean']);
    expect(plain.pending).toEqual([]);
    const [bookmark] = marked.pending;
    expect(bookmark).toMatchObject({ type: 'BOOKMARK', object: { kind: 'ConfigMap', apiVersion: 'v1' } });
    expect(Number(bookmark?.object.metadata.resourceVersion)).toBeGreaterThanOrEqual(
      Number(a.metadata.resourceVersion),
    );
  });

  it('bookmarks let a watch of a quiet resource go on from a version that is retained', async () => {
    const path = await freshMaps();
    const events = await watch(
      `${path}?watch=1&allowWatchBookmarks=true&timeoutSeconds=3600&resourceVersion=${await versionOf(path)}`,
    );
    for (let minute = 0; minute < 5; minute++) {
      await create('/api/v1/namespaces/default/configmaps', `busy-${path.split('/')[4]}-${minute}`);
      runtime.advance(60_000);
    }
    const marks = await events.take(5);
    expect(new Set(marks.map(({ type }) => type))).toEqual(new Set(['BOOKMARK']));
    const last = marks.at(-1)?.object.metadata.resourceVersion;
    await watch(`${path}?watch=1&resourceVersion=${last}`);
  });

  it('a client that goes away is forgotten', async () => {
    const open = async (): Promise<string | undefined> => {
      const { text } = await plane.admin.request('GET', '/metrics');
      return /^apiserver_longrunning_requests\{.*resource="secrets".*\} (\d+)$/m.exec(text)?.[1];
    };
    const events = await watch('/api/v1/secrets?watch=1');
    expect(await open()).toBe('1');
    events.close();
    await expect.poll(open).toBe('0');
  });

  it('by itself after half an hour at the earliest and an hour at the latest', async () => {
    const path = await freshMaps();
    const events = await watch(`${path}?watch=1&resourceVersion=${await versionOf(path)}`);
    runtime.advance(1_700_000);
    await create(path, 'a');
    expect(brief(await events.next())).toBe('ADDED a');
    runtime.advance(2_000_000);
    expect(await events.ended).toBe('clean');
  });

  it('a timeout can be longer than timers, but must be a number', async () => {
    const path = await freshMaps();
    const events = await watch(`${path}?watch=1&timeoutSeconds=9999999999`);
    await create(path, 'a');
    expect((await events.take(2)).map(({ type }) => type)).toEqual(['ADDED', 'ADDED']);
    expect((await plane.admin.request('GET', `${path}?watch=1&timeoutSeconds=soon`)).status).toBe(400);
  });

  it('a bookmark never lies before where the watch began', async () => {
    const path = await freshMaps();
    const future = Number(await versionOf(path)) + 100_000;
    const events = await watch(`${path}?watch=1&allowWatchBookmarks=true&timeoutSeconds=90&resourceVersion=${future}`);
    runtime.advance(61_000);
    expect(await events.next()).toMatchObject({
      type: 'BOOKMARK',
      object: { metadata: { resourceVersion: String(future) } },
    });
  });

  it('what waits for one that does not read keeps its meaning when history is forgotten', async () => {
    const path = await freshMaps();
    const filling = 'x'.repeat(900_000);
    const from = await versionOf(path);
    const all = await watch(`${path}?watch=1&timeoutSeconds=9999&resourceVersion=${from}`);
    const green = await watch(
      `${path}?watch=1&timeoutSeconds=9999&labelSelector=colour%3Dgreen&resourceVersion=${from}`,
    );
    for (const one of [all, green]) one.stall();
    await create(path, 'a', { colour: 'green' });
    for (let step = 0; step < 8; step++) {
      await write('PATCH', `${path}/a`, { data: { filling, step: String(step) } });
    }
    await write('PATCH', `${path}/a`, { metadata: { labels: { colour: 'blue' } } });
    runtime.advance(3 * RETENTION_MS);
    for (const one of [all, green]) one.resume();
    const steps = Array(8).fill('MODIFIED a');
    expect((await all.take(10)).map(brief)).toEqual(['ADDED a', ...steps, 'MODIFIED a']);
    expect((await green.take(10)).map(brief)).toEqual(['ADDED a', ...steps, 'DELETED a']);
  });

  it('one that does not read is cut off and delays no other, and what it missed waits for it', async () => {
    const path = await freshMaps();
    const from = await versionOf(path);
    const slow = await watch(`${path}?watch=1&resourceVersion=${from}`);
    const quick = await watch(`${path}?watch=1&resourceVersion=${from}`);
    slow.stall();
    const filling = 'x'.repeat(900_000);
    await create(path, 'a');
    const steps = 34;
    for (let step = 0; step < steps; step++) {
      await plane.admin.request('PATCH', `${path}/a`, { data: { filling, step: String(step) } });
      const events = await quick.take(step === 0 ? 2 : 1);
      expect(events.at(-1)?.object.data?.step).toBe(String(step));
    }
    slow.resume();
    expect(await slow.ended).toBe('broken');
    expect(slow.pending.length).toBeLessThan(steps);
    const last = slow.pending.at(-1)?.object.metadata.resourceVersion ?? from;
    const resumed = await watch(`${path}?watch=1&resourceVersion=${last}`);
    const missed = await resumed.take(steps + 1 - slow.pending.length);
    expect(missed.at(-1)?.object.data?.step).toBe(String(steps - 1));
  });
});
