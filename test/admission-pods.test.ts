import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from './support/client.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

let plane: TestServer;

beforeAll(async () => {
  plane = await startTestServer({ defaultUnreachableTolerationSeconds: 60 });
});

afterAll(() => plane.close());

let count = 0;

async function newNamespace(): Promise<string> {
  const name = `admitted-${count++}`;
  await create('/api/v1/namespaces', { metadata: { name } });
  return name;
}

async function create(path: string, object: object): Promise<Answer['body']> {
  const { status, body, text } = await plane.admin.request('POST', path, object);
  expect(status, text).toBe(201);
  return body;
}

const container = { name: 'main', image: 'example/main:1' };
const podsOf = (namespace: string): string => `/api/v1/namespaces/${namespace}/pods`;
const pod = (spec: object, name = 'p') => ({ metadata: { name }, spec: { containers: [container], ...spec } });

async function refusalOf(namespace: string, object: object): Promise<string> {
  const { status, body } = await plane.admin.request('POST', podsOf(namespace), object);
  expect(status).toBe(403);
  return String(body.message);
}

describe('the account of a pod', () => {
  const mountPath = '/var/run/secrets/platform.io/serviceaccount';

  it('is that of its namespace, also where the namespace is only just there, and comes with a token', async () => {
    const { spec } = await create(podsOf(await newNamespace()), pod({}));
    expect(spec).toMatchObject({
      serviceAccountName: 'default',
      volumes: [{ name: expect.stringMatching(/^kube-api-access-[a-z0-9]{5}$/), projected: { defaultMode: 420 } }],
      containers: [{ volumeMounts: [{ mountPath, readOnly: true }] }],
    });
  });

  it('must be there', async () => {
    const namespace = await newNamespace();
    expect(await refusalOf(namespace, pod({ serviceAccountName: 'nobody' }))).toBe(
      `pods "p" is forbidden: error looking up service account ${namespace}/nobody: serviceaccount "nobody" not found`,
    );
  });

  it('can keep pods to the secrets that it names', async () => {
    const namespace = await newNamespace();
    await create(`/api/v1/namespaces/${namespace}/serviceaccounts`, {
      metadata: { name: 'strict', annotations: { 'platform.io/enforce-mountable-secrets': 'true' } },
      secrets: [{ name: 'mine' }],
    });
    const reading = (secretName: string) =>
      pod({ serviceAccountName: 'strict', volumes: [{ name: 'v', secret: { secretName } }] });
    expect(await refusalOf(namespace, reading('yours'))).toContain(
      'volume v with secret.secretName="yours" is not allowed because service account strict does not reference that secret',
    );
    await create(podsOf(namespace), reading('mine'));
    const variable = { name: 'A', valueFrom: { secretKeyRef: { name: 'yours', key: 'k' } } };
    const env = pod({ serviceAccountName: 'strict', containers: [{ ...container, env: [variable] }] }, 'q');
    expect(await refusalOf(namespace, env)).toContain('container main with env var A');
  });
});

describe('the priority of a pod', () => {
  const classes = '/apis/scheduling.platform.io/v1/priorityclasses';

  it('is that of its class, which must be there and must not be contradicted', async () => {
    const namespace = await newNamespace();
    await create(classes, { metadata: { name: 'high' }, value: 500, preemptionPolicy: 'Never' });
    const { spec } = await create(podsOf(namespace), pod({ priorityClassName: 'high' }));
    expect(spec).toMatchObject({ priority: 500, preemptionPolicy: 'Never' });
    expect(await refusalOf(namespace, pod({ priorityClassName: 'none' }))).toContain(
      'no PriorityClass with name none was found',
    );
    expect(await refusalOf(namespace, pod({ priorityClassName: 'high', priority: 3 }))).toContain('computed 500');
  });

  it('is zero without a class, unless one holds for all, of which there is one at most', async () => {
    const namespace = await newNamespace();
    expect((await create(podsOf(namespace), pod({}))).spec).toMatchObject({ priority: 0 });
    await create(classes, { metadata: { name: 'usual' }, value: 7, globalDefault: true });
    const second = await plane.admin.request('POST', classes, {
      metadata: { name: 'another' },
      value: 8,
      globalDefault: true,
    });
    expect(second.status).toBe(403);
    const { spec } = await create(podsOf(namespace), pod({}, 'q'));
    expect(spec).toMatchObject({ priority: 7, priorityClassName: 'usual' });
    await plane.admin.request('DELETE', `${classes}/usual`);
  });

  it('can be that of the system, whose classes stay', async () => {
    const { spec } = await create(podsOf(await newNamespace()), pod({ priorityClassName: 'system-node-critical' }));
    expect(spec).toMatchObject({ priority: 2_000_001_000 });
    expect((await plane.admin.request('DELETE', `${classes}/system-node-critical`)).status).toBe(403);
  });
});

describe('limit ranges', () => {
  const limits = [
    {
      type: 'Container',
      default: { cpu: '500m' },
      max: { cpu: '2' },
      min: { cpu: '50m' },
      maxLimitRequestRatio: { cpu: '10' },
    },
    { type: 'Pod', max: { cpu: '3' } },
    { type: 'PersistentVolumeClaim', max: { storage: '2Gi' } },
  ];
  let namespace: string;
  const using = (resources: object) => pod({ containers: [{ ...container, resources }] });
  beforeAll(async () => {
    namespace = await newNamespace();
    await create(`/api/v1/namespaces/${namespace}/limitranges`, { metadata: { name: 'l' }, spec: { limits } });
  });

  it('fill in what containers do not say, and tell what', async () => {
    const { metadata, spec } = await create(podsOf(namespace), pod({}));
    expect(spec).toMatchObject({ containers: [{ resources: { limits: { cpu: '500m' }, requests: { cpu: '500m' } } }] });
    expect(metadata.annotations?.['platform.io/limit-ranger']).toBe(
      'LimitRanger plugin set: cpu request for container main; cpu limit for container main',
    );
  });

  it.each([
    [
      'too much',
      { limits: { cpu: '5' } },
      '[maximum cpu usage per Container is 2, but limit is 5, maximum cpu usage per Pod is 3, but limit is 5]',
    ],
    [
      'too little',
      { requests: { cpu: '10m' }, limits: { cpu: '100m' } },
      'minimum cpu usage per Container is 50m, but request is 10m',
    ],
    [
      'too wide',
      { requests: { cpu: '60m' }, limits: { cpu: '1' } },
      'cpu max limit to request ratio per Container is 10, but provided ratio is 16.666667',
    ],
  ])('refuse what is %s', async (_what, resources, why) => {
    expect(await refusalOf(namespace, using(resources))).toBe(`pods "p" is forbidden: ${why}`);
  });

  it('hold for claims, when they are made and when they grow', async () => {
    const path = `/api/v1/namespaces/${namespace}/persistentvolumeclaims`;
    const claim = (storage: string) => ({
      metadata: { name: 'c' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
    });
    const { status, body } = await plane.admin.request('POST', path, claim('5Gi'));
    expect(status).toBe(403);
    expect(body.message).toContain('maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 5Gi');
    await create(path, claim('1Gi'));
  });
});

describe('the runtime class of a pod', () => {
  it('adds its overhead and where it can run, and must not be contradicted', async () => {
    const namespace = await newNamespace();
    await create('/apis/node.platform.io/v1/runtimeclasses', {
      metadata: { name: 'vm' },
      handler: 'vm',
      overhead: { podFixed: { memory: '64Mi' } },
      scheduling: { nodeSelector: { kind: 'vm' }, tolerations: [{ key: 'vm', operator: 'Exists' }] },
    });
    const { spec } = await create(podsOf(namespace), pod({ runtimeClassName: 'vm', nodeSelector: { zone: 'a' } }));
    expect(spec).toMatchObject({ overhead: { memory: '64Mi' }, nodeSelector: { kind: 'vm', zone: 'a' } });
    expect(spec).toHaveProperty('tolerations', expect.arrayContaining([{ key: 'vm', operator: 'Exists' }]));
    const contradicting = pod({ runtimeClassName: 'vm', nodeSelector: { kind: 'other' } });
    expect(await refusalOf(namespace, contradicting)).toContain('conflict');
    expect(await refusalOf(namespace, pod({ runtimeClassName: 'none' }))).toContain('RuntimeClass "none" not found');
    expect(await refusalOf(namespace, pod({ overhead: { memory: '1Mi' } }))).toContain('Pod Overhead set without');
  });
});

it('pods tolerate nodes that went away, for as long as the flags say, unless they say so themselves', async () => {
  const namespace = await newNamespace();
  const tolerance = (key: string, tolerationSeconds: number) => ({
    key: `node.platform.io/${key}`,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds,
  });
  const plain = await create(podsOf(namespace), pod({}));
  expect(plain.spec).toHaveProperty('tolerations', [tolerance('not-ready', 300), tolerance('unreachable', 60)]);
  const all = await create(podsOf(namespace), pod({ tolerations: [{ operator: 'Exists' }] }, 'q'));
  expect(all.spec).toHaveProperty('tolerations', [{ operator: 'Exists' }]);
});

it('what admission adds belongs to nobody', async () => {
  const { metadata } = await create(podsOf(await newNamespace()), pod({}));
  const fields = JSON.stringify(metadata);
  for (const field of ['f:containers', 'f:restartPolicy']) expect(fields).toContain(field);
  for (const field of ['f:tolerations', 'f:priority', 'f:volumes', 'f:volumeMounts', 'f:serviceAccountName']) {
    expect(fields).not.toContain(field);
  }
});

it('a new node takes no pods until somebody has seen that it is ready', async () => {
  const node = await create('/api/v1/nodes', { metadata: { name: 'n' } });
  expect(node.spec).toEqual({ taints: [{ key: 'node.platform.io/not-ready', effect: 'NoSchedule' }] });
});
