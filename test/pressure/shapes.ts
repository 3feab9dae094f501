import { COMPOSED_SHAPES } from './composed-shapes.ts';
import { EXPLAIN_SHAPES } from './explain-shapes.ts';
import { EXTENSION_SHAPES } from './extension-shapes.ts';
import { LONG_QUESTION_SHAPES } from './long-question-shapes.ts';
import {
  APPLY,
  BODY,
  CONFIG_MAPS,
  claim,
  container,
  DRY,
  ENTRIES,
  entries,
  env,
  owner,
  PODS,
  patch,
  pod,
  post,
  SERVICES,
  type Shape,
  STRATEGIC,
  times,
  VALUES,
  YAML,
} from './shape.ts';
import { TEXT_SHAPES } from './text-shapes.ts';

/** Every row was found by someone who tried; what a row sends grows with `size` up to the limit of bodies. */
export const SHAPES: readonly Shape[] = [
  {
    name: 'a number of zeros',
    ...post(
      `${CONFIG_MAPS}${DRY}`,
      (size) => `{"metadata":{"name":"a"},"x":1${'0'.repeat(300)}1${'0'.repeat(size * BODY)}1}`,
    ),
  },
  {
    name: 'a number with a long fraction and an exponent',
    ...post(`${CONFIG_MAPS}${DRY}`, (size) => `{"metadata":{"name":"a"},"x":0.${'0'.repeat(size * BODY)}1e300}`),
  },
  {
    name: 'many owners',
    ...post(`${CONFIG_MAPS}${DRY}`, (size) => ({
      metadata: { name: 'owned', ownerReferences: times((size * VALUES) / 5, owner) },
    })),
  },
  {
    name: 'many finalizers',
    ...post(`${CONFIG_MAPS}${DRY}`, (size) => ({
      metadata: { name: 'kept', finalizers: times(size * ENTRIES, (at) => `example.com/f${at}`) },
    })),
  },
  {
    name: 'more finalizers than there may be',
    ...post(`${CONFIG_MAPS}${DRY}`, (size) => ({
      metadata: { name: 'kept', finalizers: times(size * VALUES, (at) => `example.com/f${at}`) },
    })),
  },
  {
    name: 'many labels',
    ...post(`${CONFIG_MAPS}${DRY}`, (size) => ({
      metadata: { name: 'labelled', labels: entries(size * ENTRIES, 'v') },
    })),
  },
  {
    name: 'many labels, annotations and data',
    ...post(`${CONFIG_MAPS}${DRY}`, (size) => ({
      metadata: {
        name: 'labelled',
        labels: entries(size * ENTRIES, 'v'),
        annotations: entries(size * ENTRIES, 'v'),
      },
      data: entries(size * ENTRIES, 'v'),
      binaryData: entries(size * ENTRIES, 'AAAA', 'b'),
    })),
  },
  {
    name: 'more labels than there may be',
    ...post(`${CONFIG_MAPS}${DRY}`, (size) => ({
      metadata: { name: 'labelled', labels: entries(size * VALUES, 'v') },
    })),
  },
  {
    name: 'a list merged by a strategic patch',
    prepare: async (admin) => {
      const spec = { containers: [{ ...container, env: env(ENTRIES) }] };
      await admin.request('POST', PODS, { metadata: { name: 'merged' }, spec });
    },
    ...patch(`${PODS}/merged${DRY}`, STRATEGIC, (size) => ({
      spec: { containers: [{ name: 'main', env: env(size * ENTRIES, 'x') }] },
    })),
  },
  {
    name: 'keys retained by a strategic patch',
    prepare: async (admin) => {
      await admin.request('POST', '/apis/apps/v1/namespaces/default/deployments', {
        metadata: { name: 'retained' },
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } },
        },
      });
    },
    ...patch(`/apis/apps/v1/namespaces/default/deployments/retained${DRY}`, STRATEGIC, (size) => ({
      spec: {
        strategy: {
          $retainKeys: times(size * 0.8 * VALUES, (at) => `k${at}`),
          ...entries(size * ENTRIES, 1),
        },
      },
    })),
  },
  {
    name: 'values deleted by a strategic patch',
    prepare: async (admin) => {
      const finalizers = times(ENTRIES, (at) => `example.com/f${at}`);
      await admin.request('POST', CONFIG_MAPS, { metadata: { name: 'finalized', finalizers } });
    },
    ...patch(`${CONFIG_MAPS}/finalized${DRY}`, STRATEGIC, (size) => ({
      metadata: { '$deleteFromPrimitiveList/finalizers': times(size * VALUES, (at) => `example.com/g${at}`) },
    })),
  },
  {
    name: 'an interval of many digits',
    ...post(`/apis/batch/v1/namespaces/default/cronjobs${DRY}`, (size) => ({
      metadata: { name: 'often' },
      spec: {
        schedule: `@every ${'1'.repeat(size * BODY)}`,
        jobTemplate: { spec: { template: { spec: { containers: [container], restartPolicy: 'Never' } } } },
      },
    })),
  },
  {
    name: 'a field path of brackets',
    ...post(`${PODS}${DRY}`, (size) =>
      pod({
        containers: [
          {
            ...container,
            env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: "['".repeat((size * BODY) / 2) } } }],
          },
        ],
      }),
    ),
  },
  {
    name: 'a long target name',
    ...post(`${PODS}${DRY}`, (size) =>
      pod({
        volumes: [
          { name: 'v', iscsi: { targetPortal: 'a:1', lun: 1, iqn: 'iqn.0000-00.q'.repeat((size * BODY) / 13) } },
        ],
      }),
    ),
  },
  {
    name: 'a quantity of nines',
    ...post(`/api/v1/namespaces/default/persistentvolumeclaims${DRY}`, (size) => claim('9'.repeat(size * BODY))),
  },
  {
    name: 'a quantity of zeros',
    ...post(`/api/v1/namespaces/default/persistentvolumeclaims${DRY}`, (size) => claim('0'.repeat(size * BODY))),
  },
  {
    name: 'an image of a long name',
    ...post(`${PODS}${DRY}`, (size) => pod({ containers: [{ name: 'main', image: 'a'.repeat(size * BODY) }] })),
  },
  {
    name: 'many conflicts',
    prepare: async (admin) => {
      const data = entries(ENTRIES, 'v');
      const path = `${CONFIG_MAPS}/contested?fieldManager=one`;
      await admin.request('PATCH', path, JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', data }), {
        'content-type': APPLY,
      });
    },
    ...patch(`${CONFIG_MAPS}/contested?fieldManager=two&dryRun=All`, APPLY, (size) =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        data: entries(size * ENTRIES, 'w'),
      }),
    ),
  },
  {
    name: 'inserts at the head of a long list',
    prepare: async (admin) => {
      await admin.request('POST', CONFIG_MAPS, { metadata: { name: 'headed' } });
    },
    ...patch(`${CONFIG_MAPS}/headed${DRY}`, 'application/json-patch+json', (size) => [
      { op: 'add', path: '/x', value: times(size * 9_000, () => 1) },
      ...times(9_998, () => ({ op: 'add', path: '/x/0', value: 1 })),
    ]),
  },
  {
    name: 'a long list in YAML',
    ...post(`${CONFIG_MAPS}${DRY}`, (size) => `metadata: {name: a}\nx:\n${'- 1\n'.repeat((size * BODY) / 4)}`, YAML),
  },
  {
    name: 'many short documents in YAML',
    send: async (admin) => {
      const sent = times(20, () =>
        admin.request('POST', `${CONFIG_MAPS}${DRY}`, `x: [${'[],'.repeat(1_350)}]`, { 'content-type': YAML }),
      );
      return (await Promise.all(sent))[0]?.status ?? 0;
    },
  },
  {
    name: 'a long mapping in YAML',
    ...post(
      `${CONFIG_MAPS}${DRY}`,
      (size) => `metadata: {name: a}\ndata:\n${times(size * 200_000, (at) => ` k${at}: v\n`).join('')}`,
      YAML,
    ),
  },
  {
    name: 'a flow of brackets in YAML',
    ...post(`${CONFIG_MAPS}${DRY}`, (size) => `x: [${'[1],'.repeat((size * BODY) / 4)}]`, YAML),
  },
  {
    name: 'references in YAML',
    ...post(
      `${CONFIG_MAPS}${DRY}`,
      () =>
        times(12, (at) => `a${at}: &a${at} [${times(9, () => (at === 0 ? '1' : `*a${at - 1}`)).join(',')}]\n`).join(''),
      YAML,
    ),
  },
  {
    name: 'unknown fields',
    ...post(`${CONFIG_MAPS}${DRY}`, (size) => ({
      metadata: { name: 'unknown' },
      ...entries(size * ENTRIES, 1, 'unknown'),
    })),
  },
  {
    name: 'fields that no container has',
    ...post(`${PODS}${DRY}`, (size) =>
      pod({ containers: times(size * 0.5 * ENTRIES, (at) => ({ name: `c${at}`, image: 'i', [`unknown${at}`]: 1 })) }),
    ),
  },
  {
    name: 'repeated fields',
    ...post(
      `${CONFIG_MAPS}${DRY}`,
      (size) => `{"metadata":{"name":"a"},"data":{${'"k":"v",'.repeat(size * ENTRIES)}"k":"v"}}`,
    ),
  },
  {
    name: 'a certificate request of much PEM',
    ...post(`/apis/certificates.platform.io/v1/certificatesigningrequests${DRY}`, (size) => ({
      metadata: { name: 'pem' },
      spec: {
        request: Buffer.from('-----BEGIN CERTIFICATE REQUEST-----\n'.repeat((size * BODY * 0.74) / 36)).toString(
          'base64',
        ),
        signerName: 'example.com/signer',
        usages: ['client auth'],
      },
    })),
  },
  {
    name: 'a role of many rules',
    ...post(`/apis/rbac.authorization.platform.io/v1/namespaces/default/roles${DRY}`, (size) => ({
      metadata: { name: 'wide' },
      rules: times((size * VALUES) / 7, (at) => ({ apiGroups: [''], resources: [`r${at}`], verbs: ['get'] })),
    })),
  },
  {
    name: 'a pod of many containers',
    ...post(`${PODS}${DRY}`, (size) =>
      pod({ containers: times(size * 0.5 * ENTRIES, (at) => ({ name: `c${at}`, image: 'i' })) }),
    ),
  },
  {
    name: 'a pod of many tolerations',
    ...post(`${PODS}${DRY}`, (size) =>
      pod({ tolerations: times((size * VALUES) / 3, (at) => ({ key: `k${at}`, operator: 'Exists' })) }),
    ),
  },
  {
    name: 'a pod of many volumes',
    ...post(`${PODS}${DRY}`, (size) =>
      pod({ volumes: times(size * ENTRIES, (at) => ({ name: `v${at}`, emptyDir: {} })) }),
    ),
  },
  {
    name: 'a service of many ports',
    ...post(`${SERVICES}${DRY}`, (size) => ({
      metadata: { name: 'ported' },
      spec: { ports: times(size * ENTRIES, (at) => ({ name: `p${at}`, port: (at % 65_535) + 1 })) },
    })),
  },
  {
    name: 'too many values',
    ...post(`${CONFIG_MAPS}${DRY}`, (size) => `{"metadata":{"name":"a"},"x":[${'1,'.repeat((size * BODY) / 2)}1]}`),
  },
  {
    name: 'a deep document',
    ...post(`${CONFIG_MAPS}${DRY}`, (size) => `${'['.repeat((size * BODY) / 2)}${']'.repeat((size * BODY) / 2)}`),
  },
  {
    name: 'a long selector',
    send: async (admin, size) =>
      (await admin.request('GET', `${PODS}?labelSelector=${'a,'.repeat(size * 7_000)}b`)).status,
  },
  ...COMPOSED_SHAPES,
  ...TEXT_SHAPES,
  ...LONG_QUESTION_SHAPES,
  ...EXTENSION_SHAPES,
  ...EXPLAIN_SHAPES,
];
