import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ApiError, forbidden } from '../src/api/errors.ts';
import type { Service } from '../src/kinds/core/service/service.ts';
import type { Admission } from '../src/registry/admission.ts';
import { systemRuntime } from '../src/runtime/runtime.ts';
import { MemoryBackend } from '../src/storage/backends/memory/memory-backend.ts';
import { ServiceRegistry } from './support/service-registry.ts';

/** Ranges so small that everything is wanted by several, and often runs out. */
const ADDRESSES = '10.0.0.0/29,fd00::/125';
const PORTS = '30000-30006';

const rarely = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 });
const mostly = <T>(usual: T, ...others: readonly T[]) => fc.constantFrom(usual, usual, usual, usual, ...others);

const ports = fc
  .uniqueArray(
    fc.record({
      port: fc.constantFrom(80, 81),
      protocol: fc.constantFrom('TCP', 'UDP'),
      nodePort: rarely(fc.integer({ min: 29_999, max: 30_007 })),
    }),
    { minLength: 1, maxLength: 3, selector: ({ port, protocol }) => `${port}/${protocol}` },
  )
  .map((all) => all.map((port, at) => ({ name: `p${at}`, ...port })));

const type = fc.constantFrom('ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName');
const policy = fc.constantFrom('SingleStack', 'PreferDualStack', 'RequireDualStack');
const traffic = fc.constantFrom('Local', 'Cluster');

const whole = fc.record({
  type,
  ports,
  clusterIP: mostly(undefined, 'None', '10.0.0.0', '10.0.0.2', '10.0.0.3', 'fd00::2', '10.0.1.1', 'odd'),
  ipFamilies: mostly(undefined, ['IPv4'], ['IPv6'], ['IPv6', 'IPv4'], ['IPv4', 'IPv4']),
  ipFamilyPolicy: rarely(policy),
  externalTrafficPolicy: rarely(traffic),
  healthCheckNodePort: rarely(fc.integer({ min: 30_000, max: 30_003 })),
});

const change = fc.oneof(
  fc.record({ type }),
  fc.record({ type, ports }),
  fc.record({ ports }),
  fc.record({ ipFamilyPolicy: policy, ipFamilies: fc.constant([]) }),
  fc.record({ ipFamilyPolicy: policy }),
  fc.record({ externalTrafficPolicy: traffic, type: fc.constant('LoadBalancer') }),
  whole,
);

type Fields = { readonly [field: string]: unknown };

/** Leaves out what a service of the type never has, so that most are in order. */
function sensible(fields: Fields): Fields {
  const { externalTrafficPolicy, healthCheckNodePort, ...rest } = fields;
  switch (fields.type) {
    case 'ExternalName':
      return { type: 'ExternalName', externalName: 'example.com', ports: [] };
    case 'ClusterIP':
      return Array.isArray(rest.ports)
        ? { ...rest, ports: rest.ports.map((port: object) => ({ ...port, nodePort: undefined })) }
        : rest;
    case 'NodePort':
      return { ...rest, externalTrafficPolicy };
    default:
      return fields;
  }
}

const step = fc.record({
  verb: fc.constantFrom('write', 'write', 'write', 'create', 'remove'),
  name: fc.constantFrom(...'abcdefgh'),
  whole: whole.map(sensible),
  change: change.map(sensible),
  dryRun: mostly(false, true),
  /** How long admission thinks it over, and whether it then refuses. */
  turns: fc.nat({ max: 3 }),
  refused: mostly(false, true),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function take(services: ServiceRegistry, { verb, name, whole, change, dryRun }: Step): Promise<void> {
  const exists = services.stored().some(({ metadata }) => metadata.name === name);
  try {
    if (verb === 'remove') await services.remove(name, { dryRun });
    else if (verb === 'create' || !exists) await services.create(name, whole, { dryRun });
    else await services.update(name, (current) => ({ ...current, ...change }), { dryRun });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 500) expect(error.message).toMatch(/range is full$/);
  }
}

function checkService({ type, clusterIP, clusterIPs = [], ipFamilies = [], ports = [] }: Service['spec']): void {
  const addressed = type !== 'ExternalName' && clusterIP !== 'None';
  expect(clusterIPs[0]).toBe(clusterIP);
  if (addressed) expect(clusterIPs.map((address) => (address.includes(':') ? 'IPv6' : 'IPv4'))).toEqual(ipFamilies);
  // An alias may mention ports on nodes; it does not have them.
  if (type === 'ExternalName') return;
  const onNodes = ports.flatMap(({ protocol, nodePort }) => (nodePort ? [`${protocol}/${nodePort}`] : []));
  expect(new Set(onNodes).size).toBe(onNodes.length);
  if (type === 'NodePort' || type === 'LoadBalancer') expect(onNodes).toHaveLength(ports.length);
}

it('whatever is written at once, no two services share anything and the account is that of what is stored', async () => {
  const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 5, maxLength: 30, size: 'max' });
  await fc.assert(
    fc.asyncProperty(rounds, fc.infiniteStream(fc.nat({ max: 999 })), async (all, chance) => {
      const runtime = { ...systemRuntime, random: () => (chance.next().value ?? 0) / 1000 };
      const expected: Step[] = [];
      const admission: Admission = {
        mutate: () => {},
        async validate() {
          const { turns = 0, refused = false } = expected.shift() ?? {};
          for (let turn = 0; turn < turns; turn++) await undefined;
          if (refused) throw forbidden(undefined, '', 'by admission');
        },
      };
      const persist = async (): Promise<void> => {
        if (runtime.random() < 0.05) throw new Error('the disk is full');
      };
      const backend = new MemoryBackend({ runtime, persist });
      const services = await ServiceRegistry.open({ runtime, admission, backend, addresses: ADDRESSES, ports: PORTS });
      for (const round of all) {
        expected.splice(0, expected.length, ...round);
        await Promise.all(round.map((one) => take(services, one)));
        for (const { spec } of services.stored()) checkService(spec);
        const { addresses, ports } = services.storedUse();
        expect(new Set(addresses).size).toBe(addresses.length);
        expect(new Set(ports).size).toBe(ports.length);
        expect(services.allocatedUse()).toEqual({ addresses, ports });
      }
      await services.close();
    }),
    { numRuns: 40 },
  );
});
