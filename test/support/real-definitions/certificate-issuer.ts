import type { RealDefinition } from './real-definition.ts';
import {
  choice,
  conditions,
  flag,
  integer,
  keyed,
  list,
  moment,
  name,
  object,
  type Schema,
  secretKey,
  set,
  text,
  texts,
  timeSpan,
} from './schema-parts.ts';

/** Who signs certificates: an authority of one's own, a vault, or a public authority that asks for proof of ownership. */

const dns = object(
  'Proof by a record in the zone of the domain.',
  {
    zone: text('The zone that the record is made in.', { maxLength: 253 }),
    timeToLive: integer('Seconds that resolvers may keep the record.', { minimum: 1, maximum: 86400, default: 60 }),
    update: object(
      'Dynamic updates of the zone.',
      {
        server: text('Host and port of the name server.', { pattern: '^[^:]+(:[0-9]{1,5})?$' }),
        algorithm: choice('How updates are signed.', ['HmacSha256', 'HmacSha512']),
        keyName: text('The key that the name server knows.'),
        keySecret: secretKey('Its value.'),
      },
      ['server'],
    ),
    webhook: object(
      'A service that makes the record.',
      {
        group: text('The API group of the service.'),
        solver: text('The solver within the group.'),
        config: { description: 'What the solver is given.', 'x-platform-preserve-unknown-fields': true },
      },
      ['group', 'solver'],
    ),
  },
  [],
  { oneOf: [{ required: ['update'] }, { required: ['webhook'] }] },
);

const http = object('Proof by a file that the domain serves.', {
  className: text('The class of the gateway that serves the file.'),
  serviceType: choice('How the service of the file is reached.', ['ClusterIP', 'NodePort'], { default: 'ClusterIP' }),
  labels: texts('Labels of what is made for the proof.'),
});

const solvers = keyed(
  'Ways to prove ownership; the one with the closest selector is taken.',
  ['name'],
  object(
    'One way to prove ownership.',
    {
      name: name('Its name within the issuer.'),
      selector: object('Certificates that it is for; all when there is none.', {
        zones: set('Zones that the names are in.', text('A zone.', { maxLength: 253 }), { maxItems: 64 }),
        names: set('Names as they are in the certificate.', text('A name.', { maxLength: 253 }), { maxItems: 64 }),
        labels: texts('Labels of the certificate.'),
      }),
      dns,
      http,
    },
    ['name'],
    { oneOf: [{ required: ['dns'] }, { required: ['http'] }] },
  ),
  { maxItems: 32 },
);

const acme = object(
  'An authority that asks for proof of ownership.',
  {
    server: text('Its directory.', { format: 'uri', pattern: '^https://' }),
    email: text('Who is told of certificates that run out.', { format: 'email' }),
    preferredChain: text('The name of the root to chain to.', { maxLength: 64 }),
    accountKey: secretKey('Where the key of the account is kept.'),
    externalAccount: object(
      'An account at the authority that the key is bound to.',
      {
        id: text('The id of the account.'),
        key: secretKey('The key that the authority gave out.'),
        algorithm: choice('How the binding is signed.', ['HS256', 'HS384', 'HS512'], { default: 'HS256' }),
      },
      ['id', 'key'],
    ),
    skipVerify: flag('Trust whatever certificate the directory shows.', { default: false }),
    solvers,
  },
  ['server', 'accountKey', 'solvers'],
);

const vault = object(
  'A vault that signs.',
  {
    server: text('Where it is.', { format: 'uri' }),
    path: text('The path of the signing role.', { pattern: '^[^/].*/sign/.+$' }),
    bundle: { type: 'string', format: 'byte', description: 'Authorities that the server is trusted by.' },
    token: secretKey('A token of the vault.'),
  },
  ['server', 'path', 'token'],
);

const revocationLists = list('Where lists of revoked certificates are.', text('An address.', { format: 'uri' }));

const own = object(
  'An authority of which the key is here.',
  {
    secretName: name('The Secret with certificate and key.'),
    revocationLists,
  },
  ['secretName'],
);

const schema: Schema = object('Signs certificates.', {
  spec: object(
    'Who signs, and under which bounds.',
    {
      acme,
      vault,
      own,
      selfSigned: object('Certificates are signed with their own key.', { revocationLists }),
      longest: timeSpan('The longest time that a certificate is asked for.'),
      renewAt: integer('Percent of its time after which a certificate is renewed.', {
        minimum: 10,
        maximum: 95,
        multipleOf: 5,
        default: 65,
      }),
    },
    [],
    { minProperties: 1, oneOf: ['acme', 'vault', 'own', 'selfSigned'].map((one) => ({ required: [one] })) },
  ),
  status: object('What became of it.', {
    conditions,
    account: object('The account at the authority.', {
      uri: text('The address of the account.'),
      registered: moment('When it was made.'),
    }),
  }),
});

export const certificateIssuer: RealDefinition = {
  title: 'a certificate issuer',
  plural: 'issuers',
  group: 'pki.example.com',
  kind: 'Issuer',
  shortNames: ['iss'],
  columns: [
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Server', type: 'string', jsonPath: '.spec.acme.server', priority: 1 },
    { name: 'Renewed', type: 'integer', jsonPath: '.spec.renewAt' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  schema,
  valid: {
    spec: {
      longest: '2160h',
      acme: {
        server: 'https://acme.example.com/directory',
        email: 'certificates@example.com',
        accountKey: { name: 'acme-account', key: 'tls.key' },
        solvers: [
          { name: 'web', http: { className: 'public', labels: { purpose: 'proof' } } },
          {
            name: 'zone',
            selector: { zones: ['example.com', 'example.org'] },
            dns: { zone: 'example.com', webhook: { group: 'dns.example.com', solver: 'ours', config: { region: 3 } } },
          },
        ],
      },
    },
  },
  defaults: {
    'spec.renewAt': 65,
    'spec.acme.skipVerify': false,
    'spec.acme.solvers.0.http.serviceType': 'ClusterIP',
    'spec.acme.solvers.1.dns.timeToLive': 60,
    'spec.acme.solvers.1.dns.webhook.config.region': 3,
  },
  update: { 'spec.renewAt': 80, 'spec.acme.solvers.1.selector.zones': ['example.net'] },
  status: { conditions: [{ type: 'Ready', status: 'True', reason: 'AccountRegistered' }] },
  cells: ['True', 'https://acme.example.com/directory', 65],
  shared: {
    at: 'spec.acme.solvers',
    first: { name: 'web', http: { className: 'public' } },
    second: { name: 'inner', selector: { names: ['inner.example.com'] }, http: { className: 'private' } },
    contested: { name: 'web', http: { className: 'private' } },
    conflict: '.spec.acme.solvers[name="web"].http.className',
  },
  refused: [
    { changes: { 'spec.acme.server': undefined }, causes: { 'spec.acme.server': 'Required value' } },
    {
      changes: { 'spec.acme.server': 'http://acme.example.com' },
      causes: {
        'spec.acme.server':
          'Invalid value: "http://acme.example.com": spec.acme.server in body should match \'^https://\'',
      },
    },
    {
      changes: { 'spec.renewAt': 100 },
      causes: {
        'spec.renewAt': 'spec.renewAt in body should be less than or equal to 95',
      },
    },
    {
      changes: { 'spec.acme.solvers.0.http.serviceType': 'LoadBalancer' },
      causes: {
        'spec.acme.solvers[0].http.serviceType':
          'Unsupported value: "LoadBalancer": supported values: "ClusterIP", "NodePort"',
      },
    },
    {
      changes: { 'spec.acme.solvers.1.name': 'web' },
      causes: { 'spec.acme.solvers[1]': 'Duplicate value: {"name":"web"}' },
    },
    {
      changes: { 'spec.acme.solvers.1.selector.zones': ['example.com', 'example.com'] },
      causes: { 'spec.acme.solvers[1].selector.zones[1]': 'Duplicate value: "example.com"' },
    },
    {
      changes: { 'spec.own': { secretName: 'authority' } },
      causes: { '<nil>': '"spec" must validate one and only one schema (oneOf). Found 2 valid alternatives' },
    },
    {
      changes: { 'spec.acme.accountKey': 'acme-account' },
      causes: {
        'spec.acme.accountKey': 'spec.acme.accountKey in body must be of type object: "string"',
      },
    },
  ],
  unknown: ['spec.renewAfter', 'spec.acme.solvers.0.http.ingress', 'spec.acme.accountKey.namespace'],
};
