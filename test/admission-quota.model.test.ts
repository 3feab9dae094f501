import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ApiError } from '../src/api/errors.ts';
import type { ResourceQuota } from '../src/kinds/core/namespace/resource-quota.ts';
import type { Pod } from '../src/kinds/core/pod/pod.ts';
import type { Service } from '../src/kinds/core/service/service.ts';
import { parseQuantity } from '../src/schema/quantity.ts';
import { MemoryBackend } from '../src/storage/backends/memory/memory-backend.ts';
import { podOf } from './support/quota.ts';
import { QuotaRegistry } from './support/quota-registry.ts';
import { shareStore } from './support/shared-store.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';

const NAMES = [...'abcdef'];
const HARD = { pods: '3', 'requests.cpu': '1', services: '3', 'services.nodeports': '3', secrets: '3' };
const RUNS = Number(process.env.QUOTA_RUNS ?? 15);

const serviceSpec = fc
  .record({ type: fc.constantFrom('ClusterIP', 'NodePort'), ports: fc.integer({ min: 1, max: 2 }) })
  .map(({ type, ports }) => ({
    type,
    ports: Array.from({ length: ports }, (_, at) => ({ name: `p${at}`, port: 80 + at })),
  }));

const step = fc.record({
  verb: fc.constantFrom('create', 'create', 'change', 'remove'),
  plural: fc.constantFrom('pods', 'services', 'secrets'),
  name: fc.constantFrom(...NAMES),
  cpu: fc.constantFrom('100m', '250m', '600m'),
  service: serviceSpec,
  server: fc.nat(),
  /** How many turns the step comes after the first of its round. */
  turns: fc.nat({ max: 12 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function pass(turns: number): Promise<void> {
  for (let i = 0; i < turns; i++) await turn();
}

async function take(server: QuotaRegistry, { verb, plural, name, cpu, service, turns }: Step): Promise<void> {
  const documents: Readonly<Record<string, object>> = {
    pods: podOf(name, { cpu }),
    services: { metadata: { name }, spec: service },
    secrets: { metadata: { name } },
  };
  await pass(turns);
  try {
    if (verb === 'create') await server.create(plural, documents[plural] ?? {});
    else if (verb === 'remove') await server.remove(plural, name);
    else if (plural === 'services') await server.change(plural, name, service);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect([403, 404, 409, 503]).toContain(error.code);
  }
}

/** In thousandths, as anyone would count what is stored. */
function counted(server: QuotaRegistry): Record<string, number> {
  const services = server.list<Service>('services').map(({ spec }) => spec);
  const cpu = server.list<Pod>('pods').map(({ spec }) => millis(spec.containers?.[0]?.resources.requests?.cpu ?? '0'));
  const ports = services.map(({ type, ports = [] }) => (type === 'NodePort' ? ports.length : 0));
  return {
    pods: 1000 * server.list('pods').length,
    'requests.cpu': total(cpu),
    services: 1000 * services.length,
    'services.nodeports': 1000 * total(ports),
    secrets: 1000 * server.list('secrets').length,
  };
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);
const millis = (amount: string): number => Number((parseQuantity(amount)?.nanos ?? 0n) / 1_000_000n);
const inMillis = (amounts: Readonly<Record<string, string>> = {}): Record<string, number> =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, millis(amount)]));

const usedOf = (server: QuotaRegistry): Record<string, number> =>
  inMillis(server.list<ResourceQuota>('resourcequotas')[0]?.status.used);

/** The resources of which there is more than is allowed. */
const exceeded = (amounts: Readonly<Record<string, number>>): string[] =>
  Object.entries(inMillis(HARD)).flatMap(([name, hard]) => ((amounts[name] ?? 0) > hard ? [name] : []));

async function play(serverCount: number, rounds: readonly (readonly Step[])[], chance: () => number): Promise<void> {
  const runtime = new ShiftableRuntime();
  const persist = async (): Promise<void> => {
    await pass(Math.floor(chance() * 6));
    if (chance() < 0.03) throw new Error('the disk is full');
  };
  const store = new MemoryBackend({ runtime, persist });
  const doors = await shareStore(store, serverCount, () => pass(Math.floor(chance() * 6)));
  const servers = await Promise.all(doors.map((door) => QuotaRegistry.open(door, runtime)));
  const [first] = servers;
  if (!first) return;
  const excesses: string[] = [];
  const { log } = first;
  log.subscribe(
    'resourcequotas',
    { after: log.revision },
    { onVersions: () => excesses.push(...exceeded(usedOf(first))) },
  );
  const quota = { metadata: { name: 'q' }, spec: { hard: HARD } };
  while (first.list('resourcequotas').length === 0) await first.create('resourcequotas', quota).catch(() => {});
  // Failed writes are looked after in a second; what others may hold, once they cannot any more.
  const usedLater = (): Record<string, number> => {
    runtime.advance(16_000);
    return usedOf(first);
  };
  const settle = (): Promise<void> => expect.poll(usedLater, { interval: 5 }).toEqual(counted(first));
  await settle();
  for (const round of rounds) {
    await Promise.all(round.map((one) => take(servers[one.server % serverCount] ?? first, one)));
    await log.current();
    expect(exceeded(counted(first))).toEqual([]);
  }
  await settle();
  for (const plural of ['pods', 'services', 'secrets']) {
    while (first.list(plural).length > 0) {
      for (const { metadata } of first.list(plural)) await first.remove(plural, metadata.name ?? '').catch(() => {});
    }
  }
  await settle();
  expect(new Set(Object.values(usedOf(first)))).toEqual(new Set([0]));
  expect(excesses).toEqual([]);
  for (const server of servers) await server.close();
  await store.close();
}

it.each([1, 2])(
  'whatever is written at once, by way of %i servers, what is used is bounded, true in the end, and nothing when all is gone',
  async (serverCount) => {
    const rounds = fc.array(fc.array(step, { minLength: 4, maxLength: 16, size: 'max' }), {
      minLength: 2,
      maxLength: 8,
      size: 'max',
    });
    await fc.assert(
      fc.asyncProperty(rounds, fc.infiniteStream(fc.nat({ max: 999 })), (all, chance) =>
        play(serverCount, all, () => (chance.next().value ?? 0) / 1000),
      ),
      // What is random in time cannot be made smaller.
      { numRuns: RUNS, endOnFailure: true },
    );
  },
  Math.max(30_000, RUNS * 2_000),
);
