import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResourceQuota } from '../src/kinds/core/resource-quota.ts';
import { parseObject } from '../src/registry/encoding.ts';
import { parseQuantity } from '../src/schema/quantity.ts';
import { http2Client } from './support/client.ts';
import { Etcd } from './support/etcd.ts';
import { havePeer } from './support/peers.ts';
import { podOf, QuotaNamespace } from './support/quota.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const NAMES = [...'abcdefgh'];
const HARD = { pods: '4', 'requests.cpu': '1', services: '3', 'services.nodeports': '3', secrets: '5' };

const pod = fc.constantFrom('100m', '250m', '600m').map((cpu) => (name: string) => podOf(name, { cpu }));
const service = fc.record({ type: fc.constantFrom('ClusterIP', 'NodePort'), ports: fc.integer({ min: 1, max: 2 }) });
const serviceBody = service.map(({ type, ports }) => (name: string) => ({
  metadata: { name },
  spec: { type, ports: Array.from({ length: ports }, (_, at) => ({ name: `p${at}`, port: 80 + at })) },
}));
const secret = fc.constant((name: string) => ({ metadata: { name } }));

const name = fc.constantFrom(...NAMES);
const step = fc.oneof(
  fc.record({ method: fc.constant('POST'), plural: fc.constant('pods'), name, body: pod }),
  fc.record({ method: fc.constant('POST'), plural: fc.constant('services'), name, body: serviceBody }),
  fc.record({ method: fc.constant('POST'), plural: fc.constant('secrets'), name, body: secret }),
  fc.record({ method: fc.constant('PATCH'), plural: fc.constant('services'), name, body: serviceBody }),
  fc.record({
    method: fc.constant('DELETE'),
    plural: fc.constantFrom('pods', 'services', 'secrets'),
    name,
    body: fc.constant(() => undefined),
  }),
);
/** Steps of one batch are sent at once. */
const batches = fc.array(fc.array(step, { minLength: 1, maxLength: 24 }), { minLength: 1, maxLength: 4 });

/** Every version of the quota that is ever stored is held against its limits. */
function watchQuota({ server }: TestServer, namespace: string): { readonly excesses: string[]; close(): void } {
  const excesses: string[] = [];
  const { log } = server.registry;
  const subscription = log.subscribe(
    'resourcequotas',
    { after: log.revision, scope: `${namespace}/` },
    {
      onVersions(versions) {
        for (const { bytes } of versions) {
          const { status } = parseObject<ResourceQuota>(bytes);
          for (const [resource, amount] of Object.entries(status.used ?? {})) {
            const [used, hard] = [amount, status.hard?.[resource] ?? '0'].map(
              (text) => parseQuantity(text)?.nanos ?? 0n,
            );
            if ((used ?? 0n) > (hard ?? 0n)) excesses.push(`${resource}: ${amount}`);
          }
        }
      },
    },
  );
  return { excesses, close: () => subscription.close() };
}

type Batches = typeof batches extends fc.Arbitrary<infer B> ? B : never;

let made = 0;

/** Plays on all servers at once, each step on one of them, and checks the books when all is quiet and when all is gone. */
async function play(planes: readonly TestServer[], given: Batches, patienceMs: number): Promise<void> {
  const [first] = planes;
  if (!first) return;
  const namespace = await QuotaNamespace.make(first, `model-${made++}`);
  const clients = planes.map(({ connection }) => http2Client(connection));
  const watches = planes.map((plane) => watchQuota(plane, namespace.name));
  await namespace.bound(HARD);
  const path = (plural: string, rest = ''): string => `/api/v1/namespaces/${namespace.name}/${plural}${rest}`;
  const statuses = new Set<number>();
  for (const batch of given) {
    const answers = batch.map(({ method, plural, name, body }, at) =>
      clients[at % clients.length]?.request(method, path(plural, method === 'POST' ? '' : `/${name}`), body(name)),
    );
    for (const answer of await Promise.all(answers)) statuses.add(answer?.status ?? 0);
  }
  expect([...statuses].filter((status) => ![200, 201, 403, 404, 409].includes(status))).toEqual([]);
  await expect.poll(() => namespace.used(), { timeout: patienceMs }).toEqual(await countedIn(namespace));
  for (const plural of ['pods', 'services', 'secrets']) {
    await clients[0]?.request('DELETE', path(plural));
    for (const one of NAMES) await clients[0]?.request('DELETE', path(plural, `/${one}`));
  }
  const nothing = Object.fromEntries(Object.keys(HARD).map((resource) => [resource, '0']));
  await expect.poll(() => namespace.used(), { timeout: patienceMs }).toEqual(nothing);
  for (const watch of watches) {
    expect(watch.excesses).toEqual([]);
    watch.close();
  }
  for (const client of clients) client.close();
}

/** The use as a reader of the lists would count it. */
async function countedIn(namespace: QuotaNamespace): Promise<Record<string, string>> {
  const [pods, services, secrets] = await Promise.all(
    ['pods', 'services', 'secrets'].map(async (plural) => (await namespace.request('GET', plural)).body.items),
  );
  const millis = (pods ?? []).map(({ spec }) => {
    const [container] = spec.containers as { resources: { requests: { cpu: string } } }[];
    return Number.parseInt(container?.resources.requests.cpu ?? '', 10);
  });
  const ports = (services ?? []).map(({ spec }) => (spec.type === 'NodePort' ? (spec.ports as object[]).length : 0));
  const total = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);
  const cpu = total(millis);
  return {
    pods: `${pods?.length}`,
    'requests.cpu': cpu % 1000 === 0 ? `${cpu / 1000}` : `${cpu}m`,
    services: `${services?.length}`,
    'services.nodeports': `${total(ports)}`,
    secrets: `${secrets?.length}`,
  };
}

describe('whatever is created, changed and deleted at once', () => {
  let plane: TestServer;
  beforeAll(async () => {
    plane = await startTestServer();
  });
  afterAll(() => plane.close());

  it('what is used never exceeds the limits, is what there is, and is nothing when all is gone', async () => {
    await fc.assert(
      fc.asyncProperty(batches, (given) => play([plane], given, 2_000)),
      { numRuns: 12 },
    );
  }, 30_000);
});

describe.runIf(havePeer('etcd', '--version'))('two servers over one etcd', () => {
  let etcd: Etcd;
  let directory: string;
  let planes: TestServer[];

  beforeAll(async () => {
    [etcd, directory] = await Promise.all([Etcd.start(), makeDirectory()]);
    const start = (advertiseAddress: string): Promise<TestServer> =>
      startTestServer({ etcdServers: etcd.endpoints, dataDir: directory, store: 'etcd', advertiseAddress });
    planes = [await start('192.0.2.1'), await start('192.0.2.2')];
  }, 30_000);
  afterAll(async () => {
    await Promise.all(planes.map((plane) => plane.close()));
    await etcd.close();
    await removeDirectory(directory);
  });

  it('let 200 creates at once use what is allowed and no more', async () => {
    const [first] = planes;
    if (!first) return;
    const namespace = await QuotaNamespace.make(first, 'shared');
    await namespace.bound({ configmaps: '51' });
    const clients = planes.map(({ connection }) => http2Client(connection));
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, at) =>
        clients[at % 2]?.request('POST', '/api/v1/namespaces/shared/configmaps', { metadata: { name: `c${at}` } }),
      ),
    );
    for (const client of clients) client.close();
    expect(answers.filter((answer) => answer?.status === 201)).toHaveLength(50);
    expect(new Set(answers.map((answer) => answer?.status))).toEqual(new Set([201, 403]));
    expect(await namespace.used()).toEqual({ configmaps: '51' });
  }, 30_000);
});
