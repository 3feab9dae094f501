import { databaseClusterSchema } from './database-cluster-schema.ts';
import { type RealDefinition, UNCHECKED } from './real-definition.ts';

const CONTAINER = 'spec.template.spec.containers';
const CONTAINER_FIELD = 'spec.template.spec.containers[0]';

const PORT_FIELD = `${CONTAINER_FIELD}.readinessProbe.httpGet.port`;

export const databaseCluster: RealDefinition = {
  title: 'a database cluster',
  plural: 'databaseclusters',
  group: 'data.example.com',
  kind: 'DatabaseCluster',
  shortNames: ['dbc'],
  columns: [
    { name: 'Instances', type: 'integer', jsonPath: '.spec.instances' },
    { name: 'Ready', type: 'integer', jsonPath: '.status.ready' },
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
    { name: 'Primary', type: 'string', jsonPath: '.status.primary' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  schema: databaseClusterSchema,
  valid: {
    spec: {
      image: 'registry.example.com/database:15.4',
      instances: 3,
      storage: { size: '100Gi', claim: { accessModes: ['ReadWriteOnce'] } },
      settings: {
        parameters: { max_connections: '200', shared_buffers: '4GB' },
        access: ['hostssl all all 10.0.0.0/8 scram-sha-256'],
        synchronous: { method: 'any', number: 1 },
      },
      start: { empty: { owner: 'shop' } },
      roles: [{ name: 'shop', login: true, password: { name: 'shop-password', key: 'password' } }],
      pools: [{ name: 'writes', mode: 'transaction', parameters: { default_pool_size: '50' } }],
      backup: { store: { destination: 's3://backups/shop', data: { jobs: 4 } }, schedule: '0 0 3 * * *' },
      update: { unavailable: '25%' },
      template: {
        metadata: { labels: { team: 'shop' } },
        spec: {
          containers: [
            {
              name: 'audit',
              image: 'registry.example.com/audit:2',
              env: [{ name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
              ports: [{ containerPort: 9000, name: 'audit' }],
              resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: 1 } },
              volumeMounts: [{ name: 'scratch', mountPath: '/scratch' }],
              readinessProbe: { httpGet: { path: '/ready', port: 'audit' }, periodSeconds: 5 },
            },
          ],
          volumes: [{ name: 'scratch', emptyDir: { sizeLimit: '1Gi' } }],
          affinity: {
            podAntiAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [
                { topologyKey: 'topology.example.com/zone', labelSelector: { matchLabels: { cluster: 'shop' } } },
              ],
            },
          },
          tolerations: [{ key: 'databases', operator: 'Exists', effect: 'NoSchedule' }],
        },
      },
    },
  },
  defaults: {
    'spec.storage.resizeInUse': true,
    'spec.settings.synchronous.strict': true,
    'spec.start.empty': { database: 'app', owner: 'shop', encoding: 'UTF8' },
    'spec.roles.0.connectionLimit': -1,
    'spec.pools.0.instances': 1,
    'spec.backup.retention': '30d',
    'spec.backup.store.data': { compression: 'gzip', jobs: 4 },
    'spec.update.strategy': 'unsupervised',
    [`${CONTAINER}.0.ports`]: [{ containerPort: 9000, name: 'audit', protocol: 'TCP' }],
    [`${CONTAINER}.0.env.0.valueFrom.fieldRef.apiVersion`]: 'v1',
    'spec.monitoring': undefined,
  },
  update: {
    'spec.instances': 5,
    [`${CONTAINER}.0.image`]: 'registry.example.com/audit:3',
    'spec.update.unavailable': 1,
  },
  status: { phase: 'Healthy', ready: 3, primary: 'shop-1', conditions: [{ type: 'Ready', status: 'True' }] },
  cells: [3, 3, 'Healthy', 'shop-1'],
  shared: {
    at: CONTAINER,
    first: { name: 'audit', ports: [{ containerPort: 9000, protocol: 'TCP', name: 'audit' }] },
    second: { name: 'logs', env: [{ name: 'LEVEL', value: 'info' }], ports: [{ containerPort: 24224 }] },
    contested: { name: 'audit', ports: [{ containerPort: 9000, protocol: 'TCP', name: 'metrics' }] },
    conflict: `.${CONTAINER}[name="audit"].ports[containerPort=9000,protocol="TCP"].name`,
  },
  refused: [
    { changes: { 'spec.storage.size': undefined }, causes: { ...UNCHECKED, 'spec.storage.size': 'Required value' } },
    {
      changes: { 'spec.storage.size': 'large' },
      causes: {
        'spec.storage.size': `spec.storage.size in body should match '^[+-]?[0-9]+(\\.[0-9]+)?(m|k|Ki|M|Mi|G|Gi|T|Ti|P|Pi|E|Ei)?$'`,
      },
    },
    {
      changes: { [`${CONTAINER}.0.readinessProbe.httpGet.port`]: true },
      causes: {
        [PORT_FIELD]: [
          `${PORT_FIELD} in body must be of type integer,string: "boolean"`,
          `${PORT_FIELD} in body must be of type integer: "boolean"`,
        ],
        '<nil>': [`"${PORT_FIELD}" must validate at least one schema (anyOf)`, UNCHECKED['<nil>']],
      },
    },
    {
      changes: { [`${CONTAINER}.0.ports`]: [{ containerPort: 1 }, { containerPort: 1, protocol: 'TCP' }] },
      causes: { [`${CONTAINER_FIELD}.ports[1]`]: 'Duplicate value: {"containerPort":1,"protocol":"TCP"}' },
    },
    {
      changes: { 'spec.template.spec.tolerations.0.effect': 'Never' },
      causes: {
        ...UNCHECKED,
        'spec.template.spec.tolerations[0].effect':
          'Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
      },
    },
    {
      changes: { 'spec.start.copy': { source: 'old' } },
      causes: { ...UNCHECKED, 'spec.start': 'Too many: 2: must have at most 1 items' },
    },
    { changes: { 'spec.instances': 1 }, causes: { spec: 'a write cannot wait for more standbys than there are' } },
  ],
  unknown: ['spec.replicas', `${CONTAINER}.0.ports.0.port`, 'spec.backup.store.bucket'],
};
