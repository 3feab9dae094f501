import { rulesAt } from './gateway-route-rules.ts';
import { type RealDefinition, UNCHECKED } from './real-definition.ts';
import {
  choice,
  conditions,
  flag,
  integer,
  keyed,
  list,
  name,
  object,
  portNumber,
  type Schema,
  set,
  text,
  timeSpan,
} from './schema-parts.ts';

/** Which requests at a gateway go where: matches, filters, backends; with 30 rules in CEL. */

const headerName = (description: string): Schema => text(description, { minLength: 1, maxLength: 128 });
const host = (description: string): Schema => text(description, { minLength: 1, maxLength: 253 });

const path = object(
  'The path of the request.',
  {
    type: choice('How it is compared.', ['Exact', 'Prefix', 'Pattern'], { default: 'Prefix' }),
    value: text('What it is compared with.', { maxLength: 512, default: '/' }),
  },
  [],
  { default: { type: 'Prefix', value: '/' }, ...rulesAt('path') },
);

const header = object(
  'A header of the request.',
  {
    type: choice('How it is compared.', ['Exact', 'Pattern', 'Present'], { default: 'Exact' }),
    name: headerName('The header.'),
    value: text('What it is compared with.', { maxLength: 1024 }),
  },
  ['name'],
  rulesAt('header'),
);

const parameter = object(
  'A parameter of the query.',
  { name: headerName('The parameter.'), value: text('Its value.', { maxLength: 1024 }) },
  ['name', 'value'],
);

const match = object('Requests that the rule is for; all conditions hold.', {
  path,
  method: choice('The method of the request.', ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']),
  headers: keyed('Headers of the request.', ['name'], header, { maxItems: 8 }),
  parameters: keyed('Parameters of the query.', ['name'], parameter, { maxItems: 8 }),
});

const newHeader = object(
  'A header.',
  { name: headerName('Its name.'), value: text('Its value.', { maxLength: 1024 }) },
  ['name', 'value'],
);

const headerChange = object(
  'What is done to headers.',
  {
    set: keyed('Headers that are written over.', ['name'], newHeader, { maxItems: 8 }),
    add: keyed('Headers that are added.', ['name'], newHeader, { maxItems: 8 }),
    remove: set('Headers that are taken away.', headerName('A header.'), { maxItems: 8 }),
  },
  [],
  rulesAt('headerChange'),
);

const newPath = object(
  'The path in place of that of the request.',
  {
    type: choice('What of it is replaced.', ['Full', 'Prefix']),
    full: text('The new path.', { maxLength: 512 }),
    prefix: text('The new prefix.', { maxLength: 512 }),
  },
  ['type'],
  rulesAt('newPath'),
);

const filter = object(
  'Something that is done to the request.',
  {
    type: choice('What is done.', ['Headers', 'Redirect', 'Rewrite', 'Mirror']),
    headers: headerChange,
    redirect: object('Where the client is sent.', {
      scheme: choice('The scheme.', ['http', 'https']),
      hostname: host('The host.'),
      port: portNumber('The port.'),
      code: { ...integer('The code of the answer.', { default: 302 }), enum: [301, 302, 307, 308] },
    }),
    rewrite: object('What the backend sees.', { hostname: host('The host.'), path: newPath }),
    mirror: object(
      'Where a copy goes, whose answer is thrown away.',
      {
        service: name('The service.'),
        port: portNumber('Its port.'),
        percent: integer('How many of the requests.', { minimum: 0, maximum: 100, default: 100 }),
      },
      ['service', 'port'],
    ),
  },
  ['type'],
  rulesAt('filter'),
);

const backend = object(
  'Something that answers requests.',
  {
    kind: text('Its kind.', { maxLength: 63, default: 'Service' }),
    name: name('Its name.'),
    port: portNumber('Its port.'),
    weight: integer('Its part of the requests, of the sum of all weights.', {
      minimum: 0,
      maximum: 1000000,
      default: 1,
    }),
  },
  ['name'],
  rulesAt('backend'),
);

const session = object(
  'Requests of a session go to one backend.',
  {
    type: choice('What a session is told by.', ['Cookie', 'Header'], { default: 'Cookie' }),
    name: headerName('The name of the cookie or header.'),
    cookieLifetime: choice('How long the cookie lives.', ['Session', 'Permanent']),
  },
  ['name'],
  rulesAt('session'),
);

const retry = object(
  'Requests that failed are sent again.',
  {
    attempts: integer('How often.', { minimum: 0, maximum: 10, default: 1 }),
    codes: set('Codes that are failures.', integer('A code.', { minimum: 400, maximum: 599 }), { maxItems: 16 }),
    backoff: timeSpan('The time between two tries.'),
  },
  [],
  rulesAt('retry'),
);

const rule = object(
  'What becomes of some requests.',
  {
    name: name('Its name within the route.'),
    matches: list('Which requests; any of these.', match, { maxItems: 8, default: [{}] }),
    filters: list('What is done to them, in this order.', filter, { maxItems: 8, ...rulesAt('filters') }),
    backends: keyed('Where they go.', ['name'], backend, { minItems: 1, maxItems: 8, ...rulesAt('backends') }),
    timeouts: object(
      'How long they may take.',
      { request: timeSpan('The request as a whole.'), backend: timeSpan('One try of it at a backend.') },
      [],
      rulesAt('timeouts'),
    ),
    retry,
    session,
  },
  ['name'],
  rulesAt('rule'),
);

const parent = object(
  'A gateway that the route is part of.',
  {
    name: name('The gateway.'),
    namespace: name('Its namespace.'),
    section: name('A listener of it.'),
    port: portNumber('A port of it.'),
  },
  ['name'],
  rulesAt('parent'),
);

const schema: Schema = object(
  'Which requests go where.',
  {
    spec: object(
      'Gateways, hosts and rules.',
      {
        className: { ...name('The class of gateways.'), ...rulesAt('className') },
        encrypted: flag('Only requests that came encrypted.', { default: false }),
        parents: keyed('Gateways that it is part of.', ['name'], parent, { maxItems: 16 }),
        hostnames: list('Hosts that it is for.', { ...host('A host.'), ...rulesAt('hostname') }, { maxItems: 16 }),
        rules: keyed('What becomes of requests; the first that matches.', ['name'], rule, { maxItems: 16 }),
      },
      ['className', 'rules'],
      rulesAt('spec'),
    ),
    status: object('What became of it.', { conditions }),
  },
  ['spec'],
);

export const gatewayRoute: RealDefinition = {
  title: 'a gateway route',
  plural: 'routes',
  group: 'gateway.example.com',
  kind: 'Route',
  shortNames: ['gr'],
  columns: [
    { name: 'Class', type: 'string', jsonPath: '.spec.className' },
    { name: 'Hostnames', type: 'string', jsonPath: '.spec.hostnames' },
    { name: 'Encrypted', type: 'boolean', jsonPath: '.spec.encrypted' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  schema,
  valid: {
    spec: {
      className: 'public',
      encrypted: true,
      parents: [{ name: 'edge', port: 443 }],
      hostnames: ['shop.example.com', '*.shop.example.com'],
      rules: [
        {
          name: 'cart',
          matches: [
            { path: { value: '/cart' }, method: 'GET', headers: [{ name: 'x-channel', value: 'web' }] },
            { path: { type: 'Exact', value: '/basket' } },
          ],
          filters: [{ type: 'Rewrite', rewrite: { path: { type: 'Prefix', prefix: '/' } } }],
          backends: [
            { name: 'cart', port: 8080, weight: 9 },
            { name: 'cart-next', port: 8080 },
          ],
          timeouts: { request: '30s', backend: '10s' },
          retry: { attempts: 2, codes: [502, 503], backoff: '100ms' },
          session: { name: 'cart', cookieLifetime: 'Session' },
        },
        { name: 'old', filters: [{ type: 'Redirect', redirect: { hostname: 'shop.example.com' } }] },
      ],
    },
  },
  defaults: {
    'spec.rules.0.matches.0.path.type': 'Prefix',
    'spec.rules.0.matches.0.headers.0.type': 'Exact',
    'spec.rules.0.backends.1': { kind: 'Service', name: 'cart-next', port: 8080, weight: 1 },
    'spec.rules.1.matches': [{ path: { type: 'Prefix', value: '/' } }],
    'spec.rules.1.filters.0.redirect.code': 302,
  },
  update: { 'spec.rules.0.backends.1.weight': 5, 'spec.rules.0.timeouts.request': '1m' },
  status: { conditions: [{ type: 'Accepted', status: 'True' }] },
  cells: ['public', '["shop.example.com","*.shop.example.com"]', true],
  shared: {
    at: 'spec.rules',
    first: { name: 'cart', backends: [{ name: 'cart', port: 8080 }] },
    second: { name: 'search', backends: [{ name: 'search', port: 9200 }], timeouts: { request: '2s' } },
    contested: { name: 'cart', backends: [{ name: 'cart', port: 8081 }] },
    conflict: '.spec.rules[name="cart"].backends[name="cart"].port',
  },
  refused: [
    { changes: { 'spec.className': undefined }, causes: { ...UNCHECKED, 'spec.className': 'Required value' } },
    {
      changes: { 'spec.rules.0.backends.1.weight': -9 },
      causes: {
        'spec.rules[0].backends[1].weight':
          'spec.rules[0].backends[1].weight in body should be greater than or equal to 0',
        'spec.rules[0].backends': 'at least one backend has a weight',
      },
    },
    {
      changes: { 'spec.rules.1.name': 'cart' },
      causes: { 'spec.rules[1]': 'Duplicate value: {"name":"cart"}' },
    },
    {
      changes: { 'spec.rules.1.filters.0.redirect.code': 303 },
      causes: {
        ...UNCHECKED,
        'spec.rules[1].filters[0].redirect.code':
          'Unsupported value: 303: supported values: "301", "302", "307", "308"',
      },
    },
    {
      changes: { 'spec.parents.0.port': 65536 },
      causes: {
        'spec.parents[0].port': 'spec.parents[0].port in body should be less than or equal to 65535',
      },
    },
    {
      changes: { 'spec.rules.0.retry.codes': [503, 503] },
      causes: { 'spec.rules[0].retry.codes[1]': 'Duplicate value: 503' },
    },
  ],
  unknown: ['spec.parents.0.kind', 'spec.rules.0.matches.0.path.kind', 'spec.rules.1.filters.0.redirect.status'],
};
