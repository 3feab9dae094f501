import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AUTHENTICATED_GROUP,
  MASTERS_GROUP,
  NODES_GROUP,
  serviceAccountGroups,
  serviceAccountUser,
  UNAUTHENTICATED_GROUP,
  type UserInfo,
  userNamed,
} from '../api/user.ts';
import type { FlowSchema } from '../kinds/flowcontrol/v1beta2/flow-schema.ts';
import { type RequestInfo, readRequestInfo } from '../request/request-info.ts';
import { vocabularies } from '../vocabulary/vocabulary.ts';
import { flowSchema, paths, user } from './bootstrap/declare.ts';
import { mandatoryObjects } from './bootstrap/mandatory.ts';
import { suggestedObjects } from './bootstrap/suggested.ts';
import { Classifier } from './classifier.ts';

const v = vocabularies.platform;
const SYSTEM = v.namespaces.system;
const LEASES = `/apis/${v.groups.coordination}/v1/namespaces/n/leases/l`;

const nameOf = ({ metadata }: FlowSchema): string => metadata.name ?? '';
const classifierOf = (schemas: readonly FlowSchema[]) => new Classifier(schemas, nameOf, 'none');

const account = (namespace: string, name: string): UserInfo =>
  userNamed(serviceAccountUser(namespace, name), [...serviceAccountGroups(namespace), AUTHENTICATED_GROUP]);

describe('of the flow schemas that a server starts with', () => {
  const classifier = classifierOf([...suggestedObjects(v).schemas, ...mandatoryObjects(v).schemas].reverse());
  const users: Readonly<Record<string, UserInfo>> = {
    master: userNamed('root', [MASTERS_GROUP, AUTHENTICATED_GROUP]),
    anonymous: userNamed('system:anonymous', [UNAUTHENTICATED_GROUP]),
    user: userNamed('someone', [AUTHENTICATED_GROUP]),
    stranger: userNamed('of no group at all', []),
    node: userNamed('system:node:a', [NODES_GROUP, AUTHENTICATED_GROUP]),
    'controller manager': userNamed(v.systemNames.controllerManager, [AUTHENTICATED_GROUP]),
    scheduler: userNamed(v.systemNames.scheduler, [AUTHENTICATED_GROUP]),
    workload: account('shop', 'cart'),
    'system account': account(SYSTEM, 'x'),
    'endpoint controller': account(SYSTEM, 'endpoint-controller'),
  };

  it.each([
    ['master', 'GET', '/api/v1/pods', 'exempt'],
    ['master', 'GET', '/readyz', 'exempt'],
    ['anonymous', 'GET', '/readyz', 'probes'],
    ['anonymous', 'GET', '/livez/ping', 'probes'],
    ['anonymous', 'GET', '/readyzs', 'global-default'],
    ['anonymous', 'POST', '/readyz', 'global-default'],
    ['user', 'GET', '/api/v1/pods', 'global-default'],
    ['stranger', 'GET', '/api/v1/pods', 'none'],
    ['node', 'PUT', '/api/v1/nodes/a/status', 'system-node-high'],
    ['node', 'GET', '/api/v1/nodes/a/proxy', 'system-nodes'],
    ['node', 'PUT', LEASES, 'system-node-high'],
    ['node', 'GET', '/api/v1/namespaces/n/secrets/s', 'system-nodes'],
    ['controller manager', 'PUT', LEASES, 'system-leader-election'],
    ['controller manager', 'DELETE', LEASES, v.components.controllerManager],
    ['controller manager', 'PUT', '/api/v1/namespaces/n/endpoints/e', 'endpoint-controller'],
    ['controller manager', 'GET', '/api/v1/endpoints', v.components.controllerManager],
    ['scheduler', 'GET', '/healthz', 'probes'],
    ['scheduler', 'GET', '/metrics', v.components.scheduler],
    ['workload', 'GET', '/api/v1/namespaces/shop/pods', 'service-accounts'],
    ['workload', 'PUT', LEASES, 'service-accounts'],
    ['system account', 'PUT', '/api/v1/namespaces/n/configmaps/c', 'workload-leader-election'],
    ['system account', 'PATCH', '/api/v1/namespaces/n/configmaps/c', v.wellKnown.systemServiceAccountsFlowSchema],
    ['endpoint controller', 'PUT', '/api/v1/namespaces/n/endpoints/e', 'endpoint-controller'],
  ])('%s: %s %s is of %s', (who, method, target, expected) => {
    const asking = users[who];
    if (!asking) throw new Error(who);
    const info = readRequestInfo(method, target);
    expect(classifier.routeOf(asking, info)).toBe(expected);
    expect(classifier.routeOf(asking, info)).toBe(expected);
  });
});

describe('a request that several schemas are about', () => {
  const about = (name: string, precedence: number): FlowSchema =>
    flowSchema(
      v,
      name,
      { level: 'any', precedence },
      { subjects: [user('*')], nonResourceRules: [paths(['*'], '/a/*')] },
    );
  const anyone = userNamed('anyone', []);

  it('is of the lowest precedence, then of the first name', () => {
    const classifier = classifierOf([about('z', 5), about('b', 3), about('a', 3)]);
    expect(classifier.routeOf(anyone, readRequestInfo('GET', '/a/b'))).toBe('a');
    expect(classifier.routeOf(anyone, readRequestInfo('GET', '/b'))).toBe('none');
  });
});

describe('any schemas', () => {
  const some = (...words: string[]) => fc.uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 2 });
  const subject = fc.oneof(
    fc.constantFrom('ann', 'bob', '*', serviceAccountUser('n', 'x')).map((name) => ({ kind: 'User', user: { name } })),
    fc.constantFrom('g', 'h', '*').map((name) => ({ kind: 'Group', group: { name } })),
    fc
      .record({ namespace: fc.constantFrom('n', 'm'), name: fc.constantFrom('x', 'y', '*') })
      .map((serviceAccount) => ({ kind: 'ServiceAccount', serviceAccount })),
  );
  const resourceRule = fc.record({
    verbs: some('get', 'list', 'create', '*'),
    apiGroups: some('', 'apps', '*'),
    resources: some('pods', 'pods/status', 'deployments', '*'),
    namespaces: some('n', 'm', '*'),
    clusterScope: fc.boolean(),
  });
  const pathRule = fc.record({ verbs: some('get', 'post', '*'), nonResourceURLs: some('/a', '/a/*', '/ab', '/', '*') });
  const rules = fc.record({
    subjects: fc.array(subject, { maxLength: 3 }),
    resourceRules: fc.array(resourceRule, { maxLength: 2 }),
    nonResourceRules: fc.array(pathRule, { maxLength: 2 }),
  });
  const schema = fc
    .record({
      name: fc.string({ maxLength: 2 }),
      precedence: fc.nat({ max: 3 }),
      rules: fc.array(rules, { maxLength: 2 }),
    })
    .map((one) => flowSchema(v, one.name, { level: 'any', precedence: one.precedence }, ...one.rules));
  const schemas = fc.uniqueArray(schema, { selector: nameOf, maxLength: 6 });
  const asking = fc.oneof(
    fc
      .record({ name: fc.constantFrom('ann', 'bob', 'eve'), groups: fc.subarray(['g', 'h', 'i']) })
      .map(({ name, groups }) => userNamed(name, groups)),
    fc
      .record({ namespace: fc.constantFrom('n', 'm'), name: fc.constantFrom('x', 'y') })
      .map(({ namespace, name }) => userNamed(serviceAccountUser(namespace, name), [])),
  );
  const target = fc.constantFrom(
    '/api/v1/pods',
    '/api/v1/namespaces/n/pods',
    '/api/v1/namespaces/m/pods/p/status',
    '/apis/apps/v1/namespaces/n/deployments/d',
    '/a',
    '/a/b',
    '/ab',
    '/',
  );
  const info = fc.tuple(fc.constantFrom('GET', 'POST'), target).map(([method, path]) => readRequestInfo(method, path));

  it('are searched as they read', () => {
    fc.assert(
      fc.property(schemas, asking, info, (given, user, request) => {
        expect(classifierOf(given).routeOf(user, request)).toBe(plainly(given, user, request));
      }),
      { numRuns: 2000 },
    );
  });
});

const covers = (url: string, path: string): boolean =>
  url === '*' || url === path || path.startsWith(url.endsWith('/*') ? url.slice(0, -1) : `${url}/`.replace('//', '/'));

/** The same by the book, one rule after the other. */
function plainly(schemas: readonly FlowSchema[], asking: UserInfo, info: RequestInfo): string {
  const lists = (words: readonly string[] | null | undefined, word: string): boolean =>
    (words ?? []).some((one) => one === '*' || one === word);
  const resource = [info.resource, info.subresource].filter((part) => part !== '').join('/');
  const rank = ({ spec, metadata }: FlowSchema): string => `${spec.matchingPrecedence} ${metadata.name}`;
  const found = [...schemas]
    .sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
    .find(({ spec }) =>
      spec.rules?.some(
        ({ subjects, resourceRules, nonResourceRules }) =>
          subjects?.some(({ user: one, group, serviceAccount: account }) => {
            if (one) return lists([one.name], asking.name);
            if (group) return group.name === '*' || asking.groups.includes(group.name);
            const names = ['x', 'y'].filter((name) => lists([account?.name ?? ''], name));
            return names.some((name) => asking.name === serviceAccountUser(account?.namespace ?? '', name));
          }) &&
          (info.resourceRequest
            ? resourceRules?.some(
                (rule) =>
                  lists(rule.verbs, info.verb) &&
                  lists(rule.apiGroups, info.group) &&
                  lists(rule.resources, resource) &&
                  (info.namespace === '' ? rule.clusterScope : lists(rule.namespaces, info.namespace)),
              )
            : nonResourceRules?.some(
                ({ verbs, nonResourceURLs }) =>
                  lists(verbs, info.verb) && nonResourceURLs?.some((url) => covers(url, info.path)),
              )),
      ),
    );
  return found ? nameOf(found) : 'none';
}
