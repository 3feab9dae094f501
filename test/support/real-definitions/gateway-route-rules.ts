import type { Changes } from './real-definition.ts';

/** A rule of the gateway route, and an object that breaks no other. */
export interface RouteRule {
  /** Which part of the schema has it. */
  readonly at: string;
  readonly rule: string;
  readonly message: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly broken: Changes;
  /** The field that is named when it is broken. */
  readonly field: string;
}

const PLAIN = 'spec.rules.0';
const PATH = `${PLAIN}.matches.0.path`;
const PATH_FIELD = 'spec.rules[0].matches[0].path';
const HEADER = `${PLAIN}.matches.0.headers.0`;
const HEADER_FIELD = 'spec.rules[0].matches[0].headers[0]';
const FILTERS = `${PLAIN}.filters`;
const FILTER_FIELD = 'spec.rules[0].filters[0]';
const REDIRECT = { type: 'Redirect', redirect: { scheme: 'https' } };
const REWRITE = { type: 'Rewrite', rewrite: { hostname: 'inner.example.com' } };
const HEADERS = { set: [{ name: 'x-from', value: 'edge' }] };

const ofHosts: readonly RouteRule[] = [
  {
    at: 'className',
    rule: 'self == oldSelf',
    message: 'the class of a route cannot be changed',
    broken: { 'spec.className': 'private' },
    field: 'spec.className',
  },
  {
    at: 'parent',
    rule: '!(has(self.port) && has(self.section))',
    message: 'a parent is chosen by its port or by a section of it, not by both',
    broken: { 'spec.parents.0.section': 'https' },
    field: 'spec.parents[0]',
  },
  {
    at: 'hostname',
    rule: "!self.matches('^[0-9.]+$')",
    message: 'a hostname cannot be an address',
    broken: { 'spec.hostnames.0': '192.0.2.1' },
    field: 'spec.hostnames[0]',
  },
  {
    at: 'hostname',
    rule: "!self.contains('*') || (self.startsWith('*.') && self.lastIndexOf('*') == 0)",
    message: 'a wildcard stands for the first label only',
    broken: { 'spec.hostnames.1': 'shop.*.example.com' },
    field: 'spec.hostnames[1]',
  },
  {
    at: 'hostname',
    rule: 'self == self.lowerAscii()',
    message: 'a hostname is written in small letters',
    broken: { 'spec.hostnames.1': 'Shop.example.com' },
    field: 'spec.hostnames[1]',
  },
  {
    at: 'spec',
    rule: '!self.encrypted || (has(self.hostnames) && size(self.hostnames) > 0)',
    message: 'an encrypted route needs hostnames',
    broken: { 'spec.hostnames': undefined },
    field: 'spec',
  },
];

const ofPaths: readonly RouteRule[] = [
  {
    at: 'path',
    rule: "self.type == 'Pattern' || self.value.startsWith('/')",
    message: 'a path begins with a slash',
    broken: { [`${PATH}.value`]: 'cart' },
    field: PATH_FIELD,
  },
  {
    at: 'path',
    rule: "self.type == 'Pattern' || !self.value.contains('//')",
    message: 'a path has no empty segment',
    broken: { [`${PATH}.value`]: '/cart//items' },
    field: PATH_FIELD,
  },
  {
    at: 'path',
    rule: "self.type == 'Pattern' || !self.value.split('/').exists(part, part == '..')",
    message: 'a path does not lead upwards',
    broken: { [`${PATH}.value`]: '/cart/..' },
    field: PATH_FIELD,
  },
  {
    at: 'path',
    rule: "self.type == 'Pattern' || !self.value.matches('[?#]')",
    message: 'a path has neither query nor fragment',
    broken: { [`${PATH}.value`]: '/cart?full' },
    field: PATH_FIELD,
  },
  {
    at: 'path',
    rule: "self.type != 'Pattern' || self.value.startsWith('^')",
    message: 'a pattern is anchored at its beginning',
    broken: { [PATH]: { type: 'Pattern', value: '/cart/[0-9]+' } },
    field: PATH_FIELD,
  },
];

const ofHeaders: readonly RouteRule[] = [
  {
    at: 'header',
    rule: "self.type != 'Present' || !has(self.value)",
    message: 'a header that need only be present has no value',
    broken: { [`${HEADER}.type`]: 'Present' },
    field: HEADER_FIELD,
  },
  {
    at: 'header',
    rule: "self.type == 'Present' || has(self.value)",
    message: 'a header is compared with a value',
    reason: 'FieldValueRequired',
    fieldPath: '.value',
    broken: { [`${HEADER}.value`]: undefined },
    field: `${HEADER_FIELD}.value`,
  },
  {
    at: 'header',
    rule: "!self.name.startsWith(':')",
    message: 'a part of the request line is not a header',
    broken: { [`${HEADER}.name`]: ':authority' },
    field: HEADER_FIELD,
  },
  {
    at: 'headerChange',
    rule: '!has(self.set) || !has(self.remove) || self.set.all(one, !(one.name in self.remove))',
    message: 'a header is set or removed, not both',
    broken: { [FILTERS]: [{ type: 'Headers', headers: { ...HEADERS, remove: ['x-from'] } }] },
    field: `${FILTER_FIELD}.headers`,
  },
];

const ofFilters: readonly RouteRule[] = [
  {
    at: 'filter',
    rule: "self.type != 'Headers' || has(self.headers)",
    message: 'a filter of headers says which',
    broken: { [FILTERS]: [{ type: 'Headers' }] },
    field: FILTER_FIELD,
  },
  {
    at: 'filter',
    rule: "self.type == 'Headers' || !has(self.headers)",
    message: 'only a filter of headers has headers',
    broken: { [FILTERS]: [{ ...REWRITE, headers: HEADERS }] },
    field: FILTER_FIELD,
  },
  {
    at: 'filter',
    rule: "self.type != 'Redirect' || has(self.redirect)",
    message: 'a redirect says where to',
    broken: { 'spec.rules.1.filters': [{ type: 'Redirect' }] },
    field: 'spec.rules[1].filters[0]',
  },
  {
    at: 'filter',
    rule: "self.type == 'Redirect' || !has(self.redirect)",
    message: 'only a redirect says where to',
    broken: { [FILTERS]: [{ ...REDIRECT, ...REWRITE }] },
    field: FILTER_FIELD,
  },
  {
    at: 'filter',
    rule: "self.type != 'Rewrite' || has(self.rewrite)",
    message: 'a rewrite says what is written',
    broken: { [FILTERS]: [{ type: 'Rewrite' }] },
    field: FILTER_FIELD,
  },
  {
    at: 'filter',
    rule: "(self.type == 'Mirror') == has(self.mirror)",
    message: 'a mirror, and only a mirror, has a service to mirror to',
    broken: { [FILTERS]: [{ ...REWRITE, mirror: { service: 'shadow', port: 80 } }] },
    field: FILTER_FIELD,
  },
  {
    at: 'newPath',
    rule: "self.type == 'Full' ? has(self.full) && !has(self.prefix) : has(self.prefix) && !has(self.full)",
    message: 'a path is replaced in full or by its prefix, as the type says',
    broken: { [FILTERS]: [{ type: 'Rewrite', rewrite: { path: { type: 'Prefix', full: '/' } } }] },
    field: `${FILTER_FIELD}.rewrite.path`,
  },
  {
    at: 'filters',
    rule: "self.filter(one, one.type == 'Redirect').size() <= 1",
    message: 'a request is redirected once',
    broken: { 'spec.rules.1.filters': [REDIRECT, REDIRECT] },
    field: 'spec.rules[1].filters',
  },
  {
    at: 'filters',
    rule: "!(self.exists(one, one.type == 'Redirect') && self.exists(one, one.type == 'Rewrite'))",
    message: 'a request is redirected or rewritten, not both',
    broken: { 'spec.rules.1.filters': [REDIRECT, REWRITE] },
    field: 'spec.rules[1].filters',
  },
];

const ofTraffic: readonly RouteRule[] = [
  {
    at: 'rule',
    rule: "!has(self.filters) || !has(self.backends) || !self.filters.exists(one, one.type == 'Redirect')",
    message: 'a rule that redirects has no backends',
    broken: { 'spec.rules.1.backends': [{ name: 'shop', port: 80 }] },
    field: 'spec.rules[1]',
  },
  {
    at: 'timeouts',
    rule: '!has(self.backend) || !has(self.request) || duration(self.backend) <= duration(self.request)',
    message: 'a backend gets 1m, the request as a whole only 30s',
    messageExpression: "'a backend gets ' + self.backend + ', the request as a whole only ' + self.request",
    broken: { [`${PLAIN}.timeouts.backend`]: '1m' },
    field: 'spec.rules[0].timeouts',
  },
  {
    at: 'backends',
    rule: 'self.map(one, one.weight).sum() > 0',
    message: 'at least one backend has a weight',
    broken: { [`${PLAIN}.backends.0.weight`]: 0, [`${PLAIN}.backends.1.weight`]: 0 },
    field: 'spec.rules[0].backends',
  },
  {
    at: 'backend',
    rule: "self.kind != 'Service' || has(self.port)",
    message: 'a service is reached at a port',
    broken: { [`${PLAIN}.backends.1.port`]: undefined },
    field: 'spec.rules[0].backends[1]',
  },
  {
    at: 'session',
    rule: "self.type == 'Cookie' || !has(self.cookieLifetime)",
    message: 'only cookies have a lifetime',
    broken: { [`${PLAIN}.session.type`]: 'Header' },
    field: 'spec.rules[0].session',
  },
  {
    at: 'retry',
    rule: 'self.attempts == 0 || (has(self.codes) && self.codes.all(code, code >= 500 || code == 429))',
    message: 'only failures of the server are tried again',
    broken: { [`${PLAIN}.retry.codes`]: [503, 404] },
    field: 'spec.rules[0].retry',
  },
];

export const ROUTE_RULES: readonly RouteRule[] = [...ofHosts, ...ofPaths, ...ofHeaders, ...ofFilters, ...ofTraffic];

/** The rules of a part, as its schema has them. */
export const rulesAt = (at: string): { 'x-platform-validations': object[] } => {
  const found = ROUTE_RULES.filter((rule) => rule.at === at);
  if (found.length === 0) throw new Error(`no rule is for ${at}`);
  return {
    'x-platform-validations': found.map(({ at: _at, broken: _broken, field: _field, message, ...rule }) =>
      rule.messageExpression === undefined ? { ...rule, message } : rule,
    ),
  };
};
