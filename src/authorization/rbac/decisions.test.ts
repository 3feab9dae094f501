import { describe, expect, it } from 'vitest';
import { type UserInfo, userNamed } from '../../api/user.ts';
import type { PolicyRule } from '../../kinds/rbac/policy-rule.ts';
import type { Subject } from '../../kinds/rbac/subject.ts';
import type { Attributes } from '../attributes.ts';
import { RbacIndex } from './rbac-index.ts';

const RBAC = 'rbac.authorization.platform.io';
const AUTHENTICATION = 'authentication.platform.io';

const on = (verbs: string, apiGroup: string, resources: string, ...resourceNames: string[]): PolicyRule => ({
  verbs: verbs.split(' '),
  apiGroups: [apiGroup],
  resources: resources.split(' '),
  ...(resourceNames.length > 0 && { resourceNames }),
});

/** `namespace/name` for roles of a namespace, `name` for those of the cluster. */
const ROLES: Readonly<Record<string, PolicyRule[]>> = {
  everything: [on('*', '*', '*'), { verbs: ['*'], nonResourceURLs: ['*'] }],
  reader: [on('get list watch', '', 'pods pods/log')],
  scaler: [on('get update patch', '*', '*/scale')],
  'one-secret': [on('get update delete', '', 'secrets', 'tls')],
  prober: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/healthz/*', '/metrics'] }],
  'jane-maker': [on('impersonate', '', 'users', 'jane'), on('impersonate', AUTHENTICATION, 'userextras/scopes', 'dev')],
  'apps-all': [on('*', 'apps', '*')],
  'x/editor': [on('create update patch delete', '', 'configmaps secrets')],
  'y/editor': [on('get', '', 'configmaps')],
  'x/owner': [on('get update', '', 'namespaces')],
};

const user = (name: string): Subject => ({ kind: 'User', apiGroup: RBAC, name });
const group = (name: string): Subject => ({ kind: 'Group', apiGroup: RBAC, name });
const account = (name: string, namespace: string): Subject => ({ kind: 'ServiceAccount', name, namespace });

/** Where, what, to whom. */
const BINDINGS: readonly [namespace: string, role: string, ...subjects: Subject[]][] = [
  ['', 'everything', user('root')],
  ['', 'reader', group('viewers')],
  ['', 'scaler', account('scaler', 'x')],
  ['x', 'one-secret', user('carol'), account('bot', 'x')],
  ['', 'prober', user('probe'), group('system:unauthenticated')],
  ['x', 'prober', user('bob')],
  ['x', 'x/editor', user('alice'), group('dev')],
  ['y', 'y/editor', user('alice')],
  ['x', 'x/owner', user('alice')],
  ['x', 'x/missing', user('bob')],
  ['', 'jane-maker', user('alice')],
  ['x', 'apps-all', group('dev')],
];

/** Each by the letter that stands for it in the table. */
const USERS: Readonly<Record<string, UserInfo>> = {
  R: userNamed('root', ['system:authenticated']),
  A: userNamed('alice', ['system:authenticated']),
  B: userNamed('bob', ['system:authenticated', 'alice']),
  C: userNamed('carol', ['system:authenticated']),
  D: userNamed('dora', ['dev', 'system:authenticated']),
  V: userNamed('vic', ['system:authenticated', 'viewers']),
  P: userNamed('probe', []),
  N: userNamed('system:anonymous', ['system:unauthenticated']),
  b: userNamed('system:serviceaccount:x:bot', ['system:serviceaccounts', 'system:serviceaccounts:x']),
  o: userNamed('system:serviceaccount:y:bot', ['system:serviceaccounts', 'system:serviceaccounts:y']),
  s: userNamed('system:serviceaccount:x:scaler', ['system:serviceaccounts', 'system:serviceaccounts:x']),
};

/** `verb resource[.group][/name[/subresource]] [namespace]`, or `verb /path`; then who may. */
const DECISIONS: readonly [request: string, allowed: string][] = [
  ['get pods/p x', 'RV'],
  ['list pods x', 'RV'],
  ['watch pods y', 'RV'],
  ['list pods', 'RV'],
  ['delete pods/p x', 'R'],
  ['get pods/p/log x', 'RV'],
  ['get pods/p/status x', 'R'],
  ['get pods.apps/p x', 'RD'],
  ['get deployments.apps/d x', 'RD'],
  ['delete deployments.apps/d x', 'RD'],
  ['get deployments.apps/d y', 'R'],
  ['list deployments.apps', 'R'],
  ['get deployments.apps/d/scale x', 'RDs'],
  ['update deployments.apps/d/scale y', 'Rs'],
  ['patch replicationcontrollers/r/scale x', 'Rs'],
  ['delete deployments.apps/d/scale x', 'RD'],
  ['get deployments.apps/d/status y', 'R'],
  ['get scale/s x', 'R'],
  ['get secrets/tls x', 'RCb'],
  ['get secrets/other x', 'R'],
  ['get secrets/tls y', 'R'],
  ['list secrets x', 'R'],
  ['list secrets/tls x', 'R'],
  ['delete secrets/tls x', 'RACDb'],
  ['delete secrets/other x', 'RAD'],
  ['deletecollection secrets x', 'R'],
  ['create secrets x', 'RAD'],
  ['update secrets/tls x', 'RACDb'],
  ['patch secrets/tls x', 'RAD'],
  ['update secrets/tls/status x', 'R'],
  ['create configmaps x', 'RAD'],
  ['create configmaps y', 'R'],
  ['create configmaps', 'R'],
  ['get configmaps/c x', 'R'],
  ['get configmaps/c y', 'RA'],
  ['list configmaps y', 'R'],
  ['get namespaces/x x', 'RA'],
  ['update namespaces/x x', 'RA'],
  ['delete namespaces/x x', 'R'],
  ['get namespaces/y y', 'R'],
  ['list namespaces', 'R'],
  ['impersonate users/jane', 'RA'],
  ['impersonate users/root', 'R'],
  ['impersonate users', 'R'],
  ['impersonate groups/jane', 'R'],
  [`impersonate userextras.${AUTHENTICATION}/dev/scopes`, 'RA'],
  [`impersonate userextras.${AUTHENTICATION}/ops/scopes`, 'R'],
  [`impersonate userextras.${AUTHENTICATION}/dev/other`, 'R'],
  [`get roles.${RBAC}/editor x`, 'R'],
  ['get /healthz', 'RPN'],
  ['get /healthz/store', 'RPN'],
  ['get /healthzz', 'R'],
  ['get /metrics', 'RPN'],
  ['post /metrics', 'R'],
  ['get /metrics/', 'R'],
  ['get /version', 'R'],
  ['get /', 'R'],
];

function attributesOf(request: string, who: UserInfo): Attributes {
  const [verb = '', target = '', namespace = ''] = request.split(' ');
  const resourceRequest = !target.startsWith('/');
  const [qualified = '', name = '', subresource = ''] = resourceRequest ? target.split('/') : [];
  const [resource = '', ...apiGroup] = qualified.split('.');
  const wanted = { verb, group: apiGroup.join('.'), version: 'v1', resource, subresource, namespace, name };
  return { user: who, resourceRequest, ...wanted, path: resourceRequest ? '' : target };
}

const index = new RbacIndex(RBAC);
for (const [place, rules] of Object.entries(ROLES)) {
  const [name = '', namespace = ''] = place.split('/').reverse();
  index.setRole(namespace, name, rules);
}
BINDINGS.forEach(([namespace, role, ...subjects], at) => {
  const [name = '', roleNamespace] = role.split('/').reverse();
  const kind = roleNamespace === undefined ? 'ClusterRole' : 'Role';
  index.setBinding(namespace, `b${at}`, subjects, { apiGroup: RBAC, kind, name });
});

describe('of all users', () => {
  it.each(DECISIONS)('to "%s" are allowed: %s', (request, allowed) => {
    const found = Object.entries(USERS).filter(
      ([, who]) => index.authorize(attributesOf(request, who)).decision === 'allow',
    );
    expect(found.map(([letter]) => letter).sort()).toEqual([...allowed].sort());
  });

  it('several hundred decisions are looked at', () => {
    expect(DECISIONS.length * Object.keys(USERS).length).toBeGreaterThan(600);
  });
});
