/** A custom kind of 50 fields and 5 rules, and objects of it that are stored in about 2 KB, as the ConfigMaps are. */

export const SITES = '/apis/bench.example.org/v1/namespaces/bench/sites';
export const DEFINITIONS = '/apis/apiextensions.platform.io/v1/customresourcedefinitions';

const TEXT = { type: 'string', maxLength: 200 };
const COUNT = { type: 'integer', minimum: 0, maximum: 100_000 };

const BACKEND = {
  type: 'object',
  required: ['name', 'host'],
  properties: { name: TEXT, host: TEXT, port: COUNT, weight: { ...COUNT, default: 1 }, secure: { type: 'boolean' } },
};

const numbered = (count, name, schema) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, schema]));

const SPEC = {
  type: 'object',
  required: ['serial'],
  properties: {
    serial: TEXT,
    mode: { type: 'string', enum: ['Active', 'Passive'], default: 'Active' },
    replicas: COUNT,
    least: COUNT,
    most: COUNT,
    backends: {
      type: 'array',
      maxItems: 20,
      items: BACKEND,
      'x-platform-list-type': 'map',
      'x-platform-list-map-keys': ['name'],
    },
    labels: { type: 'object', additionalProperties: TEXT },
    ...numbered(9, 'part', TEXT),
    ...numbered(20, 'option', TEXT),
    ...numbered(8, 'limit', COUNT),
  },
  'x-platform-validations': [
    { rule: 'self.least <= self.most', message: 'least must not be above most' },
    { rule: 'self.replicas >= self.least && self.replicas <= self.most' },
    { rule: "self.mode == 'Active' || self.replicas > 0" },
    { rule: 'self.backends.all(backend, backend.weight <= 100)' },
    { rule: "!self.part0.startsWith('!')" },
  ],
};

export const siteDefinition = {
  apiVersion: 'apiextensions.platform.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'sites.bench.example.org' },
  spec: {
    group: 'bench.example.org',
    scope: 'Namespaced',
    names: { plural: 'sites', kind: 'Site' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: SPEC } } },
      },
    ],
  },
};

const LINE = 'listen 8443 ssl; server_name api.example.org; proxy_pass http://backend; keepalive_timeout 75s;';

export const site = (name, serial) => ({
  kind: 'Site',
  apiVersion: 'bench.example.org/v1',
  metadata: { name, labels: { app: 'edge', tier: 'front' } },
  spec: {
    serial,
    replicas: 3,
    least: 1,
    most: 10,
    backends: [
      { name: 'a', host: 'a.example.org', port: 8443, weight: 10, secure: true },
      { name: 'b', host: 'b.example.org', port: 8443, secure: true },
    ],
    labels: { region: 'eu-central', stage: 'live' },
    ...Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`part${at}`, `# part ${at}\n${LINE}`])),
    ...numbered(12, 'option', 'something that is set'),
    ...numbered(8, 'limit', 100),
  },
});
