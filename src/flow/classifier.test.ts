import { describe, expect, it } from 'vitest';
import type { FlowSchema } from '../kinds/flowcontrol/v1beta2/flow-schema.ts';
import { readRequestInfo } from '../request/request-info.ts';
import {
  AUTHENTICATED_GROUP,
  MASTERS_GROUP,
  NODES_GROUP,
  serviceAccountGroups,
  serviceAccountUser,
  UNAUTHENTICATED_GROUP,
  type UserInfo,
  userNamed,
} from '../user.ts';
import { vocabularies } from '../vocabulary.ts';
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
