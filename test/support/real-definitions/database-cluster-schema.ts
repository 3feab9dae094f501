import { containers, environment, resources } from './pod-containers.ts';
import { affinity, claim, podTemplate, tolerations } from './pod-template.ts';
import {
  choice,
  conditions,
  flag,
  integer,
  intOrText,
  keyed,
  list,
  mapOf,
  moment,
  name,
  object,
  portNumber,
  quantity,
  type Schema,
  secretKey,
  set,
  text,
  texts,
  timeSpan,
} from './schema-parts.ts';

/** A cluster of databases with its pools, backups and exporters: one schema of 6,000 lines, half of them a template of pods. */

const storage = (description: string): Schema =>
  object(
    description,
    {
      size: quantity('Its size, which can only grow.'),
      storageClass: text('Its class.'),
      resizeInUse: flag('Grow volumes that are mounted.', { default: true }),
      claim: claim('Everything else of the claim.'),
    },
    ['size'],
  );

const store = object(
  'Where backups are kept.',
  {
    destination: text('The address of the bucket.', { pattern: '^(s3|gs|azure|file)://.+$' }),
    endpoint: text('The server, where it is not that of the scheme.', { format: 'uri' }),
    authority: secretKey('Who the server is trusted by.'),
    accessKey: secretKey('Who writes.'),
    secretKey: secretKey('What proves it.'),
    tags: texts('Tags of what is written.'),
    data: object('Copies of the data.', {
      compression: choice('How they are compressed.', ['none', 'gzip', 'zstd'], { default: 'gzip' }),
      encryption: choice('How they are encrypted.', ['none', 'AES256']),
      jobs: integer('How many files at a time.', { minimum: 1, maximum: 32 }),
    }),
    log: object('Segments of the log.', {
      compression: choice('How they are compressed.', ['none', 'gzip', 'zstd'], { default: 'gzip' }),
      parallel: integer('How many at a time.', { minimum: 1, maximum: 32, default: 1 }),
    }),
  },
  ['destination'],
);

const backup = object('How the data is kept safe.', {
  store,
  retention: text('How long backups are kept.', { pattern: '^[1-9][0-9]*[dwm]$', default: '30d' }),
  schedule: text('When they are made.', { maxLength: 128 }),
  target: choice('Which instance is copied.', ['primary', 'prefer-standby'], { default: 'prefer-standby' }),
});

const role = object(
  'A user of the database.',
  {
    name: text('Its name.', { minLength: 1, maxLength: 63 }),
    ensure: choice('Whether it is there.', ['present', 'absent'], { default: 'present' }),
    login: flag('Whether it can log in.', { default: false }),
    superuser: flag('Whether it may do anything.', { default: false }),
    createDatabases: flag('Whether it may make databases.'),
    replication: flag('Whether it may copy everything.'),
    connectionLimit: integer('Its most connections.', { minimum: -1, default: -1 }),
    password: secretKey('Its password.'),
    memberOf: set('Roles that it is part of.', text('A role.', { maxLength: 63 })),
    validUntil: moment('When its password ends.'),
  },
  ['name'],
);

const start = object(
  'How the data begins.',
  {
    empty: object('With nothing.', {
      database: text('The first database.', { maxLength: 63, default: 'app' }),
      owner: text('Its owner.', { maxLength: 63 }),
      encoding: text('Its encoding.', { default: 'UTF8' }),
      statements: list('Run when it is there.', text('A statement.')),
    }),
    recovery: object('With a backup.', {
      source: name('A cluster among the external ones.'),
      store,
      until: object('How far the log is read.', {
        time: moment('To a time.'),
        position: text('To a position.'),
        exclusive: flag('Stop before it.'),
      }),
    }),
    copy: object('With the data of another cluster.', { source: name('A cluster among the external ones.') }, [
      'source',
    ]),
  },
  [],
  { maxProperties: 1 },
);

const pool = object(
  'Connections that are shared.',
  {
    name: name('Its name within the cluster.'),
    type: choice('Which instances it leads to.', ['rw', 'ro'], { default: 'rw' }),
    mode: choice('What a connection is kept for.', ['session', 'transaction'], { default: 'session' }),
    instances: integer('How many there are.', { minimum: 1, maximum: 100, default: 1 }),
    parameters: texts('Its settings.'),
  },
  ['name'],
);

const external = object(
  'A cluster elsewhere.',
  {
    name: name('Its name here.'),
    connection: texts('How it is reached.'),
    password: secretKey('The password.'),
    certificate: secretKey('The certificate.'),
    store,
  },
  ['name'],
);

const settings = object('Settings of the database.', {
  parameters: mapOf('By name.', text('A value.', { maxLength: 4096 }), { maxProperties: 400 }),
  access: list('Who may connect how.', text('A line.', { pattern: '^(local|host|hostssl|hostnossl) ' })),
  libraries: set('Libraries that are loaded.', text('A library.')),
  synchronous: object(
    'Standbys that a write waits for.',
    {
      method: choice('Which ones.', ['any', 'first']),
      number: integer('How many.', { minimum: 1 }),
      strict: flag('Refuse writes when there are too few.', { default: true }),
    },
    ['method', 'number'],
  ),
});

const spec = object(
  'What is asked for.',
  {
    image: text('The image of the database.', { maxLength: 512 }),
    instances: integer('How many instances.', { minimum: 1, maximum: 64, default: 1 }),
    port: portNumber('Where they listen.'),
    template: podTemplate('The pods of the instances.'),
    storage: storage('The data.'),
    logStorage: storage('The log, where it is apart.'),
    tablespaces: keyed(
      'Data that is apart.',
      ['name'],
      object('One.', { name: name('Its name.'), storage: storage('Its volume.'), owner: text('Its owner.') }, [
        'name',
        'storage',
      ]),
    ),
    settings,
    start,
    roles: keyed('Users that are kept as they are here.', ['name'], role, { maxItems: 256 }),
    pools: keyed('Pools of connections.', ['name'], pool, { maxItems: 16 }),
    poolContainers: containers('What runs beside each pool.'),
    externals: keyed('Clusters elsewhere.', ['name'], external),
    backup,
    monitoring: object('What is measured.', {
      enabled: flag('Whether anything is.', { default: true }),
      queries: list('More queries.', secretKey('A query.')),
      resources,
    }),
    update: object('How a new version comes.', {
      strategy: choice('Whether it waits for somebody.', ['unsupervised', 'supervised'], { default: 'unsupervised' }),
      method: choice('What becomes of the primary.', ['restart', 'switchover'], { default: 'restart' }),
      unavailable: intOrText('How many instances may be away.', { pattern: '^([0-9]+|[0-9]{1,2}%|100%)$' }),
      deadline: timeSpan('How long it may take.'),
    }),
    maintenance: object('Jobs beside the instances.', { env: environment, resources, affinity, tolerations }),
  },
  ['storage'],
  {
    'x-platform-validations': [
      {
        rule: '!has(self.settings) || !has(self.settings.synchronous) || self.settings.synchronous.number < self.instances',
        message: 'a write cannot wait for more standbys than there are',
      },
      { rule: 'self.instances >= oldSelf.instances - 1', message: 'instances go one at a time' },
    ],
  },
);

export const databaseClusterSchema: Schema = object(
  'A cluster of databases.',
  {
    spec,
    status: object('What became of it.', {
      conditions,
      phase: text('What is being done.'),
      primary: text('The instance that takes writes.'),
      ready: integer('How many instances are ready.', { minimum: 0 }),
      names: list('The instances.', { type: 'string' }),
      timeline: integer('How often the primary changed.'),
      instances: mapOf(
        'What is known of instances.',
        object('One.', {
          address: text('Its address.'),
          primary: flag('Whether it takes writes.'),
          lag: text('Its lag.'),
        }),
      ),
      lastBackup: moment('When the last backup ended.'),
    }),
  },
  ['spec'],
);
