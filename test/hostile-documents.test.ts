import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** The same documents each time, unless more or others are asked for. */
const { FUZZ_RUNS = '80', FUZZ_SEED = '1' } = process.env;

let plane: TestServer;

beforeAll(async () => {
  plane = await startTestServer();
});

afterAll(() => plane.close());

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const podSpec = {
  containers: [
    {
      name: 'main',
      image: 'example/main:1',
      command: ['run'],
      env: [
        { name: 'A', value: 'b' },
        { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      ],
      ports: [{ containerPort: 80, name: 'web', protocol: 'TCP' }],
      resources: { limits: { cpu: '1', memory: '64Mi' }, requests: { cpu: '500m' } },
      livenessProbe: { httpGet: { path: '/', port: 'web' }, periodSeconds: 3 },
      volumeMounts: [{ name: 'v', mountPath: '/v' }],
      securityContext: { runAsUser: 1, capabilities: { drop: ['ALL'] } },
    },
  ],
  volumes: [{ name: 'v', projected: { sources: [{ configMap: { name: 'c', items: [{ key: 'k', path: 'p' }] } }] } }],
  tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }],
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }],
      },
    },
  },
  nodeSelector: { disk: 'fast' },
  hostAliases: [{ ip: '127.0.0.1', hostnames: ['a'] }],
  securityContext: { runAsNonRoot: true, sysctls: [{ name: 'a.b', value: '1' }] },
};

const metadata = {
  name: 'sample',
  labels: { app: 'a' },
  annotations: { note: 'n' },
  finalizers: ['example.com/hold'],
  ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u', controller: true }],
};

const template = { metadata: { labels: { app: 'a' } }, spec: podSpec };
const selector = { matchLabels: { app: 'a' }, matchExpressions: [{ key: 'app', operator: 'In', values: ['a'] }] };
const inDefault = (path: string): string => path.replace('*', 'namespaces/default');

/** Collections, and an object of each with much filled in. */
const SAMPLES: readonly (readonly [string, { [key: string]: Json }])[] = [
  ['/api/v1/*/pods', { metadata, spec: podSpec }],
  ['/api/v1/*/configmaps', { metadata, data: { a: 'b' }, binaryData: { c: 'ZA==' }, immutable: true }],
  ['/api/v1/*/secrets', { metadata, data: { a: 'Yg==' }, stringData: { c: 'd' }, type: 'Opaque' }],
  [
    '/api/v1/*/services',
    {
      metadata,
      spec: { type: 'NodePort', selector: { app: 'a' }, ports: [{ port: 80, targetPort: 'web', nodePort: 30_000 }] },
    },
  ],
  ['/api/v1/namespaces', { metadata, spec: { finalizers: ['example.com/x'] } }],
  ['/api/v1/nodes', { metadata, spec: { taints: [{ key: 'k', effect: 'NoSchedule' }], podCIDR: '10.0.0.0/24' } }],
  [
    '/api/v1/*/persistentvolumeclaims',
    { metadata, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, selector } },
  ],
  ['/api/v1/*/resourcequotas', { metadata, spec: { hard: { pods: '1' }, scopes: ['BestEffort'] } }],
  [
    '/apis/apps/v1/*/deployments',
    { metadata, spec: { replicas: 1, selector, template, strategy: { rollingUpdate: { maxSurge: '25%' } } } },
  ],
  ['/apis/apps/v1/*/statefulsets', { metadata, spec: { serviceName: 's', selector, template } }],
  ['/apis/batch/v1/*/jobs', { metadata, spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } } }],
  [
    '/apis/rbac.authorization.platform.io/v1/*/rolebindings',
    {
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.platform.io', kind: 'Role', name: 'r' },
      subjects: [{ kind: 'ServiceAccount', name: 's', namespace: 'default' }],
    },
  ],
  [
    '/apis/networking.platform.io/v1/*/ingresses',
    {
      metadata,
      spec: {
        rules: [
          {
            host: 'a.example.com',
            http: {
              paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 1 } } } }],
            },
          },
        ],
      },
    },
  ],
];

const ODD_KEYS = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'length',
  '',
  'a/b',
  'a b',
  'é',
  '-1',
  '\u0000',
];

/** Anything that can stand in a JSON document, with a liking for what is at the edge of something. */
const oddValue: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<Json>(null, true, false, '', 0, -1, 1.5, 2 ** 31, -(2 ** 53), 1e308, [], {}),
    fc.constantFrom<Json>(
      '-',
      '0x',
      '1e400',
      '9'.repeat(400),
      '1Ki'.repeat(9),
      'a'.repeat(300),
      '\ud800',
      '%',
      '../..',
    ),
    fc.constantFrom(...ODD_KEYS),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string(),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(fc.constantFrom(...ODD_KEYS), fc.constantFrom('1', 'a', '')), { maxLength: 3 }).map(ownEntries),
    fc.array(fc.tuple(fc.constantFrom(...ODD_KEYS, 'name', 'key'), tie('value')), { maxLength: 3 }).map(ownEntries),
  ),
})).value;

/** Every key becomes an entry of its own, `__proto__` too. */
function ownEntries(pairs: readonly (readonly [string, Json])[]): { [key: string]: Json } {
  const object: { [key: string]: Json } = {};
  for (const [key, value] of pairs) {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return object;
}

interface Change {
  readonly at: number;
  readonly value: Json;
  /** The entry to add where there is an object, a copy of one it holds; '' gives the place as a whole another value. */
  readonly key: string;
}

/** The document with its `at`-th place, counted in the order of its text, changed. */
function withChange(document: Json, { at, value, key }: Change): Json {
  let left = at;
  const visit = (node: Json): Json => {
    const isPlace = left-- === 0;
    if (node === null || typeof node !== 'object') return isPlace ? value : node;
    if (isPlace && (key === '' || Array.isArray(node))) return value;
    if (Array.isArray(node)) return node.map(visit);
    const entries = Object.entries(node).map(([name, below]) => [name, visit(below)] as const);
    return ownEntries(isPlace ? [...entries, [key, entries[0]?.[1] ?? value]] : entries);
  };
  return visit(document);
}

const placesIn = (node: Json): number =>
  1 +
  (node === null || typeof node !== 'object'
    ? 0
    : Object.values(node).reduce<number>((sum, one) => sum + placesIn(one), 0));

const spoiled = fc.constantFrom(...SAMPLES).chain(([path, document]) =>
  fc.record({
    path: fc.constant(inDefault(path)),
    document: fc
      .array(fc.record({ at: fc.nat(placesIn(document) - 1), value: oddValue, key: fc.constantFrom(...ODD_KEYS) }), {
        minLength: 1,
        maxLength: 3,
      })
      .map((changes) => changes.reduce<Json>(withChange, document)),
    patch: oddValue,
  }),
);

it('samples are fine before they are spoiled', async () => {
  for (const [path, document] of SAMPLES) {
    const { status, text } = await plane.admin.request('POST', inDefault(path), document);
    expect(status, `${path}: ${text}`).toBe(201);
  }
});

it('a request for a resource is held against a limit of its own alone', async () => {
  const resources = { requests: { constructor: '1' }, limits: { cpu: '1' } };
  const pod = {
    metadata: { name: 'odd' },
    spec: { containers: [{ name: 'main', image: 'example/main:1', resources }] },
  };
  const { status, body } = await plane.admin.request('POST', '/api/v1/namespaces/default/pods', pod);
  expect(status).toBe(422);
  expect(body.message).toContain('requests[constructor]');
});

it('no document and no patch makes the server fail', async () => {
  await fc.assert(
    fc.asyncProperty(spoiled, async ({ path, document, patch }) => {
      const [whole, part] = [JSON.stringify(document), JSON.stringify({ spec: patch, metadata: patch })];
      const sendTo = (place: string) => (method: string, body: string, type?: string) =>
        plane.admin.request(
          method,
          `${place}?dryRun=All&fieldManager=test`,
          body,
          type ? { 'content-type': type } : {},
        );
      const [toAll, toOne] = [sendTo(path), sendTo(`${path}/sample`)];
      const answers = await Promise.all([
        toAll('POST', whole),
        toOne('PUT', whole),
        toOne('DELETE', JSON.stringify(patch)),
        toOne('PATCH', JSON.stringify(patch), 'application/json-patch+json'),
        toOne('PATCH', whole, 'application/merge-patch+json'),
        toOne('PATCH', part, 'application/merge-patch+json'),
        toOne('PATCH', whole, 'application/strategic-merge-patch+json'),
        toOne('PATCH', part, 'application/strategic-merge-patch+json'),
        toOne('PATCH', whole, 'application/apply-patch+yaml'),
      ]);
      for (const { status, text } of answers) expect(status, text).toBeLessThan(500);
    }),
    { numRuns: Number(FUZZ_RUNS), seed: Number(FUZZ_SEED) },
  );
});
