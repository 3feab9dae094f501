import { describe, expect, it } from 'vitest';
import type { PolicyRule } from '../../kinds/rbac/policy-rule.ts';
import type { Subject } from '../../kinds/rbac/subject.ts';
import type { Attributes } from '../attributes.ts';
import { RbacIndex } from './rbac-index.ts';

const GROUP = 'rbac.authorization.platform.io';

interface Request extends Partial<Omit<Attributes, 'user'>> {
  readonly user?: string;
  readonly groups?: readonly string[];
}

const request = ({ user = 'alice', groups = [], ...rest }: Request): Attributes => ({
  verb: 'get',
  resourceRequest: rest.path === undefined,
  group: '',
  version: 'v1',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
  path: '',
  ...rest,
  user: { name: user, uid: '', groups, extra: new Map() },
});

const ref = (kind: string, name: string) => ({ apiGroup: GROUP, kind, name });
const user = (name: string): Subject => ({ kind: 'User', apiGroup: GROUP, name });
const group = (name: string): Subject => ({ kind: 'Group', apiGroup: GROUP, name });

const ask = (index: RbacIndex, wanted: Request) => index.authorize(request(wanted));

/** Alice holds the rules cluster-wide. */
function holding(...rules: PolicyRule[]): RbacIndex {
  const index = new RbacIndex(GROUP);
  index.setRole('', 'r', rules);
  index.setBinding('', 'b', [user('alice')], ref('ClusterRole', 'r'));
  return index;
}

const pods: PolicyRule = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };

describe('a rule about resources', () => {
  it.each<[string, Partial<PolicyRule>, Request, boolean]>([
    ['allows what it lists', {}, { resource: 'pods' }, true],
    ['leaves other verbs alone', {}, { resource: 'pods', verb: 'list' }, false],
    ['leaves other groups alone', {}, { resource: 'pods', group: 'apps' }, false],
    ['leaves other resources alone', {}, { resource: 'services' }, false],
    ['leaves subresources alone', {}, { resource: 'pods', subresource: 'log' }, false],
    ['leaves paths alone', { verbs: ['*'], resources: ['*'], apiGroups: ['*'] }, { path: '/metrics' }, false],
    ['allows every verb with *', { verbs: ['*'] }, { resource: 'pods', verb: 'explode' }, true],
    ['allows every group with *', { apiGroups: ['*'] }, { resource: 'pods', group: 'x' }, true],
    ['allows every resource with *', { resources: ['*'] }, { resource: 'moons' }, true],
    ['allows every subresource with *', { resources: ['*'] }, { resource: 'moons', subresource: 'orbit' }, true],
    ['allows one subresource', { resources: ['pods/log'] }, { resource: 'pods', subresource: 'log' }, true],
    ['allows not its object', { resources: ['pods/log'] }, { resource: 'pods' }, false],
    ['allows a subresource of all', { resources: ['*/scale'] }, { resource: 'sets', subresource: 'scale' }, true],
    ['allows no other one then', { resources: ['*/scale'] }, { resource: 'sets', subresource: 'status' }, false],
    ['allows no object then', { resources: ['*/scale'] }, { resource: 'scale' }, false],
    ['does not know pods/*', { resources: ['pods/*'] }, { resource: 'pods', subresource: 'log' }, false],
    ['allows a name it lists', { resourceNames: ['a', 'b'] }, { resource: 'pods', name: 'b' }, true],
    ['allows no other name', { resourceNames: ['a'] }, { resource: 'pods', name: 'b' }, false],
    ['allows nothing without a name', { resourceNames: ['a'] }, { resource: 'pods' }, false],
    ['takes * for a plain name', { resourceNames: ['*'] }, { resource: 'pods', name: 'a' }, false],
    ['allows nothing without verbs', { verbs: null }, { resource: 'pods' }, false],
    ['holds in every namespace when bound cluster-wide', {}, { resource: 'pods', namespace: 'x' }, true],
  ])('%s', (_, rule, wanted, allowed) => {
    expect(ask(holding({ ...pods, ...rule }), wanted).decision).toBe(allowed ? 'allow' : 'abstain');
  });
});

describe('a rule about paths', () => {
  it.each<[string, string[], string, boolean]>([
    ['allows the path', ['/metrics'], '/metrics', true],
    ['allows nothing below it', ['/metrics'], '/metrics/x', false],
    ['allows any rest with a trailing *', ['/healthz/*'], '/healthz/etcd/x', true],
    ['allows not the path before the slash then', ['/healthz/*'], '/healthz', false],
    ['takes an inner * literally', ['/a/*/b'], '/a/x/b', false],
    ['allows every path with *', ['*'], '/anything', true],
  ])('%s', (_, nonResourceURLs, path, allowed) => {
    expect(ask(holding({ verbs: ['get'], nonResourceURLs }), { path }).decision).toBe(allowed ? 'allow' : 'abstain');
  });

  it('counts only when bound cluster-wide', () => {
    const index = new RbacIndex(GROUP);
    index.setRole('', 'r', [{ verbs: ['get'], nonResourceURLs: ['*'] }]);
    index.setBinding('ns', 'b', [user('alice')], ref('ClusterRole', 'r'));
    expect(ask(index, { path: '/metrics' }).decision).toBe('abstain');
    expect(ask(index, { path: '/metrics', namespace: 'ns' }).decision).toBe('abstain');
  });
});

describe('a binding', () => {
  it('in a namespace grants a role there and nowhere else', () => {
    const index = new RbacIndex(GROUP);
    index.setRole('ns', 'r', [pods]);
    index.setRole('', 'c', [{ ...pods, verbs: ['list'] }]);
    index.setBinding('ns', 'one', [user('alice')], ref('Role', 'r'));
    index.setBinding('ns', 'two', [user('alice')], ref('ClusterRole', 'c'));
    for (const verb of ['get', 'list']) {
      expect(ask(index, { verb, resource: 'pods', namespace: 'ns' }).decision).toBe('allow');
      expect(ask(index, { verb, resource: 'pods', namespace: 'other' }).decision).toBe('abstain');
      expect(ask(index, { verb, resource: 'pods' }).decision).toBe('abstain');
    }
  });

  it('in a namespace covers the object of that namespace itself', () => {
    const index = new RbacIndex(GROUP);
    index.setRole('ns', 'r', [{ verbs: ['get'], apiGroups: [''], resources: ['namespaces'] }]);
    index.setBinding('ns', 'b', [user('alice')], ref('Role', 'r'));
    expect(ask(index, { resource: 'namespaces', name: 'ns', namespace: 'ns' }).decision).toBe('allow');
    expect(ask(index, { resource: 'namespaces', name: 'x', namespace: 'x' }).decision).toBe('abstain');
    expect(ask(index, { resource: 'namespaces', verb: 'list' }).decision).toBe('abstain');
  });

  it('across the cluster never leads to a namespaced role', () => {
    const index = new RbacIndex(GROUP);
    index.setRole('', 'r', [pods]);
    index.setRole('ns', 'r', [pods]);
    index.setBinding('', 'b', [user('alice')], ref('Role', 'r'));
    index.setBinding('ns', 'b', [user('alice')], ref('Planet', 'r'));
    expect(ask(index, { resource: 'pods', namespace: 'ns' }).decision).toBe('abstain');
  });

  it.each<[string, Subject, Request, boolean]>([
    ['a user', user('alice'), { user: 'alice' }, true],
    ['a user, not a group', user('alice'), { user: 'bob', groups: ['alice'] }, false],
    ['a group', group('dev'), { user: 'bob', groups: ['ops', 'dev'] }, true],
    ['a group, not a user', group('dev'), { user: 'dev' }, false],
    ['an account', { kind: 'ServiceAccount', name: 'a', namespace: 'x' }, { user: 'system:serviceaccount:x:a' }, true],
    [
      'an account of its own namespace',
      { kind: 'ServiceAccount', name: 'a' },
      { user: 'system:serviceaccount:ns:a' },
      true,
    ],
    ['nobody else', { kind: 'Robot', name: 'alice' }, { user: 'alice', groups: ['alice'] }, false],
    ['__proto__, a plain user', user('__proto__'), { user: '__proto__' }, true],
    ['__proto__, a plain group', group('__proto__'), { user: 'bob', groups: ['__proto__'] }, true],
  ])('grants to %s', (_, subject, wanted, allowed) => {
    const index = new RbacIndex(GROUP);
    index.setRole('ns', 'r', [pods]);
    index.setBinding('ns', 'b', [subject], ref('Role', 'r'));
    const ours = ask(index, { ...wanted, resource: 'pods', namespace: 'ns' });
    expect(ours.decision).toBe(allowed ? 'allow' : 'abstain');
    const nobody = ask(index, { user: 'constructor', groups: ['toString'], resource: 'pods', namespace: 'ns' });
    expect(nobody.decision).toBe('abstain');
  });

  it('across the cluster needs the namespace of an account', () => {
    const index = new RbacIndex(GROUP);
    index.setRole('', 'r', [pods]);
    index.setBinding('', 'b', [{ kind: 'ServiceAccount', name: 'a' }], ref('ClusterRole', 'r'));
    expect(ask(index, { user: 'system:serviceaccount::a', resource: 'pods' }).decision).toBe('abstain');
  });
});

describe('the reason', () => {
  it('says which binding gave the right', () => {
    const index = holding(pods);
    index.setRole('ns', 'y', [{ ...pods, verbs: ['list'] }]);
    index.setBinding('ns', 'x', [group('dev'), { kind: 'ServiceAccount', name: 'bot' }], ref('Role', 'y'));
    expect(ask(index, { resource: 'pods' }).reason).toBe(
      'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "r" to User "alice"',
    );
    const inNamespace = { verb: 'list', resource: 'pods', namespace: 'ns' };
    expect(ask(index, { ...inNamespace, groups: ['dev'] }).reason).toBe(
      'RBAC: allowed by RoleBinding "x/ns" of Role "y" to Group "dev"',
    );
    expect(ask(index, { ...inNamespace, user: 'system:serviceaccount:ns:bot' }).reason).toBe(
      'RBAC: allowed by RoleBinding "x/ns" of Role "y" to ServiceAccount "bot/ns"',
    );
  });

  it('says which roles are missing', () => {
    const index = new RbacIndex(GROUP);
    index.setBinding('', 'b', [user('alice')], ref('ClusterRole', 'gone'));
    expect(ask(index, { resource: 'pods' }).reason).toBe(`RBAC: clusterrole.${GROUP} "gone" not found`);
    index.setBinding('ns', 'b', [user('alice'), group('dev')], ref('Role', 'none'));
    expect(ask(index, { resource: 'pods', namespace: 'ns', groups: ['dev'] }).reason).toBe(
      `RBAC: [clusterrole.${GROUP} "gone" not found, role.${GROUP} "none" not found]`,
    );
    expect(ask(index, { user: 'bob', resource: 'pods' }).reason).toBe('');
  });
});

describe('the index follows changes', () => {
  it('of roles, whichever of role and binding comes first', () => {
    const index = new RbacIndex(GROUP);
    index.setBinding('', 'b', [user('alice')], ref('ClusterRole', 'r'));
    expect(ask(index, { resource: 'pods' }).decision).toBe('abstain');
    index.setRole('', 'r', [pods]);
    expect(ask(index, { resource: 'pods' }).decision).toBe('allow');
    index.setRole('', 'r', null);
    expect(ask(index, { resource: 'pods' })).toEqual({ decision: 'abstain', reason: '' });
    index.setRole('', 'r', [pods]);
    index.removeRole('', 'r');
    expect(ask(index, { resource: 'pods' }).reason).toContain('not found');
  });

  it('of bindings, leaving alone others to the same role and user', () => {
    const index = holding(pods);
    index.setBinding('', 'again', [user('alice'), user('alice')], ref('ClusterRole', 'r'));
    index.removeBinding('', 'b');
    expect(ask(index, { resource: 'pods' }).decision).toBe('allow');
    index.setBinding('', 'again', [user('bob')], ref('ClusterRole', 'r'));
    expect(ask(index, { resource: 'pods' }).decision).toBe('abstain');
    expect(ask(index, { user: 'bob', resource: 'pods' }).decision).toBe('allow');
    index.removeBinding('', 'again');
    index.removeBinding('', 'again');
    expect(ask(index, { user: 'bob', resource: 'pods' }).decision).toBe('abstain');
    expect(index.roleRules('', 'r')).toEqual([pods]);
  });
});

describe('the rules of a user', () => {
  it('are those held cluster-wide and in the namespace, resources and paths apart', () => {
    const index = holding(pods, { verbs: ['get'], nonResourceURLs: ['/metrics'] });
    index.setRole('ns', 'r', [{ verbs: ['list'], apiGroups: [''], resources: ['secrets'], resourceNames: ['a'] }]);
    index.setBinding('ns', 'b', [group('dev')], ref('Role', 'r'));
    index.setBinding('ns', 'c', [group('dev')], ref('Role', 'none'));
    const alice = request({ groups: ['dev'] }).user;
    expect(index.rulesFor(alice, 'ns')).toEqual({
      resourceRules: [
        { ...pods, resourceNames: [] },
        { verbs: ['list'], apiGroups: [''], resources: ['secrets'], resourceNames: ['a'] },
      ],
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }],
      incomplete: false,
      problem: `role.${GROUP} "none" not found`,
    });
    expect(index.policyRulesFor(alice, '')).toEqual([pods, { verbs: ['get'], nonResourceURLs: ['/metrics'] }]);
    expect(index.policyRulesFor(request({ user: 'bob' }).user, 'ns')).toEqual([]);
  });
});
