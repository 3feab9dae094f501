import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { http2Client } from './support/client.ts';
import { podOf, QuotaNamespace } from './support/quota.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

let plane: TestServer;
let made = 0;

beforeAll(async () => {
  plane = await startTestServer();
});
afterAll(() => plane.close());

const makeNamespace = (): Promise<QuotaNamespace> => QuotaNamespace.make(plane, `quota-${made++}`);

async function expectRefusal(answer: ReturnType<QuotaNamespace['request']>, message: string): Promise<void> {
  const { status, body } = await answer;
  expect({ status, reason: body.reason, message: body.message }).toEqual({
    status: 403,
    reason: 'Forbidden',
    message: expect.stringContaining(message),
  });
}

async function expectMade(answer: ReturnType<QuotaNamespace['request']>): Promise<void> {
  const { status, text } = await answer;
  expect(status, text).toBe(201);
}

const serviceOf = (name: string, type: string, ports = 1, more: object = {}) => ({
  metadata: { name },
  spec: {
    type,
    selector: { app: name },
    ports: Array.from({ length: ports }, (_, at) => ({ name: `p${at}`, port: 80 + at })),
    ...more,
  },
});

const claimOf = (name: string, storage: string, storageClassName?: string) => ({
  metadata: { name },
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage } },
    ...(storageClassName && { storageClassName }),
  },
});

describe('a quota', () => {
  it('is measured when it is made, and again when its limits change', async () => {
    const namespace = await makeNamespace();
    await expectMade(namespace.request('POST', 'secrets', { metadata: { name: 'early' } }));
    await namespace.bound({ secrets: '3', 'count/configmaps': '5', pods: '1' });
    expect(await namespace.status()).toEqual({
      hard: { secrets: '3', 'count/configmaps': '5', pods: '1' },
      used: { secrets: '1', 'count/configmaps': '1', pods: '0' },
    });
    await namespace.request('PATCH', 'resourcequotas/q', { spec: { hard: { secrets: '1', pods: null } } });
    await expect
      .poll(() => namespace.status())
      .toEqual({
        hard: { secrets: '1', 'count/configmaps': '5' },
        used: { secrets: '1', 'count/configmaps': '1' },
      });
    await expectRefusal(
      namespace.request('POST', 'secrets', { metadata: { name: 'late' } }),
      'secrets "late" is forbidden: exceeded quota: q, requested: secrets=1, used: secrets=1, limited: secrets=1',
    );
  });

  it('counts objects of any kind, some by a plain name too', async () => {
    const namespace = await makeNamespace();
    await namespace.bound({
      configmaps: '2',
      secrets: '1',
      replicationcontrollers: '1',
      resourcequotas: '1',
      'count/deployments.apps': '1',
      'count/leases.coordination.platform.io': '1',
    });
    const lease = (name: string) =>
      namespace.request('POST', 'apis/coordination.platform.io/v1/leases', { metadata: { name } });
    await expectMade(lease('one'));
    await expectRefusal(
      lease('two'),
      'leases.coordination.platform.io "two" is forbidden: exceeded quota: q, requested: count/leases.coordination.platform.io=1, used: count/leases.coordination.platform.io=1, limited: count/leases.coordination.platform.io=1',
    );
    const template = { metadata: { labels: { a: 'b' } }, spec: podOf('x').spec };
    const deployment = (name: string) =>
      namespace.request('POST', 'apis/apps/v1/deployments', {
        metadata: { name },
        spec: { selector: { matchLabels: { a: 'b' } }, template },
      });
    await expectMade(deployment('one'));
    await expectRefusal(deployment('two'), 'requested: count/deployments.apps=1');
    const controller = (name: string) =>
      namespace.request('POST', 'replicationcontrollers', {
        metadata: { name },
        spec: { selector: { a: 'b' }, template },
      });
    await expectMade(controller('one'));
    await expectRefusal(controller('two'), 'requested: replicationcontrollers=1');
    await expectMade(namespace.request('POST', 'configmaps', { metadata: { name: 'one' } }));
    await expectRefusal(namespace.request('POST', 'configmaps', { metadata: { name: 'two' } }), 'configmaps=1');
    await expectRefusal(
      namespace.request('POST', 'resourcequotas', { metadata: { name: 'other' } }),
      'resourcequotas=1',
    );
    expect(await namespace.used()).toEqual({
      configmaps: '2',
      secrets: '0',
      replicationcontrollers: '1',
      resourcequotas: '1',
      'count/deployments.apps': '1',
      'count/leases.coordination.platform.io': '1',
    });
  });

  it('adds up what containers ask for, and more of it where one that prepares asks for more', async () => {
    const namespace = await makeNamespace();
    await namespace.bound({
      cpu: '2',
      'requests.memory': '1Gi',
      'limits.cpu': '4',
      'limits.memory': '2Gi',
      'requests.ephemeral-storage': '1Gi',
      'limits.ephemeral-storage': '2Gi',
      pods: '10',
      'count/pods': '10',
    });
    const requests = { cpu: '250m', memory: '100Mi', 'ephemeral-storage': '1Mi' };
    const limits = { cpu: '1', memory: '200Mi', 'ephemeral-storage': '2Mi' };
    const container = { name: 'main', image: 'example/main:1', resources: { requests, limits } };
    const first = {
      containers: [container, { ...container, name: 'beside' }],
      initContainers: [{ ...container, name: 'before', resources: { requests: { ...requests, cpu: '750m' }, limits } }],
    };
    await expectMade(namespace.request('POST', 'pods', podOf('one', {}, {}, first)));
    expect(await namespace.used()).toEqual({
      cpu: '750m',
      'requests.memory': '200Mi',
      'limits.cpu': '2',
      'limits.memory': '400Mi',
      'requests.ephemeral-storage': '2Mi',
      'limits.ephemeral-storage': '4Mi',
      pods: '1',
      'count/pods': '1',
    });
    await expectRefusal(
      namespace.request('POST', 'pods', podOf('two', { ...requests, cpu: '1251m' }, { ...limits, cpu: '2001m' })),
      'exceeded quota: q, requested: cpu=1251m,limits.cpu=2001m, used: cpu=750m,limits.cpu=2, limited: cpu=2,limits.cpu=4',
    );
  });

  it('on processors or memory wants every container to say how much it needs', async () => {
    const namespace = await makeNamespace();
    await namespace.bound({ 'requests.cpu': '1', 'limits.memory': '1Gi', 'requests.ephemeral-storage': '1Gi' });
    await expectRefusal(
      namespace.request('POST', 'pods', podOf('silent')),
      'pods "silent" is forbidden: failed quota: q: must specify limits.memory for: main; requests.cpu for: main',
    );
    await expectMade(namespace.request('POST', 'pods', podOf('clear', { cpu: '1m' }, { memory: '1Mi' })));
  });

  it('counts huge pages and what others bring along', async () => {
    const namespace = await makeNamespace();
    await namespace.bound({ 'hugepages-2Mi': '4Mi', 'requests.example.com/gpu': '2' });
    const amounts = { 'hugepages-2Mi': '4Mi', 'example.com/gpu': '1', cpu: '1' };
    await expectMade(namespace.request('POST', 'pods', podOf('one', amounts, amounts)));
    expect(await namespace.used()).toEqual({ 'hugepages-2Mi': '4Mi', 'requests.example.com/gpu': '1' });
    await expectRefusal(
      namespace.request('POST', 'pods', podOf('two', amounts, amounts)),
      'requested: hugepages-2Mi=4Mi, used: hugepages-2Mi=4Mi, limited: hugepages-2Mi=4Mi',
    );
    const gpus = { 'example.com/gpu': '2' };
    await expectRefusal(
      namespace.request('POST', 'pods', podOf('two', gpus, gpus)),
      'requested: requests.example.com/gpu=2, used: requests.example.com/gpu=1, limited: requests.example.com/gpu=2',
    );
  });

  it('counts claims and what they ask for, of all storage and of each class', async () => {
    const namespace = await makeNamespace();
    const [claims, storage] = ['persistentvolumeclaims', 'requests.storage'].map(
      (name) => `gold.storageclass.storage.platform.io/${name}`,
    );
    await namespace.bound({
      persistentvolumeclaims: '3',
      'requests.storage': '10Gi',
      [String(claims)]: '1',
      [String(storage)]: '5Gi',
    });
    await expectRefusal(
      namespace.request('POST', 'persistentvolumeclaims', claimOf('a', '6Gi', 'gold')),
      `exceeded quota: q, requested: ${storage}=6Gi, used: ${storage}=0, limited: ${storage}=5Gi`,
    );
    await expectMade(namespace.request('POST', 'persistentvolumeclaims', claimOf('a', '5Gi', 'gold')));
    await expectRefusal(
      namespace.request('POST', 'persistentvolumeclaims', claimOf('b', '1Gi', 'gold')),
      `requested: ${claims}=1,${storage}=1Gi`,
    );
    await expectMade(namespace.request('POST', 'persistentvolumeclaims', claimOf('b', '5Gi', 'silver')));
    await expectRefusal(
      namespace.request('POST', 'persistentvolumeclaims', claimOf('c', '1', 'silver')),
      'requested: requests.storage=1, used: requests.storage=10Gi, limited: requests.storage=10Gi',
    );
    expect(await namespace.used()).toEqual({
      persistentvolumeclaims: '2',
      'requests.storage': '10Gi',
      [String(claims)]: '1',
      [String(storage)]: '5Gi',
    });
  });

  it('counts services with what they hold, and charges a change by the difference', async () => {
    const namespace = await makeNamespace();
    await namespace.bound({ services: '3', 'services.nodeports': '3', 'services.loadbalancers': '1' });
    await expectMade(namespace.request('POST', 'services', serviceOf('a', 'NodePort', 2)));
    await expectMade(namespace.request('POST', 'services', serviceOf('b', 'ClusterIP', 2)));
    await expectRefusal(
      namespace.request('PATCH', 'services/b', { spec: { type: 'NodePort' } }),
      'services "b" is forbidden: exceeded quota: q, requested: services.nodeports=2, used: services.nodeports=2, limited: services.nodeports=3',
    );
    const unallocated = { allocateLoadBalancerNodePorts: false };
    await expectMade(namespace.request('POST', 'services', serviceOf('c', 'LoadBalancer', 2, unallocated)));
    expect(await namespace.used()).toEqual({ services: '3', 'services.nodeports': '2', 'services.loadbalancers': '1' });
    const relaxed = await namespace.request('PATCH', 'services/a', { spec: { type: 'ClusterIP' } });
    expect(relaxed.status, relaxed.text).toBe(200);
    expect((await namespace.request('PATCH', 'services/b', { spec: { type: 'NodePort' } })).status).toBe(200);
    await expect.poll(() => namespace.used()).toMatchObject({ services: '3', 'services.nodeports': '2' });
    await expectRefusal(namespace.request('POST', 'services', serviceOf('d', 'ClusterIP')), 'requested: services=1');
  });
});

describe('what goes', () => {
  it('is given back, for the very next write to use', async () => {
    const namespace = await makeNamespace();
    await namespace.bound({ secrets: '1' });
    for (let round = 0; round < 20; round++) {
      await expectMade(namespace.request('POST', 'secrets', { metadata: { name: 's' } }));
      expect((await namespace.request('DELETE', 'secrets/s')).status).toBe(200);
    }
    await expect.poll(() => namespace.used()).toEqual({ secrets: '0' });
  });

  it('is only the object once a pod has ended', async () => {
    const namespace = await makeNamespace();
    await namespace.bound({ pods: '1', 'count/pods': '2', 'requests.cpu': '1' });
    await expectMade(namespace.request('POST', 'pods', podOf('one', { cpu: '1' })));
    await expectRefusal(namespace.request('POST', 'pods', podOf('two', { cpu: '1' })), 'pods=1,requests.cpu=1');
    await namespace.request('PATCH', 'pods/one/status', { status: { phase: 'Succeeded' } });
    await expect.poll(() => namespace.used()).toEqual({ pods: '0', 'count/pods': '1', 'requests.cpu': '0' });
    await expectMade(namespace.request('POST', 'pods', podOf('two', { cpu: '1' })));
    await expectRefusal(namespace.request('POST', 'pods', podOf('three', { cpu: '0' })), 'count/pods=1');
  });

  it('was never there when a write failed after it was charged', async () => {
    const namespace = await makeNamespace();
    await namespace.bound({ secrets: '2' });
    await expectMade(namespace.request('POST', 'secrets', { metadata: { name: 's' } }));
    expect((await namespace.request('POST', 'secrets', { metadata: { name: 's' } })).status).toBe(409);
    await expect.poll(() => namespace.used()).toEqual({ secrets: '1' });
    await expectMade(namespace.request('POST', 'secrets', { metadata: { name: 't' } }));
  });

  it('is not charged by a dry run, which is judged all the same', async () => {
    const namespace = await makeNamespace();
    await namespace.bound({ secrets: '1' });
    const dryRun = () => namespace.request('POST', 'secrets?dryRun=All', { metadata: { name: 'dry' } });
    await expectMade(dryRun());
    expect(await namespace.used()).toEqual({ secrets: '0' });
    await expectMade(namespace.request('POST', 'secrets', { metadata: { name: 'real' } }));
    await expectRefusal(dryRun(), 'secrets "dry" is forbidden: exceeded quota: q');
    expect(await namespace.used()).toEqual({ secrets: '1' });
  });
});

describe('a quota with scopes', () => {
  const cases: readonly [string, object, object, object][] = [
    ['Terminating', { scopes: ['Terminating'] }, { activeDeadlineSeconds: 5 }, {}],
    ['NotTerminating', { scopes: ['NotTerminating'] }, {}, { activeDeadlineSeconds: 5 }],
    [
      'CrossNamespacePodAffinity',
      { scopes: ['CrossNamespacePodAffinity'] },
      { affinity: affinityTo({ namespaces: ['other'] }) },
      { affinity: affinityTo({}) },
    ],
    [
      'scope that must exist',
      { scopeSelector: { matchExpressions: [{ scopeName: 'BestEffort', operator: 'Exists' }] } },
      {},
      { containers: [{ name: 'main', image: 'i', resources: { requests: { cpu: '1' } } }] },
    ],
  ];

  it.each(cases)('counts pods of the %s and no others', async (_name, scope, within, without) => {
    const namespace = await makeNamespace();
    await namespace.bound({ pods: '1' }, scope);
    await expectMade(namespace.request('POST', 'pods', podOf('other', {}, {}, without)));
    expect(await namespace.used()).toEqual({ pods: '0' });
    await expectMade(namespace.request('POST', 'pods', podOf('one', {}, {}, within)));
    await expectRefusal(namespace.request('POST', 'pods', podOf('two', {}, {}, within)), 'exceeded quota: q');
    await expectMade(namespace.request('POST', 'pods', podOf('another', {}, {}, without)));
    expect(await namespace.used()).toEqual({ pods: '1' });
  });

  it('measures what was there before it by the same rule', async () => {
    const namespace = await makeNamespace();
    await expectMade(namespace.request('POST', 'pods', podOf('best')));
    await expectMade(namespace.request('POST', 'pods', podOf('asking', { cpu: '1' })));
    await namespace.bound({ pods: '9', 'requests.cpu': '9' }, { scopes: ['NotBestEffort'] });
    expect(await namespace.used()).toEqual({ pods: '1', 'requests.cpu': '1' });
  });

  it('selects pods by the class of their priority', async () => {
    const namespace = await makeNamespace();
    for (const [name, value] of Object.entries({ low: 1, high: 2 })) {
      await plane.admin.request('POST', '/apis/scheduling.platform.io/v1/priorityclasses', {
        metadata: { name },
        value,
      });
    }
    const select = (operator: string, values?: string[]) => ({
      scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator, ...(values && { values }) }] },
    });
    await namespace.bound({ pods: '9' }, select('In', ['high']), 'in');
    await namespace.bound({ pods: '9' }, select('NotIn', ['high']), 'not-in');
    await namespace.bound({ pods: '9' }, select('Exists'), 'exists');
    await namespace.bound({ pods: '9' }, select('DoesNotExist'), 'does-not-exist');
    for (const [name, priorityClassName] of Object.entries({ a: 'high', b: 'low', c: 'low' })) {
      await expectMade(namespace.request('POST', 'pods', podOf(name, {}, {}, { priorityClassName })));
    }
    const used = await Promise.all(['in', 'not-in', 'exists', 'does-not-exist'].map((name) => namespace.used(name)));
    expect(used).toEqual([{ pods: '1' }, { pods: '2' }, { pods: '3' }, { pods: '0' }]);
  });
});

function affinityTo(term: object): object {
  const whole = { topologyKey: 'zone', labelSelector: {}, ...term };
  return { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [whole] } };
}

describe('several quotas', () => {
  it('are all held against a write, and none is charged when one refuses', async () => {
    const namespace = await makeNamespace();
    await namespace.bound({ secrets: '5' }, {}, 'a');
    await namespace.bound({ 'count/secrets': '1' }, {}, 'b');
    await expectMade(namespace.request('POST', 'secrets', { metadata: { name: 'one' } }));
    await expectRefusal(
      namespace.request('POST', 'secrets', { metadata: { name: 'two' } }),
      'exceeded quota: b, requested: count/secrets=1, used: count/secrets=1, limited: count/secrets=1',
    );
    expect([await namespace.used('a'), await namespace.used('b')]).toEqual([
      { secrets: '1' },
      { 'count/secrets': '1' },
    ]);
  });
});

describe('200 creates at once', () => {
  it('never use more than is allowed, and all that is', async () => {
    const namespace = await makeNamespace();
    await namespace.bound({ configmaps: '51', 'count/configmaps': '61' });
    const client = http2Client(plane.connection);
    const path = `/api/v1/namespaces/${namespace.name}/configmaps`;
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, at) => client.request('POST', path, { metadata: { name: `c${at}` } })),
    );
    client.close();
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(50);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 403]));
    expect(await namespace.used()).toEqual({ configmaps: '51', 'count/configmaps': '51' });
  });
});
