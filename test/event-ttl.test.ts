import { afterEach, describe, expect, it } from 'vitest';
import { linesIn, policyFile } from './support/audit.ts';
import { Etcd } from './support/etcd.ts';
import { havePeer } from './support/peers.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const EVENTS = '/api/v1/namespaces/default/events';
const MINUTE_MS = 60_000;
const endings: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function start(options: Parameters<typeof startTestServer>[0]): Promise<TestServer> {
  const plane = await startTestServer(options);
  endings.push(() => plane.close());
  return plane;
}

async function temporary(): Promise<string> {
  const directory = await makeDirectory();
  endings.push(() => removeDirectory(directory));
  return directory;
}

async function write({ admin }: TestServer, name: string, more: object = {}): Promise<void> {
  const involvedObject = { kind: 'Pod', namespace: 'default', name: 'p' };
  const { status, text } = await admin.request('POST', EVENTS, { metadata: { name, ...more }, involvedObject });
  expect(status, text).toBe(201);
}

const namesOf = async ({ admin }: TestServer): Promise<string[]> =>
  (await admin.request('GET', EVENTS)).body.items.map(({ metadata }) => metadata.name);

const remain = (plane: TestServer, names: readonly string[]): Promise<void> =>
  expect.poll(() => namesOf(plane), { timeout: 10_000 }).toEqual(names);

describe('an event', () => {
  it('goes an hour after it was written last, whatever holds other objects', async () => {
    const runtime = new ShiftableRuntime();
    const directory = await temporary();
    const log = `${directory}/audit.log`;
    const rules = [{ level: 'Metadata', verbs: ['delete', 'create'] }];
    const plane = await start({
      runtime,
      auditPolicyFile: await policyFile(directory, rules),
      auditLogPath: log,
    });
    await write(plane, 'first');
    await write(plane, 'again');
    await write(plane, 'held', { finalizers: ['example.com/hold'] });
    const watch = await plane.watch(`${EVENTS}?watch=1&timeoutSeconds=100000&fieldSelector=metadata.name=first`);
    expect((await watch.next()).type).toBe('ADDED');
    runtime.advance(40 * MINUTE_MS);
    await plane.admin.request('PATCH', `${EVENTS}/again`, { count: 2 });
    await write(plane, 'later');
    await remain(plane, ['again', 'first', 'held', 'later']);
    runtime.advance(21 * MINUTE_MS);
    await remain(plane, ['again', 'later']);
    expect(await watch.next()).toMatchObject({ type: 'DELETED', object: { metadata: { name: 'first' } } });
    watch.close();
    runtime.advance(40 * MINUTE_MS);
    await remain(plane, []);
    const recorded = await linesIn(log);
    expect(recorded.filter((line) => line.includes('"verb":"create"') && line.includes('events'))).not.toEqual([]);
    expect(recorded.filter((line) => line.includes('"verb":"delete"'))).toEqual([]);
  });

  it('goes in as many batches as it takes', async () => {
    const runtime = new ShiftableRuntime();
    const plane = await start({ runtime, eventTtl: MINUTE_MS });
    const names = Array.from({ length: 600 }, (_, at) => `e${String(at).padStart(3, '0')}`);
    for (let from = 0; from < names.length; from += 50) {
      await Promise.all(names.slice(from, from + 50).map((name) => write(plane, name)));
    }
    for (let minute = 0; minute < 5; minute++) {
      runtime.advance(MINUTE_MS);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await remain(plane, []);
  });

  it('goes on time after a restart', async () => {
    const runtime = new ShiftableRuntime();
    const dataDir = await temporary();
    const before = await startTestServer({ runtime, store: 'lmdb', dataDir });
    await write(before, 'old');
    runtime.advance(30 * MINUTE_MS);
    await write(before, 'young');
    await before.close();
    runtime.advance(20 * MINUTE_MS);
    const after = await start({ runtime, store: 'lmdb', dataDir });
    expect(await namesOf(after)).toEqual(['old', 'young']);
    runtime.advance(11 * MINUTE_MS);
    await remain(after, ['young']);
    runtime.advance(30 * MINUTE_MS);
    await remain(after, []);
  });

  it('stays when it is kept for good', async () => {
    const runtime = new ShiftableRuntime();
    const plane = await start({ runtime, eventTtl: 0 });
    await write(plane, 'kept');
    runtime.advance(600 * MINUTE_MS);
    await write(plane, 'too');
    expect(await namesOf(plane)).toEqual(['kept', 'too']);
  });
});

it.runIf(havePeer('etcd', '--version'))('events in etcd are removed once, by one of the servers', async () => {
  const dataDir = await temporary();
  const etcd = await Etcd.start();
  endings.push(() => etcd.close());
  const shared = { eventTtl: 2_000, store: 'etcd', etcdServers: etcd.endpoints, dataDir } as const;
  const first = await start({ ...shared, advertiseAddress: '192.0.2.1' });
  const second = await start({ ...shared, advertiseAddress: '192.0.2.2' });
  await write(first, 'one');
  await write(second, 'two');
  const watch = await second.watch(`${EVENTS}?watch=1`);
  for (let i = 0; i < 2; i++) expect((await watch.next()).type).toBe('ADDED');
  const gone = [await watch.next(), await watch.next()];
  expect(gone.map(({ type, object }) => `${type} ${object.metadata.name}`).sort()).toEqual([
    'DELETED one',
    'DELETED two',
  ]);
  watch.close();
  await remain(first, []);
});
