import type { RealDefinition } from './real-definition.ts';
import {
  choice,
  conditions,
  flag,
  integer,
  keyed,
  list,
  mapOf,
  moment,
  name,
  object,
  open,
  type Properties,
  type Schema,
  set,
  text,
  texts,
  timeSpan,
} from './schema-parts.ts';

/** What is to run where: sources of manifests, a destination, and how the one is brought to the other. */

const parameter = object(
  'A value that the source is rendered with.',
  {
    name: text('The parameter.', { minLength: 1 }),
    value: text('Its value.'),
    literal: flag('Take the value as text whatever it looks like.', { default: false }),
  },
  ['name'],
);

const chart = object('How a chart is rendered.', {
  releaseName: name('The name of the release.'),
  valueFiles: list('Files of values, later ones over earlier ones.', text('A path within the source.')),
  values: open('Values over those of the files.'),
  parameters: keyed('Single values over all others.', ['name'], parameter),
  skipDefinitions: flag('Leave the definitions of the chart out.'),
});

const overlay = object('How an overlay is rendered.', {
  namePrefix: text('Put before every name.'),
  nameSuffix: text('Put after every name.'),
  labels: texts('Labels of everything.'),
  images: set('Images in place of those of the manifests.', text('Name, new name and tag.', { maxLength: 512 })),
  replicas: keyed(
    'Replicas in place of those of the manifests.',
    ['name'],
    object('Replicas of one workload.', { name: name('The workload.'), count: integer('How many.', { minimum: 0 }) }, [
      'name',
      'count',
    ]),
  ),
  patches: list(
    'Patches over the manifests.',
    object('One patch.', {
      patch: text('The patch.'),
      path: text('A file with the patch.'),
      target: object('What is patched.', {
        kind: text('The kind.'),
        name: text('The name.'),
        labelSelector: text('Labels that it has.'),
      }),
    }),
  ),
});

const folder = object('How plain manifests are read.', {
  recurse: flag('Read folders within the folder.', { default: false }),
  include: text('Files that are read.'),
  exclude: text('Files that are not.'),
});

const source = object(
  'Where manifests come from.',
  {
    name: name('Its name within the application.'),
    repository: text('The address of the repository.', { pattern: '^(https|ssh|oci)://.+$', maxLength: 2048 }),
    revision: text('A branch, tag, commit or range of versions.', { default: 'HEAD' }),
    path: text('The folder within the repository.'),
    chartName: text('The chart, in a repository of charts.'),
    chart,
    overlay,
    folder,
  },
  ['name', 'repository'],
  {
    anyOf: [{ required: ['path'] }, { required: ['chartName'] }],
    not: { required: ['chart', 'overlay'] },
  },
);

const backoff: Properties = {
  first: timeSpan('The time before the second try.'),
  factor: integer('What it is multiplied by for each further one.', { minimum: 1, maximum: 10, default: 2 }),
  longest: timeSpan('The longest time between two tries.'),
};

const sync = object('How the destination is brought to what the sources say.', {
  automatic: object('Without being asked.', {
    prune: flag('Delete what the sources no longer have.', { default: false }),
    selfHeal: flag('Undo changes that are made at the destination.', { default: false }),
    allowEmpty: flag('Also when nothing would be left.', { default: false }),
  }),
  options: set('Switches by name.', text('A switch.', { pattern: '^[A-Z][A-Za-z]*=(true|false)$' })),
  retry: object('When it fails.', {
    limit: integer('How often it is tried again.', { minimum: -1, default: 5 }),
    backoff: object('How long is waited.', backoff),
  }),
  windows: list(
    'Times in which it may happen.',
    object('One window.', { schedule: text('When it begins.'), duration: timeSpan('How long it is open.') }, [
      'schedule',
      'duration',
    ]),
    { maxItems: 16 },
  ),
});

const ignored = list(
  'Differences that do not count.',
  object(
    'Fields of some objects.',
    {
      group: text('Their group.'),
      kind: text('Their kind.'),
      name: text('Their name; all when there is none.'),
      pointers: list('The fields as JSON pointers.', text('A pointer.', { pattern: '^/' }), { minItems: 1 }),
      managers: set('Managers whose fields they are.', text('A manager.')),
    },
    ['kind'],
  ),
);

const resource = object('One object of the application.', {
  group: text('Its group.'),
  version: text('Its version.'),
  kind: text('Its kind.'),
  namespace: text('Its namespace.'),
  name: text('Its name.'),
  sync: choice('Whether it is as the sources have it.', ['Synced', 'OutOfSync', 'Unknown']),
  health: choice('Whether it works.', ['Healthy', 'Progressing', 'Degraded', 'Suspended', 'Missing', 'Unknown']),
});

const schema: Schema = object(
  'What is to run where.',
  {
    spec: object(
      'Sources, destination and the way between.',
      {
        project: name('The project, which bounds sources and destinations.'),
        destination: object(
          'Where it runs.',
          {
            server: text('The address of the server.', { format: 'uri' }),
            name: text('The name of the server, in place of its address.'),
            namespace: name('The namespace of what names none.'),
          },
          ['namespace'],
          { oneOf: [{ required: ['server'] }, { required: ['name'] }] },
        ),
        sources: keyed('Where manifests come from.', ['name'], source, { minItems: 1, maxItems: 16 }),
        sync,
        ignored,
        history: integer('How many former states are kept.', { minimum: 0, maximum: 100, default: 10 }),
        info: mapOf('Links and remarks for people.', text('A remark.', { maxLength: 1024 }), { maxProperties: 20 }),
      },
      ['project', 'destination', 'sources'],
    ),
    operation: object('A sync that was asked for.', {
      by: text('Who asked.'),
      revision: text('The revision to go to.'),
      dryRun: flag('Only look what would change.'),
    }),
    status: object('What became of it.', {
      conditions,
      sync: choice('Whether everything is as the sources have it.', ['Synced', 'OutOfSync', 'Unknown']),
      health: choice('The worst of its objects.', ['Healthy', 'Progressing', 'Degraded', 'Missing']),
      resources: list('Its objects.', resource),
      history: list(
        'Former states.',
        object('One state.', { id: integer('Its number.'), revision: text('Its revision.'), at: moment('When.') }),
      ),
    }),
  },
  ['spec'],
);

export const gitopsApplication: RealDefinition = {
  title: 'a GitOps application',
  plural: 'applications',
  group: 'delivery.example.com',
  kind: 'Application',
  shortNames: ['app', 'apps'],
  columns: [
    { name: 'Sync', type: 'string', jsonPath: '.status.sync' },
    { name: 'Health', type: 'string', jsonPath: '.status.health' },
    { name: 'Revision', type: 'string', jsonPath: '.spec.sources[0].revision' },
    { name: 'Last', type: 'string', jsonPath: '.status.history[-1:].revision', priority: 10 },
  ],
  schema,
  valid: {
    spec: {
      project: 'shop',
      destination: { server: 'https://cluster.example.com', namespace: 'shop' },
      sources: [
        {
          name: 'manifests',
          repository: 'https://git.example.com/shop/deploy',
          path: 'overlays/production',
          overlay: { images: ['shop=registry.example.com/shop:1.4'], replicas: [{ name: 'front', count: 3 }] },
        },
        {
          name: 'cache',
          repository: 'oci://charts.example.com/cache',
          revision: '~2.1',
          chartName: 'cache',
          chart: { values: { memory: { limit: '2Gi' } }, parameters: [{ name: 'replicas', value: '2' }] },
        },
      ],
      sync: { automatic: { prune: true }, options: ['CreateNamespace=true'], retry: { backoff: { first: '5s' } } },
      ignored: [{ group: 'apps', kind: 'Deployment', pointers: ['/spec/replicas'] }],
      info: { runbook: 'https://wiki.example.com/shop' },
    },
  },
  defaults: {
    'spec.history': 10,
    'spec.sources.0.revision': 'HEAD',
    'spec.sources.1.chart.parameters.0.literal': false,
    'spec.sources.1.chart.values.memory.limit': '2Gi',
    'spec.sync.automatic': { prune: true, selfHeal: false, allowEmpty: false },
    'spec.sync.retry': { limit: 5, backoff: { first: '5s', factor: 2 } },
  },
  update: { 'spec.sources.0.revision': 'v1.5', 'spec.info.owner': 'the shop team' },
  status: { sync: 'Synced', health: 'Healthy', history: [{ revision: 'v1.3' }, { revision: 'v1.4' }] },
  cells: ['Synced', 'Healthy', 'HEAD', 'v1.4'],
  shared: {
    at: 'spec.sources',
    first: { name: 'manifests', repository: 'https://git.example.com/shop/deploy', path: 'base' },
    second: { name: 'alerts', repository: 'https://git.example.com/alerts', path: 'shop', folder: { recurse: true } },
    contested: { name: 'manifests', repository: 'https://git.example.com/shop/deploy', path: 'other' },
    conflict: '.spec.sources[name="manifests"].path',
  },
  refused: [
    { changes: { spec: undefined }, causes: { spec: 'Required value' } },
    {
      changes: { 'spec.sources': [] },
      causes: { 'spec.sources': 'spec.sources in body should have at least 1 items' },
    },
    {
      changes: { 'spec.destination.name': 'inner' },
      causes: {
        '<nil>': '"spec.destination" must validate one and only one schema (oneOf). Found 2 valid alternatives',
      },
    },
    {
      changes: { 'spec.sources.1.overlay': {} },
      causes: { '<nil>': '"spec.sources[1]" must not validate the schema (not)' },
    },
    {
      changes: { 'spec.sync.options': ['Createnamespace'] },
      causes: {
        'spec.sync.options[0]': "spec.sync.options[0] in body should match '^[A-Z][A-Za-z]*=(true|false)$'",
      },
    },
    {
      changes: { 'spec.sync.retry.limit': '5' },
      causes: { 'spec.sync.retry.limit': 'spec.sync.retry.limit in body must be of type integer: "string"' },
    },
    {
      changes: { 'spec.info': { runbook: 7 } },
      causes: { 'spec.info.runbook': 'spec.info.runbook in body must be of type string: "integer"' },
    },
    {
      changes: { 'spec.sources.0.overlay.replicas': [{ name: 'front', count: -1 }] },
      causes: {
        'spec.sources[0].overlay.replicas[0].count':
          'spec.sources[0].overlay.replicas[0].count in body should be greater than or equal to 0',
      },
    },
  ],
  unknown: ['spec.source', 'spec.sync.automatic.force', 'spec.sources.1.chart.version'],
};
