import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { TestAuthority } from './support/certificates.ts';
import { Etcd } from './support/etcd.ts';
import { logOf } from './support/log-of.ts';
import { PATIENCE_MS } from './support/patience.ts';
import { havePeer } from './support/peers.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { TcpProxy } from './support/tcp-proxy.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, text = '') => ({ metadata: { name }, data: { text } });
/** The long form stops a member for as long as the issue says. */
const STOPPED_MS = Number(process.env.ETCD_STOPPED_MS ?? 3_000);

async function startEtcd(...options: Parameters<typeof Etcd.start>): Promise<Etcd> {
  const etcd = await Etcd.start(...options);
  onTestFinished(() => etcd.close());
  return etcd;
}

async function startPlane(options: Parameters<typeof startTestServer>[0]): Promise<TestServer> {
  const plane = await startTestServer({ store: 'etcd', ...options });
  onTestFinished(() => plane.close());
  return plane;
}

async function watchFromNow(plane: TestServer) {
  const { body } = await plane.admin.request('GET', MAPS);
  const watch = await plane.watch(`${MAPS}?watch=1&resourceVersion=${body.metadata.resourceVersion}`);
  onTestFinished(() => watch.close());
  return watch;
}

/** Names in the order of their events up to `last`, by a client that goes on from where it is when a watch ends. */
async function follow(plane: TestServer, version: string, last: string): Promise<string[]> {
  const names: string[] = [];
  let at = version;
  while (names.at(-1) !== last) {
    const watch = await plane.watch(`${MAPS}?watch=1&resourceVersion=${at}`);
    onTestFinished(() => watch.close());
    for (let over = false; !over && names.at(-1) !== last; ) {
      const event = await watch.next().catch((error: Error) => {
        expect(error.message).toMatch(/came to a clean end|no event came in time/);
        return undefined;
      });
      over = event === undefined;
      if (event === undefined) continue;
      expect(event.type).toBe('ADDED');
      names.push(event.object.metadata.name);
      at = event.object.metadata.resourceVersion;
    }
  }
  return names;
}

/** A call of etcd's own JSON gateway. */
async function maintain(etcd: Etcd, path: string, body: object): Promise<string> {
  const answer = await fetch(`${etcd.endpoints[0]}${path}`, { method: 'POST', body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
  return answer.text();
}

describe.runIf(havePeer('etcd', '--version'))('a server over etcd', () => {
  it('says that etcd is full, goes on reading, and writes again by itself', { timeout: 3 * PATIENCE_MS }, async () => {
    const etcd = await startEtcd(1, undefined, { 'quota-backend-bytes': String(16 << 20) });
    const plane = await startPlane({ etcdServers: etcd.endpoints });
    const write = (name: string) => plane.admin.request('POST', MAPS, configMap(name, 'x'.repeat(500_000)));
    let answer = await write('map-0');
    for (let i = 1; answer.status === 201 && i < 100; i++) answer = await write(`map-${i}`);
    expect(answer).toMatchObject({ status: 503, body: { reason: 'ServiceUnavailable' } });
    expect(answer.body.message).toMatch(/etcd has no space left \(its NOSPACE alarm is raised\)/);
    expect(answer.headers['retry-after']).toBe('1');
    expect((await plane.admin.request('GET', `${MAPS}/map-0`)).status).toBe(200);
    const watch = await watchFromNow(plane);
    const deletions = ['map-0', 'map-1', 'map-2'].map((name) => plane.admin.request('DELETE', `${MAPS}/${name}`));
    expect((await Promise.all(deletions)).map(({ status }) => status)).toEqual([200, 200, 200]);
    const events = await watch.take(3);
    expect(
      events.map(({ type, object }) => `${type} ${object.metadata.name} ${object.data?.text?.length}`).sort(),
    ).toEqual(['DELETED map-0 500000', 'DELETED map-1 500000', 'DELETED map-2 500000']);
    expect((await plane.admin.request('GET', `${MAPS}/map-0`)).status).toBe(404);
    const readiness = await plane.admin.request('GET', '/readyz?verbose');
    expect(readiness.status).toBe(500);
    expect(readiness.text).toMatch(/\[-\]etcd-readiness failed/);
    expect((await plane.admin.request('GET', '/livez')).status).toBe(200);

    const [key, rangeEnd] = ['/registry/configmaps/', '/registry/configmaps0'].map((text) => btoa(text));
    const deleted = await maintain(etcd, '/v3/kv/deleterange', { key, range_end: rangeEnd });
    await maintain(etcd, '/v3/kv/compaction', { revision: /"revision":"(\d+)"/.exec(deleted)?.[1], physical: true });
    await maintain(etcd, '/v3/maintenance/defragment', {});
    const alarms = await maintain(etcd, '/v3/maintenance/alarm', { action: 'GET' });
    const [, memberID] = /"alarms":\[\{"memberID":"(\d+)"/.exec(alarms) ?? [];
    await maintain(etcd, '/v3/maintenance/alarm', { action: 'DEACTIVATE', alarm: 'NOSPACE', memberID });
    const ready = async () => (await plane.admin.request('GET', '/readyz')).status;
    await expect.poll(ready, { timeout: PATIENCE_MS }).toBe(200);
    expect((await write('after')).status).toBe(201);
  });

  it('that is cut off while its clients are not refuses what must be current, and ends watches', async () => {
    const etcd = await startEtcd();
    const proxy = await TcpProxy.to(etcd.endpoints[0] ?? '');
    onTestFinished(() => proxy.close());
    const runtime = new ShiftableRuntime();
    const plane = await startPlane({ etcdServers: [proxy.url], runtime });
    await plane.admin.request('POST', MAPS, configMap('before'));
    const watch = await watchFromNow(plane);
    let ended = '';
    void watch.ended.then((end) => {
      ended = end;
    });
    proxy.mute();
    const get = (path: string) => plane.admin.request('GET', path);
    const passing = async <T>(work: Promise<T>): Promise<T> => {
      let over = false;
      const result = work.finally(() => {
        over = true;
      });
      while (!over) {
        runtime.advance(500);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return result;
    };
    expect((await passing(get(`${MAPS}/before`))).status).toBe(503);
    expect((await passing(get('/readyz'))).status).toBe(500);
    expect((await passing(get(`${MAPS}/before?resourceVersion=0`))).status).toBe(200);
    await expect
      .poll(
        () => {
          runtime.advance(1_000);
          return ended;
        },
        { timeout: PATIENCE_MS },
      )
      .toBe('clean');
    proxy.restore();
    await expect.poll(async () => (await get('/readyz')).status, { timeout: PATIENCE_MS }).toBe(200);
    expect((await plane.admin.request('POST', MAPS, configMap('after'))).status).toBe(201);
  });

  it('makes its clients wait while its only member defragments, and refuses nobody', async () => {
    const etcd = await startEtcd();
    const plane = await startPlane({ etcdServers: etcd.endpoints });
    const statuses = new Set<number>();
    let over = false;
    const writer = async (client: number): Promise<void> => {
      for (let i = 0; !over; i++) {
        const name = `map-${client}-${i}`;
        statuses.add((await plane.admin.request('POST', MAPS, configMap(name, 'x'.repeat(20_000)))).status);
        statuses.add((await plane.admin.request('GET', `${MAPS}/${name}`)).status);
        statuses.add((await plane.admin.request('DELETE', `${MAPS}/${name}`)).status);
      }
    };
    const writers = Array.from({ length: 8 }, (_, i) => writer(i));
    for (let round = 0; round < 5; round++) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      await maintain(etcd, '/v3/maintenance/defragment', {});
    }
    over = true;
    await Promise.all(writers);
    expect([...statuses].sort()).toEqual([200, 201]);
    expect((await plane.admin.request('GET', '/readyz')).status).toBe(200);
  });

  it('holds no more of history than it may, also when it comes back from being cut off for long', async () => {
    const historyMemory = 200_000;
    const etcd = await startEtcd();
    const proxy = await TcpProxy.to(etcd.endpoints[0] ?? '');
    onTestFinished(() => proxy.close());
    const dataDir = await temporaryDirectory();
    const near = await startPlane({ etcdServers: etcd.endpoints, historyMemory, dataDir });
    const far = await startPlane({ etcdServers: [proxy.url], historyMemory, dataDir });
    await near.admin.request('POST', MAPS, configMap('changing'));
    const { body: before } = await far.admin.request('GET', MAPS);
    proxy.cut();
    const text = (i: number) => `${i} `.repeat(5_000);
    for (let i = 0; i < 100; i++) await near.admin.request('PATCH', `${MAPS}/changing`, { data: { text: text(i) } });
    proxy.restore();
    const read = async () => (await far.admin.request('GET', `${MAPS}/changing`)).body.data?.text?.slice(0, 4);
    await expect.poll(read, { timeout: PATIENCE_MS }).toBe('99 9');
    for (const { server } of [near, far]) {
      await expect.poll(() => logOf(server).stats.historyBytes).toBeLessThanOrEqual(historyMemory);
    }
    const { resourceVersion } = before.metadata;
    const late = await far.admin.request('GET', `${MAPS}?watch=1&resourceVersion=${resourceVersion}`);
    expect(late).toMatchObject({ status: 410, body: { reason: 'Expired' } });
    // Nobody else holds it either: what a server gives up early is given up in etcd.
    const third = await startPlane({ etcdServers: etcd.endpoints, historyMemory, dataDir });
    expect(logOf(third.server).stats.historyBytes).toBeLessThanOrEqual(2 * historyMemory);
    expect((await third.admin.request('GET', `${MAPS}/changing`)).body.data?.text).toBe(text(99));
  });

  it('goes on by itself when its only member was stopped for a while', { timeout: 90_000 }, async () => {
    const etcd = await startEtcd();
    const plane = await startPlane({ etcdServers: etcd.endpoints });
    const { body: list } = await plane.admin.request('GET', MAPS);
    const followed = follow(plane, list.metadata.resourceVersion, 'last');
    const [member] = etcd.members;
    const acknowledged = new Set<string>();
    const statuses = new Set<number>();
    let over = false;
    const writer = async (client: number): Promise<void> => {
      for (let i = 0; !over; i++) {
        const name = `map-${client}-${i}`;
        const { status } = await plane.admin.request('POST', MAPS, configMap(name));
        statuses.add(status);
        if (status === 201) acknowledged.add(name);
        else await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const writers = Array.from({ length: 4 }, (_, i) => writer(i));
    await expect.poll(() => acknowledged.size).toBeGreaterThan(20);
    member?.freeze();
    await new Promise((resolve) => setTimeout(resolve, STOPPED_MS));
    member?.thaw();
    const before = acknowledged.size;
    await expect.poll(() => acknowledged.size, { timeout: PATIENCE_MS }).toBeGreaterThan(before + 20);
    over = true;
    await Promise.all(writers);
    expect((await plane.admin.request('POST', MAPS, configMap('last'))).status).toBe(201);
    // Refused, or not known to be stored; nothing else.
    expect([...statuses].filter((status) => ![201, 429, 503, 504].includes(status))).toEqual([]);
    const { body } = await plane.admin.request('GET', MAPS);
    const names = body.items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith('map-'));
    expect(names).toEqual(expect.arrayContaining([...acknowledged]));
    expect((await followed).sort()).toEqual([...names, 'last'].sort());
  });

  it('shows etcd the certificates that are in the files now', async () => {
    const directory = await temporaryDirectory();
    const at = (name: string): string => join(directory, name);
    const save = async (authority: TestAuthority): Promise<void> => {
      const serving = authority.server();
      const client = authority.client({ commonName: 'apiserver' });
      await writeFile(at('ca.crt'), authority.pem);
      await writeFile(at('etcd.crt'), serving.cert);
      await writeFile(at('etcd.key'), serving.key);
      await writeFile(at('client.crt'), client.clientCertificate);
      await writeFile(at('client.key'), client.clientKey);
    };
    await save(new TestAuthority('first'));
    const etcd = await startEtcd(1, { ca: at('ca.crt'), cert: at('etcd.crt'), key: at('etcd.key') });
    const plane = await startPlane({
      etcdServers: etcd.endpoints,
      etcdCafile: at('ca.crt'),
      etcdCertfile: at('client.crt'),
      etcdKeyfile: at('client.key'),
    });
    const [member] = etcd.members;
    await member?.stop();
    await save(new TestAuthority('second'));
    member?.start();
    await member?.ready();
    const write = async () => (await plane.admin.request('POST', MAPS, configMap('renewed'))).status;
    await expect.poll(write, { timeout: PATIENCE_MS }).toBe(201);
  });
});
