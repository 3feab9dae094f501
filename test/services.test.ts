import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ApiError } from '../src/api/errors.ts';
import { systemRuntime } from '../src/runtime/runtime.ts';
import { LmdbBackend } from '../src/storage/backends/lmdb/lmdb-backend.ts';
import { MemoryBackend, MemoryDisk } from '../src/storage/backends/memory/memory-backend.ts';
import { ServiceRegistry, type ServiceRegistryOptions } from './support/service-registry.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';

async function open(options?: ServiceRegistryOptions): Promise<ServiceRegistry> {
  const services = await ServiceRegistry.open(options);
  onTestFinished(() => services.close());
  return services;
}

const DUAL = { addresses: '10.0.0.0/24,fd00::/112' };
const NODE_PORT = { type: 'NodePort' };
const BALANCER = { type: 'LoadBalancer', externalTrafficPolicy: 'Local' };
const ALIAS = { type: 'ExternalName', externalName: 'example.com', ports: [] };

/** `422 Invalid spec.clusterIPs`: how a write was refused. */
async function refusal(write: Promise<unknown>): Promise<string> {
  const error = await write.then(
    () => expect.unreachable('it was not refused'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw error;
  const causes = error.details.causes?.map(({ reason = '', field = '' }) => `${reason.slice(10)} ${field}`) ?? [];
  return [error.code, error.reason, ...causes].join(' ').trim();
}

const nodePorts = ({ ports = [] }: { ports?: readonly { nodePort?: number }[] }) => ports.map((port) => port.nodePort);

describe('addresses', () => {
  it('differ for 200 services made at once', async () => {
    const services = await open();
    const names = Array.from({ length: 200 }, (_, at) => `s-${at}`);
    const specs = await Promise.all(names.map((name) => services.create(name, {})));
    expect(new Set(specs.map(({ clusterIP }) => clusterIP)).size).toBe(200);
    expect(services.allocatedUse()).toEqual(services.storedUse());
  });

  it('run out when all are given, and are there again when services go', async () => {
    const services = await open();
    const names = Array.from({ length: 500 }, (_, at) => `s-${at}`);
    const outcomes = await Promise.allSettled(names.map((name) => services.create(name, {})));
    const made = names.filter((_, at) => outcomes[at]?.status === 'fulfilled');
    // Neither network nor broadcast, nor the server's own.
    expect(made).toHaveLength(253);
    expect(await refusal(services.create('late', {}))).toBe('500 InternalError');
    await expect(services.create('late', {})).rejects.toThrow('failed to allocate a serviceIP: range is full');
    expect(services.allocatedUse()).toEqual(services.storedUse());

    const freed = services.stored().slice(0, 10);
    await Promise.all(freed.map(({ metadata }) => services.remove(metadata.name ?? '')));
    const again = await Promise.all(freed.map((_, at) => services.create(`again-${at}`, {})));
    const before = freed.map(({ spec }) => spec.clusterIP).sort();
    expect(again.map(({ clusterIP }) => clusterIP).sort()).toEqual(before);
  });

  it('can be asked for, by one', async () => {
    const services = await open();
    const [won, lost] = await Promise.allSettled([
      services.create('a', { clusterIP: '10.0.0.9' }),
      services.create('b', { clusterIP: '10.0.0.9' }),
    ]);
    expect(won).toMatchObject({ status: 'fulfilled', value: { clusterIPs: ['10.0.0.9'] } });
    expect(lost).toMatchObject({
      status: 'rejected',
      reason: { message: expect.stringContaining('already allocated') },
    });
    expect(await refusal(services.create('b', { clusterIP: '10.0.0.9' }))).toBe('422 Invalid Invalid spec.clusterIPs');
    await services.remove('a');
    expect(await services.create('b', { clusterIP: '10.0.0.9' })).toMatchObject({ clusterIP: '10.0.0.9' });
  });

  it.each(['10.0.0.0', '10.0.0.255', '10.0.1.1'])(
    'of others than the range cannot be asked for: %s',
    async (wanted) => {
      const services = await open();
      expect(await refusal(services.create('a', { clusterIP: wanted }))).toBe('422 Invalid Invalid spec.clusterIPs');
      expect(services.allocatedUse().addresses).toEqual([]);
    },
  );

  it('stay with a service whose writer leaves them out', async () => {
    const services = await open();
    const { clusterIP } = await services.create('a', {});
    const after = await services.update('a', ({ ports }) => ({ ports, selector: { a: 'b' } }));
    expect(after).toMatchObject({ clusterIP, clusterIPs: [clusterIP], ipFamilies: ['IPv4'] });
    expect(await refusal(services.update('a', (spec) => ({ ...spec, clusterIP: '10.0.0.200' })))).toBe(
      '422 Invalid Invalid spec.clusterIPs[0]',
    );
    expect(services.allocatedUse().addresses).toEqual([clusterIP]);
  });

  it('stay until a service is really gone', async () => {
    const services = await open();
    const { clusterIP } = await services.create('a', {});
    const ref = { type: services.type, namespace: 'default', name: 'a', subresource: '' };
    const options = { user: { name: 'test', uid: '', groups: [], extra: new Map() } };
    const finalize = (finalizers: string[]) =>
      services.registry.update(
        ref,
        (current) => current && { ...current, metadata: { ...current.metadata, finalizers } },
        options,
      );
    await finalize(['example.com/hold']);
    await services.remove('a');
    expect(services.allocatedUse().addresses).toEqual([clusterIP]);
    await finalize([]);
    expect(services.allocatedUse().addresses).toEqual([]);
  });

  it('are for services of a kind that has some', async () => {
    const services = await open();
    expect(await services.create('alias', ALIAS)).not.toHaveProperty('clusterIP');
    await services.create('headless', { clusterIP: 'None' });
    expect(services.allocatedUse().addresses).toEqual([]);
    const named = await services.update('alias', () => ({ type: 'ClusterIP', ports: [{ port: 80 }] }));
    expect(named).toMatchObject({ clusterIPs: [named.clusterIP], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' });
    expect(services.allocatedUse().addresses).toEqual([named.clusterIP]);
    const alias = await services.update('alias', (spec) => ({ ...spec, ...ALIAS }));
    for (const field of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) {
      expect(alias).not.toHaveProperty(field);
    }
    expect(services.allocatedUse().addresses).toEqual([]);
  });
});

describe('IP families', () => {
  it.each([
    [{}, ['IPv4'], 'SingleStack', 1],
    [{ ipFamilies: ['IPv6'] }, ['IPv6'], 'SingleStack', 1],
    [{ ipFamilyPolicy: 'PreferDualStack' }, ['IPv4', 'IPv6'], 'PreferDualStack', 2],
    [{ ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv6'] }, ['IPv6', 'IPv4'], 'RequireDualStack', 2],
    [{ clusterIP: 'fd00::9' }, ['IPv6'], 'SingleStack', 1],
    [{ clusterIP: 'fd00::9', ipFamilyPolicy: 'PreferDualStack' }, ['IPv6', 'IPv4'], 'PreferDualStack', 2],
    [{ clusterIP: 'None', selector: { a: 'b' } }, ['IPv4'], 'SingleStack', 1],
    [{ clusterIP: 'None' }, ['IPv4', 'IPv6'], 'RequireDualStack', 1],
    [{ clusterIP: 'None', ipFamilies: ['IPv6'] }, ['IPv6', 'IPv4'], 'RequireDualStack', 1],
    [{ clusterIP: 'None', ipFamilyPolicy: 'SingleStack' }, ['IPv4'], 'SingleStack', 1],
  ])('of %j on two stacks are %j, %s', async (spec, families, policy, addresses) => {
    const services = await open(DUAL);
    const made = await services.create('a', spec);
    expect(made).toMatchObject({ ipFamilies: families, ipFamilyPolicy: policy, clusterIP: made.clusterIPs?.[0] });
    expect(made.clusterIPs).toHaveLength(addresses);
    expect(services.allocatedUse()).toEqual(services.storedUse());
  });

  it.each([
    [{ ipFamilyPolicy: 'RequireDualStack' }, '422 Invalid Invalid spec.ipFamilyPolicy'],
    [{ ipFamilies: ['IPv6'] }, '422 Invalid Invalid spec.ipFamilies[0]'],
    [{ clusterIP: 'fd00::9' }, '422 Invalid Invalid spec.clusterIPs[0]'],
    [{ ipFamilies: ['IPv4', 'IPv6'] }, '422 Invalid Invalid spec.ipFamilyPolicy'],
    [{ clusterIP: 'None', selector: { a: 'b' }, ipFamilies: ['IPv6'] }, '422 Invalid Invalid spec.ipFamilies[0]'],
    [{ clusterIP: 'x' }, '422 Invalid Invalid spec.clusterIPs[0]'],
  ])('of %j on one stack: %s', async (spec, expected) => {
    const services = await open();
    expect(await refusal(services.create('a', spec))).toBe(expected);
    expect(services.allocatedUse().addresses).toEqual([]);
  });

  it('may become two, and one again', async () => {
    const services = await open(DUAL);
    const { clusterIP } = await services.create('a', {});
    const two = await services.update('a', (spec) => ({ ...spec, ipFamilyPolicy: 'PreferDualStack' }));
    expect(two).toMatchObject({ clusterIP, ipFamilies: ['IPv4', 'IPv6'] });
    expect(services.allocatedUse().addresses).toHaveLength(2);
    expect(await refusal(services.update('a', (spec) => ({ ...spec, clusterIPs: [clusterIP] })))).toBe(
      '422 Invalid Invalid spec.ipFamilyPolicy',
    );
    const one = await services.update('a', (spec) => ({ ...spec, ipFamilyPolicy: 'SingleStack' }));
    expect(one).toMatchObject({ clusterIPs: [clusterIP], ipFamilies: ['IPv4'] });
    expect(services.allocatedUse()).toEqual({ addresses: [clusterIP], ports: [] });
    const asked = { clusterIPs: [clusterIP, 'fd00::77'], ipFamilyPolicy: 'RequireDualStack', ipFamilies: [] };
    expect(await services.update('a', (spec) => ({ ...spec, ...asked }))).toMatchObject({
      clusterIPs: [clusterIP, 'fd00::77'],
      ipFamilies: ['IPv4', 'IPv6'],
    });
  });

  it('that a service would like stay as they were when the server comes to offer more', async () => {
    const disk = new MemoryDisk();
    const before = await ServiceRegistry.open({ backend: new MemoryBackend({ runtime: systemRuntime, disk }) });
    const { clusterIPs } = await before.create('a', { ipFamilyPolicy: 'PreferDualStack' });
    await before.close();
    const after = await open({ ...DUAL, backend: new MemoryBackend({ runtime: systemRuntime, disk }) });
    const kept = await after.update('a', (spec) => ({ ...spec, selector: { a: 'b' } }));
    expect(kept).toMatchObject({ clusterIPs, ipFamilies: ['IPv4'], ipFamilyPolicy: 'PreferDualStack' });
    const two = await after.update('a', (spec) => ({ ...spec, ipFamilyPolicy: 'RequireDualStack' }));
    expect(two.ipFamilies).toEqual(['IPv4', 'IPv6']);
  });
});

it('a service keeps what is not in range any more', async () => {
  const disk = new MemoryDisk();
  const before = await ServiceRegistry.open({ backend: new MemoryBackend({ runtime: systemRuntime, disk }) });
  const { clusterIP, ports } = await before.create('a', NODE_PORT);
  await before.close();
  const backend = new MemoryBackend({ runtime: systemRuntime, disk });
  const after = await open({ backend, addresses: '10.1.0.0/24', ports: '20000-20009' });
  expect(await after.update('a', (spec) => ({ ...spec, selector: { a: 'b' } }))).toMatchObject({ clusterIP, ports });
  expect(after.allocatedUse()).toEqual({ addresses: [], ports: [] });
});

describe('node ports', () => {
  it('asked for at the same time by several go to one', async () => {
    const services = await open();
    const ports = [{ port: 80, nodePort: 30_080 }];
    const names = ['a', 'b', 'c', 'd'];
    const outcomes = await Promise.allSettled(names.map((name) => services.create(name, { ...NODE_PORT, ports })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await refusal(services.create('e', { ...NODE_PORT, ports }))).toBe(
      '422 Invalid Invalid spec.ports[0].nodePort',
    );
    // Those that were refused have left no address behind either.
    expect(services.allocatedUse()).toEqual(services.storedUse());
  });

  it('are shared by protocols of one port', async () => {
    const services = await open();
    const dns = [
      { name: 'udp', port: 53, protocol: 'UDP' },
      { name: 'tcp', port: 53, protocol: 'TCP' },
      { name: 'web', port: 80 },
    ];
    const [udp, tcp, web] = nodePorts(await services.create('a', { ...NODE_PORT, ports: dns }));
    expect(udp).toBe(tcp);
    expect(web).not.toBe(udp);
    const asked = dns.map((port) => (port.name === 'tcp' ? { ...port, nodePort: 30_053 } : port));
    expect(nodePorts(await services.create('b', { ...NODE_PORT, ports: asked }))).toMatchObject([30_053, 30_053, {}]);
    expect(services.allocatedUse()).toEqual(services.storedUse());
  });

  it.each([
    [[{ port: 80, nodePort: 80 }], '422 Invalid Invalid spec.ports[0].nodePort'],
    [[{ port: 80 }, { name: 'b', port: 81, nodePort: 29_999 }], '422 Invalid Invalid spec.ports[1].nodePort'],
    [
      [
        { name: 'a', port: 80, nodePort: 30_001 },
        { name: 'b', port: 81, nodePort: 30_001 },
      ],
      '422 Invalid Invalid spec.ports[1].nodePort',
    ],
  ])('%j: %s', async (ports, expected) => {
    const services = await open();
    expect(await refusal(services.create('a', { ...NODE_PORT, ports }))).toBe(expected);
    expect(services.allocatedUse()).toEqual({ addresses: [], ports: [] });
  });

  it('come and go with the type', async () => {
    const services = await open();
    const { clusterIP } = await services.create('a', {});
    const [port] = nodePorts(await services.update('a', (spec) => ({ ...spec, type: 'NodePort' })));
    expect(services.allocatedUse()).toEqual({ addresses: [clusterIP], ports: [port] });
    const balanced = await services.update('a', (spec) => ({ ...spec, ...BALANCER }));
    expect(nodePorts(balanced)).toEqual([port]);
    expect(balanced.healthCheckNodePort).not.toBe(port);
    expect(services.allocatedUse().ports).toHaveLength(2);
    const plain = await services.update('a', (spec) => ({ ...spec, type: 'ClusterIP' }));
    expect(nodePorts(plain)).toEqual([undefined]);
    expect(plain).not.toHaveProperty('healthCheckNodePort');
    expect(services.allocatedUse()).toEqual({ addresses: [clusterIP], ports: [] });
  });

  it('change one for another in one write', async () => {
    const services = await open();
    await services.create('a', { ...NODE_PORT, ports: [{ port: 80, nodePort: 30_001 }] });
    await services.update('a', (spec) => ({ ...spec, ports: [{ port: 80, nodePort: 30_002 }] }));
    expect(services.allocatedUse().ports).toEqual([30_002]);
  });

  it('of a balancer that wants none are none, but for those it asks for', async () => {
    const services = await open();
    const ports = [
      { name: 'a', port: 80 },
      { name: 'b', port: 81, nodePort: 30_081 },
    ];
    const spec = { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports };
    expect(nodePorts(await services.create('a', spec))).toEqual([undefined, 30_081]);
  });

  it('include the one for health checks', async () => {
    const services = await open();
    const { healthCheckNodePort } = await services.create('a', { ...BALANCER, healthCheckNodePort: 30_100 });
    expect(healthCheckNodePort).toBe(30_100);
    const taken = '422 Invalid Invalid spec.healthCheckNodePort';
    expect(await refusal(services.create('b', { ...BALANCER, healthCheckNodePort: 30_100 }))).toBe(taken);
    const twice = { ...BALANCER, ports: [{ port: 80, nodePort: 30_200 }], healthCheckNodePort: 30_200 };
    expect(await refusal(services.create('b', twice))).toBe(taken);
    expect(services.allocatedUse()).toEqual(services.storedUse());
  });

  it('run out, and leave nothing behind of the service that got only some', async () => {
    const services = await open({ ports: '30000-30001' });
    const three = [1, 2, 3].map((port) => ({ name: `p${port}`, port }));
    await expect(services.create('a', { ...NODE_PORT, ports: three })).rejects.toThrow(
      'failed to allocate a nodePort: range is full',
    );
    expect(services.allocatedUse()).toEqual({ addresses: [], ports: [] });
  });
});

describe('a write that comes to nothing', () => {
  const wants = { ...NODE_PORT, clusterIP: '10.0.0.50', ports: [{ port: 80, nodePort: 30_050 }] };
  const other = { ...NODE_PORT, clusterIP: '10.0.0.60', ports: [{ port: 80, nodePort: 30_060 }] };

  it.each([
    ['because of its rules', { ...wants, sessionAffinity: 'Odd' }, '422 Invalid NotSupported spec.sessionAffinity'],
    ['because it exists', other, '409 AlreadyExists'],
  ])('%s keeps nothing', async (_why, spec, expected) => {
    const services = await open();
    await services.create('a', wants);
    const name = expected.includes('Exists') ? 'a' : 'b';
    const free = name === 'a' ? spec : { ...spec, clusterIP: '10.0.0.51', ports: [{ port: 80, nodePort: 30_051 }] };
    expect(await refusal(services.create(name, free))).toBe(expected);
    expect(services.allocatedUse()).toEqual({ addresses: ['10.0.0.50'], ports: [30_050] });
  });

  it('because someone was faster keeps nothing', async () => {
    const services = await open();
    await services.create('a', wants);
    const { resourceVersion } = services.stored()[0]?.metadata ?? {};
    const ref = { type: services.type, namespace: 'default', name: 'a', subresource: '' };
    const options = { user: { name: 'test', uid: '', groups: [], extra: new Map() } };
    const swap = (nodePort: number) =>
      services.registry.update(
        ref,
        (current) =>
          current && {
            ...current,
            metadata: { ...current.metadata, resourceVersion },
            spec: { ...wants, ports: [{ port: 80, nodePort }] },
          },
        options,
      );
    const outcomes = await Promise.allSettled([swap(30_061), swap(30_062), swap(30_063)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(services.allocatedUse()).toEqual(services.storedUse());
  });

  it('because admission refuses keeps nothing', async () => {
    const services = await open({
      admission: {
        mutate: () => {},
        validate: async () => {
          throw new ApiError('Forbidden', 'no');
        },
      },
    });
    expect(await refusal(services.create('a', wants))).toBe('403 Forbidden');
    expect(services.allocatedUse()).toEqual({ addresses: [], ports: [] });
  });

  it('because the disk fails keeps nothing', async () => {
    let broken = true;
    const persist = async (): Promise<void> => {
      if (broken) throw new Error('disk full');
    };
    const services = await open({ backend: new MemoryBackend({ runtime: systemRuntime, persist }) });
    expect(await refusal(services.create('a', wants))).toBe('503 ServiceUnavailable');
    expect(services.allocatedUse()).toEqual({ addresses: [], ports: [] });
    broken = false;
    await services.create('a', wants);
    broken = true;
    expect(await refusal(services.remove('a'))).toBe('503 ServiceUnavailable');
    expect(services.allocatedUse()).toEqual({ addresses: ['10.0.0.50'], ports: [30_050] });
  });

  it('because it is a dry run keeps nothing, but shows what it would have got', async () => {
    const services = await open();
    const dry = await services.create('a', { ...BALANCER, ports: [{ port: 80 }] }, { dryRun: true });
    const [port] = nodePorts(dry);
    expect(dry.clusterIP).toMatch(/^10\.0\.0\.\d+$/);
    expect(port).toBeGreaterThanOrEqual(30_000);
    expect(dry.healthCheckNodePort).not.toBe(port);
    expect(services.allocatedUse()).toEqual({ addresses: [], ports: [] });
    await services.create('a', wants);
    await services.update('a', (spec) => ({ ...spec, ...ALIAS }), { dryRun: true });
    await services.remove('a', { dryRun: true });
    expect(services.allocatedUse()).toEqual({ addresses: ['10.0.0.50'], ports: [30_050] });
    const elsewhere = { ...NODE_PORT, clusterIP: '192.168.0.1', ports: [{ port: 80, nodePort: 80 }] };
    expect(await services.create('b', elsewhere, { dryRun: true })).toMatchObject(elsewhere);
  });

  it('because it changes nothing keeps what there was', async () => {
    const services = await open();
    await services.create('a', wants);
    await services.update('a', (spec) => ({ ...spec }));
    await services.update('a', () => wants);
    expect(services.allocatedUse()).toEqual({ addresses: ['10.0.0.50'], ports: [30_050] });
  });
});

it('the same change asked for twice at once is made', async () => {
  const services = await open();
  await services.create('a', NODE_PORT);
  const change = () => ({ ...NODE_PORT, ports: [{ port: 80, nodePort: 30_007 }] });
  const both = await Promise.all([services.update('a', change), services.update('a', change)]);
  expect(both.map(nodePorts)).toEqual([[30_007], [30_007]]);
  expect(services.allocatedUse()).toEqual(services.storedUse());
});

it('a restart finds what was given before', async () => {
  const directory = join(await temporaryDirectory(), 'store');
  const openAgain = () =>
    ServiceRegistry.open({
      backend: new LmdbBackend({ runtime: systemRuntime, directory, vocabulary: 'platform' }),
    });
  const before = await openAgain();
  const names = Array.from({ length: 40 }, (_, at) => `s-${at}`);
  await Promise.all(names.map((name) => before.create(name, BALANCER)));
  await Promise.all(names.slice(0, 10).map((name) => before.remove(name)));
  const use = before.allocatedUse();
  await before.close();
  const after = await openAgain();
  onTestFinished(() => after.close());
  expect(use.addresses).toHaveLength(30);
  expect(after.allocatedUse()).toEqual(use);
  const [taken] = use.addresses;
  expect(await refusal(after.create('late', { clusterIP: taken }))).toBe('422 Invalid Invalid spec.clusterIPs');
});

describe('what the server gives', () => {
  const fieldsOf = (services: ServiceRegistry): unknown[] =>
    services.stored().flatMap(({ metadata }) => metadata.managedFields?.map(({ fieldsV1 }) => fieldsV1) ?? []);
  const given = ['f:clusterIP', 'f:clusterIPs', 'f:ipFamilies', 'f:ipFamilyPolicy', 'f:nodePort'];

  it('belongs to no writer', async () => {
    const services = await open();
    await services.create('a', {});
    await services.update('a', (spec) => ({ ...spec, type: 'NodePort' }));
    const fields = JSON.stringify(fieldsOf(services));
    expect(fields).toContain('f:type');
    for (const field of given) expect(fields).not.toContain(`"${field}"`);
  });

  it('belongs to the one who asked for it', async () => {
    const services = await open();
    await services.create('a', {
      ...NODE_PORT,
      clusterIP: '10.0.0.9',
      clusterIPs: ['10.0.0.9'],
      ipFamilyPolicy: 'SingleStack',
      ipFamilies: ['IPv4'],
      ports: [{ port: 80, nodePort: 30_080 }],
    });
    const fields = JSON.stringify(fieldsOf(services));
    for (const field of given) expect(fields).toContain(`"${field}"`);
  });
});
