import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certificateRequest } from './support/certificates.ts';
import type { Answer, Headers } from './support/client.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

let plane: TestServer;
let directory: string;

const EVENT_LIMITS = {
  apiVersion: 'eventratelimit.admission.platform.io/v1alpha1',
  kind: 'Configuration',
  limits: [{ type: 'Namespace', qps: 1, burst: 3 }],
};

const configurationWith = (plugin: string, configuration: object): string =>
  JSON.stringify({
    apiVersion: 'apiserver.config.platform.io/v1',
    kind: 'AdmissionConfiguration',
    plugins: [{ name: plugin, configuration }],
  });

beforeAll(async () => {
  directory = await makeDirectory();
  const admissionControlConfigFile = join(directory, 'admission.json');
  await writeFile(admissionControlConfigFile, configurationWith('EventRateLimit', EVENT_LIMITS));
  plane = await startTestServer({
    admissionControlConfigFile,
    enableAdmissionPlugins: [
      'NodeRestriction',
      'DenyServiceExternalIPs',
      'OwnerReferencesPermissionEnforcement',
      'EventRateLimit',
    ],
  });
});

afterAll(async () => {
  await plane.close();
  await removeDirectory(directory);
});

let count = 0;

async function newNamespace(): Promise<string> {
  const name = `ruled-${count++}`;
  await create('/api/v1/namespaces', { metadata: { name } });
  return name;
}

async function demand(code: number, ...asked: Parameters<TestServer['admin']['request']>): Promise<Answer['body']> {
  const { status, body, text } = await plane.admin.request(...asked);
  expect(status, text).toBe(code);
  return body;
}

const create = (path: string, object: object, as: Headers = {}) => demand(201, 'POST', path, object, as);
const patch = (path: string, change: object, as: Headers = {}) => demand(200, 'PATCH', path, change, as);

async function refusalOf(method: string, path: string, object?: object, as: Headers = {}): Promise<string> {
  return (await demand(403, method, path, object, as)).message;
}

/** Reads until it is there no more. */
async function untilGone(path: string): Promise<void> {
  await expect.poll(async () => (await plane.admin.request('GET', path)).status, { timeout: 5000 }).toBe(404);
}

const CLASSES = '/apis/storage.platform.io/v1/storageclasses';
const claimsOf = (namespace: string): string => `/api/v1/namespaces/${namespace}/persistentvolumeclaims`;
const podsOf = (namespace: string): string => `/api/v1/namespaces/${namespace}/pods`;
const claim = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});
const pod = (name: string, spec: object = {}, metadata: object = {}) => ({
  metadata: { name, ...metadata },
  spec: { containers: [{ name: 'main', image: 'example/main:1' }], ...spec },
});

describe('the class of a claim', () => {
  const asDefault = { annotations: { 'storageclass.platform.io/is-default-class': 'true' } };

  it('is the default one when the claim names none, and there must be one default at most', async () => {
    const claims = claimsOf(await newNamespace());
    expect((await create(claims, claim('before'))).spec.storageClassName).toBeUndefined();
    await create(CLASSES, { metadata: { name: 'usual', ...asDefault }, provisioner: 'example.com/p' });
    expect((await create(claims, claim('none'))).spec.storageClassName).toBe('usual');
    expect((await create(claims, claim('empty', { storageClassName: '' }))).spec.storageClassName).toBe('');
    const old = claim('old');
    const annotations = { 'volume.beta.platform.io/storage-class': 'other' };
    const { spec } = await create(claims, { ...old, metadata: { ...old.metadata, annotations } });
    expect(spec.storageClassName).toBeUndefined();
    await create(CLASSES, { metadata: { name: 'second', ...asDefault }, provisioner: 'example.com/p' });
    expect(await refusalOf('POST', claims, claim('torn'))).toBe(
      'persistentvolumeclaims "torn" is forbidden: Internal error occurred: 2 default StorageClasses were found',
    );
    for (const name of ['usual', 'second']) await demand(200, 'DELETE', `${CLASSES}/${name}`);
  });

  it('decides whether a bound claim can grow', async () => {
    const claims = claimsOf(await newNamespace());
    await create(CLASSES, { metadata: { name: 'fixed' }, provisioner: 'example.com/p' });
    await create(CLASSES, { metadata: { name: 'elastic' }, provisioner: 'example.com/p', allowVolumeExpansion: true });
    const grown = { spec: { resources: { requests: { storage: '2Gi' } } } };
    for (const storageClassName of ['fixed', 'elastic']) {
      await create(claims, claim(storageClassName, { storageClassName, volumeName: 'v' }));
      await patch(`${claims}/${storageClassName}/status`, { status: { phase: 'Bound' } });
    }
    expect(await refusalOf('PATCH', `${claims}/fixed`, grown)).toContain('storageclass that provisions the pvc must');
    expect((await patch(`${claims}/elastic`, grown)).spec).toMatchObject({ resources: grown.spec.resources });
  });
});

describe('what is in use', () => {
  it('outlives its deletion, a claim until no pod on a node has it', async () => {
    const namespace = await newNamespace();
    const path = `${claimsOf(namespace)}/used`;
    await create(claimsOf(namespace), claim('used'));
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'used' } }];
    await create(podsOf(namespace), pod('user', { nodeName: 'n', volumes }));
    await create(podsOf(namespace), pod('waiting', { volumes }));
    const { metadata } = await demand(200, 'DELETE', path);
    expect(metadata).toMatchObject({ finalizers: ['platform.io/pvc-protection'] });
    // Whatever would let go of it has had its chance once a claim that nobody uses has gone.
    await create(claimsOf(namespace), claim('unused'));
    await demand(200, 'DELETE', `${claimsOf(namespace)}/unused`);
    await untilGone(`${claimsOf(namespace)}/unused`);
    await demand(200, 'GET', path);
    await demand(200, 'DELETE', `${podsOf(namespace)}/user?gracePeriodSeconds=0`);
    await untilGone(path);
  });

  it('outlives its deletion, a volume until it is no longer bound', async () => {
    const volumes = '/api/v1/persistentvolumes';
    const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } };
    for (const name of ['bound', 'free']) {
      const { metadata } = await create(volumes, { metadata: { name, finalizers: ['example.com/own'] }, spec });
      expect(metadata).toMatchObject({ finalizers: ['example.com/own', 'platform.io/pv-protection'] });
      await patch(`${volumes}/${name}`, { metadata: { finalizers: ['platform.io/pv-protection'] } });
    }
    await patch(`${volumes}/bound/status`, { status: { phase: 'Bound' } });
    for (const name of ['bound', 'free']) await demand(200, 'DELETE', `${volumes}/${name}`);
    await untilGone(`${volumes}/free`);
    await demand(200, 'GET', `${volumes}/bound`);
    await patch(`${volumes}/bound/status`, { status: { phase: 'Released' } });
    await untilGone(`${volumes}/bound`);
  });
});

it('an ingress without a class gets the default one, of which there must be one at most', async () => {
  const group = '/apis/networking.platform.io/v1';
  const ingresses = `${group}/namespaces/${await newNamespace()}/ingresses`;
  const ingress = (name: string, more: object = {}) => ({
    metadata: { name },
    spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } }, ...more },
  });
  const asDefault = { annotations: { 'ingressclass.platform.io/is-default-class': 'true' } };
  const spec = { controller: 'example.com/c' };
  await create(`${group}/ingressclasses`, { metadata: { name: 'usual', ...asDefault }, spec });
  expect((await create(ingresses, ingress('none'))).spec.ingressClassName).toBe('usual');
  const own = await create(ingresses, ingress('own', { ingressClassName: 'mine' }));
  expect(own.spec.ingressClassName).toBe('mine');
  await create(`${group}/ingressclasses`, { metadata: { name: 'second', ...asDefault }, spec });
  expect(await refusalOf('POST', ingresses, ingress('torn'))).toContain('2 default IngressClasses were found');
});

describe('certificates', () => {
  const REQUESTS = '/apis/certificates.platform.io/v1/certificatesigningrequests';
  const RBAC = '/apis/rbac.authorization.platform.io/v1';
  const request = (name: string, signerName: string, ...organizations: string[]) => ({
    metadata: { name },
    spec: { request: certificateRequest('someone', organizations), signerName, usages: ['client auth'] },
  });

  const alice = { 'Impersonate-User': 'alice' };
  // With times of its own: they would be filled in, and it would be another condition when a second has passed.
  const times = { lastUpdateTime: '2026-01-01T00:00:00Z', lastTransitionTime: '2026-01-01T00:00:00Z' };
  const approved = { status: { conditions: [{ type: 'Approved', status: 'True', ...times }] } };
  const failed = { type: 'Failed', status: 'True' };

  beforeAll(async () => {
    const apiGroups = ['certificates.platform.io'];
    await create(`${RBAC}/clusterroles`, {
      metadata: { name: 'certifier' },
      rules: [
        { apiGroups, resources: ['certificatesigningrequests/approval', '*/status'], verbs: ['*'] },
        { apiGroups, resources: ['signers'], verbs: ['approve'], resourceNames: ['example.com/*'] },
        { apiGroups, resources: ['signers'], verbs: ['sign'], resourceNames: ['example.org/signer'] },
      ],
    });
    await create(`${RBAC}/clusterrolebindings`, {
      metadata: { name: 'certifier' },
      roleRef: { apiGroup: 'rbac.authorization.platform.io', kind: 'ClusterRole', name: 'certifier' },
      subjects: [{ kind: 'User', name: 'alice', apiGroup: 'rbac.authorization.platform.io' }],
    });
    for (const domain of ['example.com', 'example.org']) await create(REQUESTS, request(domain, `${domain}/signer`));
  });

  it('are approved by those who may approve for the signer, or for its whole domain', async () => {
    await patch(`${REQUESTS}/example.com/approval`, approved, alice);
    expect(await refusalOf('PATCH', `${REQUESTS}/example.org/approval`, approved, alice)).toContain(
      'user not permitted to approve requests with signerName "example.org/signer"',
    );
  });

  it('are issued, or not, by those who may sign for the signer', async () => {
    await patch(`${REQUESTS}/example.org/status`, { status: { conditions: [failed] } }, alice);
    const both = { status: { conditions: [...approved.status.conditions, failed] } };
    expect(await refusalOf('PATCH', `${REQUESTS}/example.com/status`, both, alice)).toContain(
      'user not permitted to sign requests with signerName "example.com/signer"',
    );
    await patch(`${REQUESTS}/example.com/status`, { metadata: { labels: { a: 'b' } } }, alice);
  });

  it('that would make a master of a client are not even asked for', async () => {
    expect(await refusalOf('POST', REQUESTS, request('x', 'platform.io/apiserver-client', 'a', 'system:masters'))).toBe(
      'certificatesigningrequests.certificates.platform.io "x" is forbidden: use of platform.io/apiserver-client signer with system:masters group is not allowed',
    );
    await create(REQUESTS, request('x', 'platform.io/apiserver-client', 'team'));
    await create(REQUESTS, request('y', 'example.com/signer', 'system:masters'));
  });
});

describe('a node', () => {
  /** Authorization stands aside, so that only the plugin decides. */
  const as = (node: string): Headers => ({
    'Impersonate-User': `system:node:${node}`,
    'Impersonate-Group': ['system:nodes', 'system:masters'],
  });
  const own = as('own');
  const nodes = '/api/v1/nodes';
  let namespace: string;
  let pods: string;
  let uid: string;

  beforeAll(async () => {
    namespace = await newNamespace();
    pods = podsOf(namespace);
    const labels = { 'platform.io/hostname': 'own', 'kubelet.platform.io/x': 'y', 'a.b/c': 'd' };
    uid = (await create(nodes, { metadata: { name: 'own', labels } }, own)).metadata.uid;
    await create(pods, pod('mine', { nodeName: 'own' }));
    await create(pods, pod('yours', { nodeName: 'other' }));
  });

  const owner = (changes: object = {}) => [
    { apiVersion: 'v1', kind: 'Node', name: 'own', uid, controller: true, ...changes },
  ];
  const mirror = (name: string, spec: object = {}, metadata: object = {}) =>
    pod(
      name,
      { nodeName: 'own', ...spec },
      { annotations: { 'platform.io/config.mirror': 'x' }, ownerReferences: owner(), ...metadata },
    );

  it('writes itself and no other node', async () => {
    expect(await refusalOf('POST', nodes, { metadata: { name: 'other' } }, own)).toContain(
      'node "own" is not allowed to modify node "other"',
    );
    await patch(`${nodes}/own/status`, { status: { phase: 'Running' } }, own);
    expect(await refusalOf('DELETE', `${nodes}/own`, undefined, as('other'))).toContain('not allowed to modify node');
    await create(nodes, { metadata: { name: 'other' } });
  });

  it.each([
    ['taints', { spec: { taints: [] } }, 'node "own" is not allowed to modify taints'],
    ['closed labels', { metadata: { labels: { 'x.node-restriction.platform.io/a': 'b' } } }, 'x.node-restriction'],
    [
      'reserved labels',
      { metadata: { labels: { 'node-role.platform.io/control-plane': '' } } },
      'modify labels: node-',
    ],
  ])('does not change its own %s', async (_what, change, why) => {
    expect(await refusalOf('PATCH', `${nodes}/own`, change, own)).toContain(why);
  });

  it('changes the labels that it knows best', async () => {
    await patch(`${nodes}/own`, { metadata: { labels: { 'topology.platform.io/zone': 'z', free: 'yes' } } }, own);
  });

  it('shows what it runs by itself, which names nothing else', async () => {
    await create(pods, mirror('mirror'), own);
    await demand(200, 'DELETE', `${pods}/mirror?gracePeriodSeconds=0`, undefined, own);
  });

  it.each<[string, (name: string) => object, string]>([
    ['no mirror', (name) => pod(name, { nodeName: 'own' }), 'can only create mirror pods'],
    [
      'elsewhere',
      (name) => mirror(name, { nodeName: 'other' }),
      'can only create pods with spec.nodeName set to itself',
    ],
    ['nobody’s', (name) => mirror(name, {}, { ownerReferences: [] }), 'with an owner reference set to itself'],
    [
      'of two owners',
      (name) => mirror(name, {}, { ownerReferences: [...owner(), ...owner({ uid: 'u' })] }),
      'a single',
    ],
    ['of another uid', (name) => mirror(name, {}, { ownerReferences: owner({ uid: 'u' }) }), 'node own UID mismatch'],
    [
      'not controlled',
      (name) => mirror(name, {}, { ownerReferences: owner({ controller: false }) }),
      'a controller owner',
    ],
    [
      'blocking',
      (name) => mirror(name, {}, { ownerReferences: owner({ blockOwnerDeletion: true }) }),
      'must not set blockOwnerDeletion',
    ],
    [
      'with a config map',
      (name) => mirror(name, { volumes: [{ name: 'v', configMap: { name: 'm' } }] }),
      'can not create pods that reference configmaps',
    ],
    [
      'with a claim',
      (name) => mirror(name, { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] }),
      'can not create pods that reference persistentvolumeclaims',
    ],
  ])('creates no pod that is %s', async (_what, made, why) => {
    expect(await refusalOf('POST', pods, made('p'), own)).toContain(why);
  });

  it('reports on, evicts and deletes its own pods only, and changes none', async () => {
    const running = { status: { phase: 'Running' } };
    await patch(`${pods}/mine/status`, running, own);
    expect(await refusalOf('PATCH', `${pods}/yours/status`, running, own)).toContain('can only update pod status');
    expect(await refusalOf('PATCH', `${pods}/mine/status`, { metadata: { labels: { a: 'b' } } }, own)).toContain(
      'cannot update labels through pod status',
    );
    expect(await refusalOf('PATCH', `${pods}/mine`, { metadata: { labels: { a: 'b' } } }, own)).toContain(
      'unexpected operation "UPDATE"',
    );
    const eviction = (name: string) => ({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } });
    expect(await refusalOf('POST', `${pods}/yours/eviction`, eviction('yours'), own)).toContain('can only evict pods');
    expect(await refusalOf('DELETE', `${pods}/yours`, undefined, own)).toContain('can only delete pods');
    const binding = { metadata: { name: 'mine' }, target: { kind: 'Node', name: 'own' } };
    expect(await refusalOf('POST', `${pods}/mine/binding`, binding, own)).toContain('unexpected pod subresource');
    await create(`${pods}/mine/eviction`, eviction('mine'), own);
  });

  it('gets tokens that live and die with its pods', async () => {
    const { metadata } = await create(pods, pod('bearer', { nodeName: 'own' }));
    const bound = (name: string, id: string) => ({
      spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name, ...(id ? { uid: id } : {}) } },
    });
    const token = `/api/v1/namespaces/${namespace}/serviceaccounts/default/token`;
    await create(token, bound('bearer', metadata.uid), own);
    expect(await refusalOf('POST', token, { spec: {} }, own)).toContain('not bound to a pod');
    expect(await refusalOf('POST', token, bound('bearer', ''), own)).toContain('without a uid');
    expect(await refusalOf('POST', token, bound('bearer', 'u'), own)).toContain('does not match the UID in record');
    const yours = await demand(200, 'GET', `${pods}/yours`);
    expect(await refusalOf('POST', token, bound('yours', yours.metadata.uid), own)).toContain('a different node');
  });

  it('has one lease and one list of drivers, which bear its name', async () => {
    const leases = (space: string) => `/apis/coordination.platform.io/v1/namespaces/${space}/leases`;
    const drivers = '/apis/storage.platform.io/v1/csinodes';
    const named = (name: string) => ({ metadata: { name }, spec: {} });
    await create(leases('platform-node-lease'), named('own'), own);
    expect(await refusalOf('POST', leases('platform-node-lease'), named('other'), own)).toContain('same name');
    expect(await refusalOf('POST', leases(namespace), named('own'), own)).toContain('"platform-node-lease" system');
    await create(drivers, { metadata: { name: 'own' }, spec: { drivers: [] } }, own);
    expect(await refusalOf('POST', drivers, { metadata: { name: 'other' }, spec: { drivers: [] } }, own)).toContain(
      'can only access CSINode',
    );
  });

  it('tells of claims how far they have grown, and nothing else', async () => {
    await create(claimsOf(namespace), claim('c'));
    const path = `${claimsOf(namespace)}/c`;
    await patch(`${path}/status`, { status: { capacity: { storage: '1Gi' } } }, own);
    expect(await refusalOf('PATCH', `${path}/status`, { status: { phase: 'Bound' } }, own)).toContain(
      'fields other than',
    );
    expect(await refusalOf('PATCH', path, { metadata: { labels: { a: 'b' } } }, own)).toContain('may only update PVC');
  });

  it('must say which one it is', async () => {
    expect(await refusalOf('DELETE', `${nodes}/own`, undefined, as(''))).toContain(
      'could not determine node from user',
    );
  });
});

it('services get no external addresses, and may give up those that they have', async () => {
  const services = `/api/v1/namespaces/${await newNamespace()}/services`;
  const spec = { ports: [{ port: 80 }] };
  const why = 'Use of external IPs is denied by admission control';
  const wanting = { metadata: { name: 's' }, spec: { ...spec, externalIPs: ['192.0.2.1'] } };
  expect(await refusalOf('POST', services, wanting)).toBe(`services "s" is forbidden: ${why}`);
  await create(services, { metadata: { name: 's' }, spec });
  expect(await refusalOf('PATCH', `${services}/s`, { spec: { externalIPs: ['192.0.2.1'] } })).toContain(why);
  await patch(`${services}/s`, { metadata: { labels: { a: 'b' } } });
});

describe('owners', () => {
  const RBAC = '/apis/rbac.authorization.platform.io/v1';
  const bob = { 'Impersonate-User': 'bob' };
  let maps: string;

  beforeAll(async () => {
    const namespace = await newNamespace();
    maps = `/api/v1/namespaces/${namespace}/configmaps`;
    const rules = [
      { apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'update', 'patch'] },
      { apiGroups: [''], resources: ['configmaps'], verbs: ['delete'], resourceNames: ['deletable'] },
      { apiGroups: ['apps'], resources: ['deployments/finalizers'], verbs: ['update'], resourceNames: ['mine'] },
    ];
    await create(`${RBAC}/namespaces/${namespace}/roles`, { metadata: { name: 'writer' }, rules });
    await create(`${RBAC}/namespaces/${namespace}/rolebindings`, {
      metadata: { name: 'writer' },
      roleRef: { apiGroup: 'rbac.authorization.platform.io', kind: 'Role', name: 'writer' },
      subjects: [{ kind: 'User', name: 'bob', apiGroup: 'rbac.authorization.platform.io' }],
    });
    for (const name of ['deletable', 'other']) await create(maps, { metadata: { name } });
  });

  const owned = (name: string, changes: object = {}) => ({
    metadata: { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name, uid: 'u', ...changes }] },
  });

  it('are changed by those who may delete the object', async () => {
    await patch(`${maps}/deletable`, owned('any'), bob);
    expect(await refusalOf('PATCH', `${maps}/other`, owned('any'), bob)).toContain(
      "cannot set an ownerRef on a resource you can't delete",
    );
    await patch(`${maps}/other`, { data: { a: 'b' } }, bob);
  });

  it('are held up only by those who may change their finalizers', async () => {
    const blocking = { blockOwnerDeletion: true };
    const made = (name: string, changes: object) => ({ metadata: { name: 'new', ...owned(name, changes).metadata } });
    expect(await refusalOf('POST', maps, made('yours', blocking), bob)).toContain(
      "a resource you can't set finalizers on",
    );
    expect(await refusalOf('POST', maps, made('mine', { ...blocking, kind: 'Unknown' }), bob)).toContain(
      'cannot find RESTMapping for APIVersion apps/v1 Kind Unknown',
    );
    await create(maps, made('mine', blocking), bob);
  });
});

describe('events', () => {
  it('that are too many are refused', async () => {
    const events = `/api/v1/namespaces/${await newNamespace()}/events`;
    const send = (_: unknown, at: number) =>
      plane.admin.request('POST', events, {
        metadata: { name: `e${at}` },
        involvedObject: { kind: 'Pod', name: `p${at}`, namespace: events.split('/')[4] },
      });
    const answers = await Promise.all(Array.from({ length: 40 }, send));
    expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(3);
    const refused = answers.find(({ status }) => status !== 201);
    expect(refused?.body).toMatchObject({
      code: 429,
      message: expect.stringMatching(/^Too many requests: limit reached on type Namespace for key ruled-/),
    });
  });

  it.each([
    ['no limits', { ...EVENT_LIMITS, limits: [] }, 'limits must be a list that is not empty'],
    ['another kind', { kind: 'Odd' }, 'a Configuration of eventratelimit.admission.platform.io/v1alpha1 is wanted'],
    ['an odd limit', { ...EVENT_LIMITS, limits: [{ type: 'User', qps: 0, burst: 1 }] }, 'limits[0].qps must be'],
  ])('cannot be limited by a configuration with %s', async (_what, configuration, why) => {
    const file = join(directory, 'odd.json');
    await writeFile(file, configurationWith('EventRateLimit', configuration));
    const options = { admissionControlConfigFile: file, enableAdmissionPlugins: ['EventRateLimit'] };
    await expect(startTestServer(options)).rejects.toThrow(
      `the admission plugin EventRateLimit cannot be made: ${why}`,
    );
  });
});
