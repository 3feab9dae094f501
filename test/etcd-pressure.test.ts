import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Etcd } from './support/etcd.ts';
import { havePeer } from './support/peers.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** The long form fills a namespace as large as people have them. */
const OBJECTS = Number(process.env.NAMESPACE_OBJECTS ?? 400);
const CLIENTS = Number(process.env.NAMESPACE_CLIENTS ?? 4);
const PATIENCE_MS = 60_000 + OBJECTS * 20;

const mapsOf = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps`;
const configMap = (name: string) => ({ metadata: { name }, data: { text: 'x'.repeat(500) } });

/** Creates and patches until told to stop; gives the milliseconds that each request took. */
async function useNamespace(server: TestServer, client: number, statuses: Set<number>, goesOn: () => boolean) {
  const took: number[] = [];
  const request = async (method: string, path: string, body: object): Promise<void> => {
    const begun = performance.now();
    statuses.add((await server.admin.request(method, path, body)).status);
    took.push(performance.now() - begun);
  };
  for (let i = 0; goesOn(); i++) {
    const name = `client-${client}-${i}`;
    await request('POST', mapsOf('default'), configMap(name));
    await request('PATCH', `${mapsOf('default')}/${name}`, { data: { patched: 'yes' } });
  }
  return took;
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;

describe.runIf(havePeer('etcd', '--version'))('a server over etcd with much to do', () => {
  let etcd: Etcd;
  let directory: string;
  let server: TestServer;

  beforeAll(async () => {
    [etcd, directory] = await Promise.all([Etcd.start(), makeDirectory()]);
    server = await startTestServer({ store: 'etcd', etcdServers: etcd.endpoints, dataDir: directory });
  });

  afterAll(async () => {
    await server?.close();
    await etcd?.close();
    await removeDirectory(directory);
  });

  /** Has clients at work while something happens, and judges what they were told. */
  async function whileClientsWrite(work: () => Promise<void>): Promise<number[]> {
    const statuses = new Set<number>();
    let over = false;
    const clients = Array.from({ length: CLIENTS }, (_, i) => useNamespace(server, i, statuses, () => !over));
    await work().finally(() => {
      over = true;
    });
    const took = (await Promise.all(clients)).flat();
    // What an earlier round has made is there already.
    expect([...statuses].filter((status) => ![200, 201, 409].includes(status))).toEqual([]);
    return took;
  }

  it(`deletes a namespace of ${OBJECTS} objects while others write elsewhere`, { timeout: PATIENCE_MS }, async () => {
    await server.admin.request('POST', '/api/v1/namespaces', { metadata: { name: 'full' } });
    for (let from = 0; from < OBJECTS; from += 100) {
      const batch = Array.from({ length: Math.min(100, OBJECTS - from) }, (_, i) => configMap(`map-${from + i}`));
      const answers = await Promise.all(batch.map((map) => server.admin.request('POST', mapsOf('full'), map)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    }
    const alone = await whileClientsWrite(() => new Promise((resolve) => setTimeout(resolve, 1_000)));
    const begun = performance.now();
    const beside = await whileClientsWrite(async () => {
      expect((await server.admin.request('DELETE', '/api/v1/namespaces/full')).status).toBe(200);
      const status = async () => (await server.admin.request('GET', '/api/v1/namespaces/full')).status;
      await expect.poll(status, { timeout: PATIENCE_MS }).toBe(404);
    });
    expect(beside.length).toBeGreaterThan(0);
    if (process.env.NAMESPACE_OBJECTS === undefined) return;
    const figures = [alone, beside].map((took) => `p50 ${percentile(took, 0.5)} p99 ${percentile(took, 0.99)}`);
    console.info(`gone after ${performance.now() - begun} ms; others alone ${figures[0]}, beside ${figures[1]}`);
  });

  it('answers all of many writes at once, each with success or an invitation to come again', async () => {
    const writes = Array.from({ length: 3_000 }, (_, i) =>
      server.server.inject({
        method: 'POST',
        target: mapsOf('default'),
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(configMap(`burst-${i}`)),
        as: { user: `user-${i % 7}`, groups: ['system:masters'] },
      }),
    );
    const statuses = new Set((await Promise.all(writes)).map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 201 && status !== 429)).toEqual([]);
    expect((await server.admin.request('GET', '/readyz')).status).toBe(200);
  });

  it('goes on with what it has when etcd stops for a while, without a write being lost or told twice', async () => {
    const [member] = etcd.members;
    const { body: list } = await server.admin.request('GET', mapsOf('default'));
    const version = list.metadata.resourceVersion;
    const watch = await server.watch(`${mapsOf('default')}?watch=1&resourceVersion=${version}`);
    member?.freeze();
    const writes = Array.from({ length: 20 }, (_, i) =>
      server.admin.request('POST', mapsOf('default'), configMap(`frozen-${i}`)),
    );
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    member?.thaw();
    const answers = await Promise.all(writes);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const names = (await watch.take(20)).map(({ object }) => object.metadata.name);
    expect(names.sort()).toEqual(Array.from({ length: 20 }, (_, i) => `frozen-${i}`).sort());
    watch.close();
  });
});
