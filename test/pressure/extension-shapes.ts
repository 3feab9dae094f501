import type { Client } from '../support/client.ts';
import {
  BODY,
  CONFIG_MAPS,
  container,
  DRY,
  ENTRIES,
  entries,
  PODS,
  patch,
  pod,
  post,
  type Shape,
  times,
  VALUES,
} from './shape.ts';

const DEFINITIONS = '/apis/apiextensions.platform.io/v1/customresourcedefinitions';
const ADMISSION = '/apis/admissionregistration.platform.io/v1';
const THINGS = '/apis/example.com/v1/namespaces/default/things';
const RBAC = '/apis/rbac.authorization.platform.io/v1/namespaces/default';
/** The longest that an expression may be. */
const EXPRESSION = 99_000;

const thing = (spec: object) => ({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name: 'ugly' },
  spec,
});

/** Limits below which the rules of the definition are cheap enough to be taken. */
const SHORT = { type: 'string', maxLength: 10 };

const thingSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        chosen: {
          type: 'array',
          items: { type: 'integer', anyOf: times(30, (minimum) => ({ minimum: minimum + 1 })) },
        },
        combined: {
          type: 'array',
          items: { type: 'integer' },
          anyOf: times(40, (minimum) => ({ items: { minimum: minimum + 1 } })),
        },
        patterned: { type: 'string', pattern: '^[a-z]+(-[a-z]+)*$' },
        many: { type: 'array', items: { type: 'string', pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$' } },
        set: { type: 'array', items: { type: 'string' }, 'x-platform-list-type': 'set' },
        map: { type: 'object', additionalProperties: { type: 'string', maxLength: 5 } },
        ruled: {
          type: 'array',
          maxItems: 9_900,
          items: { ...SHORT, 'x-platform-validations': [{ rule: "self.startsWith('x')" }] },
        },
      },
    },
  },
};

const definition = (plural: string, kind: string, schema: object) => ({
  metadata: { name: `${plural}.example.com` },
  spec: {
    group: 'example.com',
    names: { plural, kind },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schema },
        additionalPrinterColumns: times(30, (at) => ({
          name: `C${at}`,
          type: 'string',
          jsonPath: '.spec.set[*]',
        })),
      },
    ],
  },
});

async function define(admin: Client): Promise<void> {
  const made = await admin.request('POST', DEFINITIONS, definition('things', 'Thing', thingSchema));
  if (made.status === 409) return;
  if (made.status !== 201) throw new Error(made.text.slice(0, 2_000));
  for (let tries = 0; tries < 500; tries++) {
    if ((await admin.request('GET', THINGS)).status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('the kind is not served');
}

const ofThings = (name: string, spec: (size: number) => object): Shape => ({
  name,
  prepare: define,
  ...post(`${THINGS}${DRY}`, (size) => thing(spec(size))),
});

const policy = (name: string, spec: object) => ({
  metadata: { name },
  spec: {
    matchConstraints: {
      resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }],
    },
    ...spec,
  },
});

const longExpression = (size: number): string =>
  `true${" && object.metadata.name != 'x'".repeat((size * EXPRESSION) / 31)}`;

/** What others see of what extends the interface, and what authorization and admission have to look through. */
export const EXTENSION_SHAPES: readonly Shape[] = [
  ofThings('values that may be many things', (size) => ({ chosen: times(size * ENTRIES, () => 0) })),
  ofThings('a list that may be many things', (size) => ({ combined: times(size * ENTRIES, () => 0) })),
  ofThings('a long text with a pattern', (size) => ({ patterned: 'a'.repeat(size * BODY) })),
  ofThings('many texts with a pattern', (size) => ({ many: times(size * VALUES, (at) => `x${at}`) })),
  ofThings('a set of many texts', (size) => ({ set: times(size * VALUES, (at) => `x${at}`) })),
  ofThings('a custom map of many texts', (size) => ({ map: entries(size * ENTRIES, 'longer') })),
  ofThings('a rule for each of many texts', (size) => ({ ruled: times(size * ENTRIES, (at) => `y${at}`) })),
  {
    name: 'a custom object as a table of wide columns',
    prepare: async (admin, size) => {
      await define(admin);
      await admin.request('POST', THINGS, {
        ...thing({ set: times(size * ENTRIES, (at) => `x${at}`) }),
        metadata: { name: 'wide' },
      });
    },
    send: async (admin) =>
      (await admin.request('GET', THINGS, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.platform.io' }))
        .status,
  },
  {
    name: 'a definition of many properties',
    ...post(`${DEFINITIONS}${DRY}`, (size) =>
      definition('wides', 'Wide', {
        type: 'object',
        properties: {
          spec: { type: 'object', properties: entries(size * ENTRIES, { type: 'string', pattern: '^a+$' }) },
        },
      }),
    ),
  },
  {
    name: 'a definition of many rules',
    ...post(`${DEFINITIONS}${DRY}`, (size) =>
      definition('ruleds', 'Ruled', {
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            'x-platform-validations': times(size * 2_000, (at) => ({ rule: `self.a${at % 10} != 'x${at}'` })),
            properties: entries(10, SHORT, 'a'),
          },
        },
      }),
    ),
  },
  {
    name: 'a policy of a long expression',
    ...post(`${ADMISSION}/validatingadmissionpolicies${DRY}`, (size) =>
      policy('long', { validations: [{ expression: longExpression(size) }] }),
    ),
  },
  {
    name: 'a policy of many expressions',
    ...post(`${ADMISSION}/validatingadmissionpolicies${DRY}`, (size) =>
      policy('many', {
        validations: times(size * ENTRIES, (at) => ({ expression: `object.metadata.name != 'x${at}'` })),
      }),
    ),
  },
  {
    name: 'a policy of an expression of errors',
    ...post(`${ADMISSION}/validatingadmissionpolicies${DRY}`, (size) =>
      policy('wrong', { validations: times(20, () => ({ expression: '$ '.repeat((size * EXPRESSION) / 2) })) }),
    ),
  },
  {
    name: 'an object that a policy looks through',
    prepare: async (admin) => {
      const expression =
        "object.metadata.name != 'looked' || object.data.all(k, object.data.exists(l, l == k) && !object.data[k].matches('(a|b)*c'))";
      const made = policy('looks', { failurePolicy: 'Ignore', validations: [{ expression }] });
      await admin.request('POST', `${ADMISSION}/validatingadmissionpolicies`, made);
      const spec = { policyName: 'looks', validationActions: ['Deny'] };
      const binding = { metadata: { name: 'looks' }, spec };
      await admin.request('POST', `${ADMISSION}/validatingadmissionpolicybindings`, binding);
    },
    ...post(`${CONFIG_MAPS}${DRY}`, (size) => ({
      metadata: { name: 'looked' },
      data: entries(size * ENTRIES, 'ab'.repeat(100)),
    })),
  },
  {
    name: 'webhooks of long conditions',
    ...post(`${ADMISSION}/validatingwebhookconfigurations${DRY}`, (size) => ({
      metadata: { name: 'conditional' },
      webhooks: times(25, (at) => ({
        name: `w${at}.example.com`,
        clientConfig: { url: 'https://localhost/' },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        matchConditions: [{ name: 'long', expression: longExpression(size) }],
      })),
    })),
  },
  {
    name: 'webhooks with many certificates',
    ...post(`${ADMISSION}/validatingwebhookconfigurations${DRY}`, (size) => ({
      metadata: { name: 'certified' },
      webhooks: [
        {
          name: 'w.example.com',
          clientConfig: {
            url: 'https://localhost/',
            caBundle: Buffer.from(
              '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'.repeat((size * BODY * 0.74) / 59),
            ).toString('base64'),
          },
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    })),
  },
  {
    name: 'a selector of many requirements on many objects',
    prepare: async (admin, size) => {
      await Promise.all(
        times(size * 1_500, (at) => admin.request('POST', CONFIG_MAPS, { metadata: { name: `listed-${at}` } })),
      );
    },
    send: async (admin, size) => {
      const absent = times(size * 90, (at) => `!a${at}`);
      const selector = [...absent, `b notin (${times(size * 2_000, (at) => `v${at}`).join(',')})`].join(',');
      return (await admin.request('GET', `${CONFIG_MAPS}?labelSelector=${encodeURIComponent(selector)}`)).status;
    },
  },
  {
    name: 'a role of many rules by someone who holds some',
    prepare: async (admin) => {
      const subjects = [{ kind: 'User', name: 'editor', apiGroup: 'rbac.authorization.platform.io' }];
      const roleRef = { kind: 'ClusterRole', name: 'admin', apiGroup: 'rbac.authorization.platform.io' };
      await admin.request('POST', `${RBAC}/rolebindings`, { metadata: { name: 'editor' }, subjects, roleRef });
    },
    send: async (admin, size) => {
      const rules = times((size * VALUES) / 7, (at) => ({ apiGroups: [''], resources: [`r${at}`], verbs: ['get'] }));
      const role = { metadata: { name: 'wide' }, rules };
      return (await admin.request('POST', `${RBAC}/roles${DRY}`, role, { 'impersonate-user': 'editor' })).status;
    },
  },
  {
    name: 'a binding of many subjects',
    send: async (admin, size) => {
      const apiGroup = 'rbac.authorization.platform.io';
      const subjects = times((size * VALUES) / 4, (at) => ({ kind: 'User', name: `u${at}`, apiGroup }));
      const roleRef = { kind: 'ClusterRole', name: 'view', apiGroup };
      const made = await admin.request('POST', `${RBAC}/rolebindings`, {
        metadata: { name: 'many' },
        subjects,
        roleRef,
      });
      await admin.request('DELETE', `${RBAC}/rolebindings/many`);
      return made.status;
    },
  },
  {
    name: 'a review of many groups',
    ...post('/apis/authorization.platform.io/v1/subjectaccessreviews', (size) => ({
      spec: {
        user: 'u',
        groups: times(size * VALUES, (at) => `g${at}`),
        resourceAttributes: { verb: 'get', resource: 'pods' },
      },
    })),
  },
  {
    name: 'a token for many audiences',
    ...post('/api/v1/namespaces/default/serviceaccounts/default/token', (size) => ({
      spec: { audiences: times(size * VALUES, (at) => `a${at}`) },
    })),
  },
  {
    name: 'many containers below many limits',
    prepare: async (admin, size) => {
      const limits = times(size * 4_000, () => ({ type: 'Container', max: { cpu: '1' }, min: { cpu: '1m' } }));
      await admin.request('POST', '/api/v1/namespaces', { metadata: { name: 'limited' } });
      const made = { metadata: { name: 'many' }, spec: { limits } };
      await admin.request('POST', '/api/v1/namespaces/limited/limitranges', made);
    },
    ...post(`/api/v1/namespaces/limited/pods${DRY}`, (size) =>
      pod({ containers: times(size * 3_000, (at) => ({ name: `c${at}`, image: 'i' })) }),
    ),
  },
  {
    name: 'a record of many owners',
    ...post(`${CONFIG_MAPS}${DRY}`, (size) => ({
      metadata: {
        name: 'owned',
        managedFields: times((size * VALUES) / 8, (at) => ({
          manager: `m${at}`,
          operation: 'Update',
          apiVersion: 'v1',
          fieldsType: 'FieldsV1',
          fieldsV1: { [`f:k${at}`]: {} },
        })),
      },
    })),
  },
  {
    name: 'a record of many owners of something that is there',
    prepare: async (admin) => {
      await admin.request('POST', CONFIG_MAPS, { metadata: { name: 'recorded' }, data: { a: 'b' } });
    },
    ...patch(`${CONFIG_MAPS}/recorded${DRY}`, 'application/merge-patch+json', (size) => ({
      metadata: {
        managedFields: times((size * VALUES) / 8, (at) => ({
          manager: `m${at}`,
          operation: 'Update',
          apiVersion: 'v1',
          fieldsType: 'FieldsV1',
          fieldsV1: { [`f:k${at}`]: {} },
        })),
      },
    })),
  },
  {
    name: 'a record of many places',
    prepare: async (admin) => {
      await admin.request('POST', CONFIG_MAPS, { metadata: { name: 'placed' }, data: { a: 'b' } });
    },
    ...patch(`${CONFIG_MAPS}/placed${DRY}`, 'application/merge-patch+json', (size) => ({
      metadata: {
        managedFields: times(4, (at) => ({
          manager: `m${at}`,
          operation: 'Update',
          apiVersion: 'v1',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': entries(size * ENTRIES, {}, 'f:k') },
        })),
      },
    })),
  },
  {
    name: 'many values replaced by a JSON patch',
    prepare: async (admin, size) => {
      const data = entries(size * ENTRIES, 'v');
      await admin.request('POST', CONFIG_MAPS, { metadata: { name: 'replaced' }, data });
    },
    ...patch(`${CONFIG_MAPS}/replaced${DRY}`, 'application/json-patch+json', (size) =>
      times(size * 9_800, (at) => ({ op: 'replace', path: `/data/k${at}`, value: 'w' })),
    ),
  },
  {
    name: 'a large object changed everywhere by a merge patch',
    prepare: async (admin, size) => {
      const [data, binaryData] = [entries(size * ENTRIES, 'v'), entries(size * ENTRIES, 'AAAA', 'b')];
      const metadata = {
        name: 'changed',
        labels: entries(size * ENTRIES, 'v'),
        annotations: entries(size * ENTRIES, 'v'),
      };
      await admin.request('POST', CONFIG_MAPS, { metadata, data, binaryData });
    },
    ...patch(`${CONFIG_MAPS}/changed${DRY}`, 'application/merge-patch+json', (size) => ({
      metadata: { labels: entries(size * ENTRIES, 'w'), annotations: entries(size * ENTRIES, 'w') },
      data: entries(size * ENTRIES, 'w'),
      binaryData: entries(size * ENTRIES, 'BBBB', 'b'),
    })),
  },
  ...['application/yaml', 'application/json;as=Table;v=v1;g=meta.platform.io', 'application/vnd.platform.protobuf'].map(
    (accept): Shape => ({
      name: `a large object as ${accept}`,
      prepare: async (admin, size) => {
        const [data, binaryData] = [entries(size * ENTRIES, 'v'), entries(size * ENTRIES, 'AAAA', 'b')];
        const metadata = {
          name: 'shown',
          labels: entries(size * ENTRIES, 'v'),
          annotations: entries(size * ENTRIES, 'v'),
        };
        await admin.request('POST', CONFIG_MAPS, { metadata, data, binaryData });
      },
      send: async (admin) => (await admin.request('GET', `${CONFIG_MAPS}/shown`, undefined, { accept })).status,
    }),
  ),
  {
    name: 'a large object for people',
    prepare: async (admin, size) => {
      await admin.request('POST', PODS, pod({ containers: [{ ...container, args: times(size * 40_000, () => 'x') }] }));
    },
    send: async (admin) => (await admin.request('GET', `${PODS}/ugly?pretty=true`)).status,
  },
  {
    name: 'an ingress of many paths',
    ...post(`/apis/networking.platform.io/v1/namespaces/default/ingresses${DRY}`, (size) => ({
      metadata: { name: 'wide' },
      spec: {
        rules: times(size * 75, (host) => ({
          host: `h${host}.example.com`,
          http: {
            paths: times(75, (at) => ({
              path: `/p${at}`,
              pathType: 'Prefix',
              backend: { service: { name: 's', port: { number: 80 } } },
            })),
          },
        })),
      },
    })),
  },
  {
    name: 'a slice of many addresses',
    ...post(`/apis/discovery.platform.io/v1/namespaces/default/endpointslices${DRY}`, (size) => ({
      metadata: { name: 'wide' },
      addressType: 'IPv4',
      endpoints: times(size * 990, (at) => ({ addresses: times(45, () => `10.0.${at % 250}.1`) })),
      ports: [{ port: 80 }],
    })),
  },
];
