import {
  BODY,
  CONFIG_MAPS,
  container,
  DRY,
  ENTRIES,
  entries,
  owner,
  PODS,
  patch,
  pod,
  post,
  type Shape,
  times,
  VALUES,
} from './shape.ts';

/** A schema in which a field that is declared first comes last, at every level. */
const nestedSchema = (levels: number): object => ({
  ...(levels > 0 && { properties: { a: nestedSchema(levels - 1) } }),
  type: 'object',
  description: 'x',
});

/** What takes long because of how its parts meet: one below, beside or after many others. */
export const COMPOSED_SHAPES: readonly Shape[] = [
  {
    name: 'nested schemas whose fields are out of order',
    ...post(`/apis/apiextensions.platform.io/v1/customresourcedefinitions${DRY}`, () => ({
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        names: { plural: 'things', kind: 'Thing' },
        scope: 'Namespaced',
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: nestedSchema(90) } }],
      },
    })),
  },
  {
    name: 'repeated fields below a long name',
    ...post(
      `${CONFIG_MAPS}${DRY}`,
      (size) => `{"metadata":{"name":"a"},"${'x'.repeat(size * 1_500_000)}":{${'"k":1,'.repeat(size * ENTRIES)}"k":1}}`,
    ),
  },
  {
    name: 'unknown fields below a long name',
    ...post(`${PODS}${DRY}`, (size) => ({
      metadata: { name: 'a' },
      spec: {
        containers: [container],
        overhead: { [`x${'x'.repeat(size * 1_500_000)}`]: '1' },
        volumes: times(size * ENTRIES, (at) => ({ name: `v${at}`, unknown: 1 })),
      },
    })),
  },
  {
    name: 'owners that are all controllers',
    ...post(`${CONFIG_MAPS}${DRY}`, (size) => ({
      metadata: {
        name: 'owned',
        ownerReferences: times((size * VALUES) / 6, (at) => ({ ...owner(at), controller: true })),
      },
    })),
  },
  {
    name: 'scopes that do not fit limits',
    ...post(`/api/v1/namespaces/default/resourcequotas${DRY}`, (size) => ({
      metadata: { name: 'scoped' },
      spec: {
        scopes: times(size * 0.75 * VALUES, () => 'BestEffort'),
        hard: entries(size * ENTRIES, '1', 'requests.r'),
      },
    })),
  },
  {
    name: 'mounts and devices',
    ...post(`${PODS}${DRY}`, (size) =>
      pod({
        containers: [
          {
            ...container,
            volumeMounts: times((size * VALUES) / 6, (at) => ({ name: `v${at}`, mountPath: `/m${at}` })),
            volumeDevices: times((size * VALUES) / 6, (at) => ({ name: `d${at}`, devicePath: `/d${at}` })),
          },
        ],
      }),
    ),
  },
  {
    name: 'a name of many letters',
    ...post(`${CONFIG_MAPS}${DRY}`, (size) => ({ metadata: { name: 'a'.repeat(size * BODY) } })),
  },
  {
    name: 'values moved one below the other',
    prepare: async (admin) => {
      await admin.request('POST', CONFIG_MAPS, { metadata: { name: 'moved' } });
    },
    ...patch(`${CONFIG_MAPS}/moved${DRY}`, 'application/json-patch+json', (size) => [
      { op: 'add', path: '/a', value: {} },
      ...times(size * 3_000, () => [
        { op: 'move', from: '/a', path: '/b' },
        { op: 'add', path: '/a', value: {} },
        { op: 'move', from: '/b', path: '/a/a' },
      ]).flat(),
    ]),
  },
  {
    name: 'many large bodies at once',
    send: async (admin, size) => {
      const data = { metadata: { name: 'large' }, data: { text: 'x'.repeat(2_800_000) } };
      const sent = times(size * 50, () => admin.request('POST', `${CONFIG_MAPS}${DRY}`, data));
      return (await Promise.all(sent))[0]?.status ?? 0;
    },
  },
];
