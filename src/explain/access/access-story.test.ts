import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UserInfo } from '../../api/user.ts';
import { alwaysDeny } from '../../authorization/always.ts';
import type { Attributes, Authorizer } from '../../authorization/attributes.ts';
import { authorizerFor } from '../../authorization/modes.ts';
import { RbacIndex } from '../../authorization/rbac/rbac-index.ts';
import { union } from '../../authorization/union.ts';
import type { PolicyRule } from '../../kinds/rbac/policy-rule.ts';
import type { RoleRef, Subject } from '../../kinds/rbac/subject.ts';
import { systemRuntime } from '../../runtime/runtime.ts';
import { vocabularies } from '../../vocabulary/vocabulary.ts';
import { accessStory } from './access-story.ts';

const GROUP = vocabularies.platform.groups.rbac;
const user = (name: string, ...groups: string[]): UserInfo => ({ name, uid: '', groups, extra: new Map() });
const getPodLog: Attributes = {
  user: user('ann', 'dev'),
  verb: 'get',
  resourceRequest: true,
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: 'log',
  namespace: 'red',
  name: 'web',
  path: '',
};
const ref = (kind: string, name: string): RoleRef => ({ apiGroup: GROUP, kind, name });
const on = (verbs: string, resources: string, ...resourceNames: string[]): PolicyRule => ({
  verbs: verbs.split(' '),
  apiGroups: [''],
  resources: resources.split(' '),
  ...(resourceNames.length > 0 && { resourceNames }),
});
const ann: Subject = { kind: 'User', name: 'ann' };

const storyOf = (rbac: RbacIndex, attributes: Partial<Attributes> = {}, authorizer: Authorizer = union([rbac])) =>
  accessStory(
    { rbac, authorizer, vocabulary: vocabularies.platform, runtime: systemRuntime },
    { ...getPodLog, ...attributes },
  );

describe('the story of a denial', () => {
  it('tells the rules that come near, the nearest first, with what they lack', async () => {
    const rbac = new RbacIndex(GROUP);
    rbac.setRole('red', 'names', [on('get', 'pods/log', 'other')]);
    rbac.setRole('red', 'plain', [on('get list', 'pods'), on('list', 'services')]);
    rbac.setRole('', 'logs', [on('get', 'pods/log')]);
    rbac.setBinding('red', 'a', [ann], ref('Role', 'names'));
    rbac.setBinding('red', 'b', [{ kind: 'Group', name: 'dev' }], ref('Role', 'plain'));
    rbac.setBinding('blue', 'c', [ann], ref('ClusterRole', 'logs'));
    const { allowed, nearestRules } = await storyOf(rbac);
    expect(allowed).toBe(false);
    expect(nearestRules?.map(({ role, binding, lacks }) => [role?.name, binding?.namespace, lacks])).toEqual([
      ['names', 'red', ['Name']],
      ['logs', 'blue', ['Namespace']],
      ['plain', 'red', ['Subresource']],
    ]);
    expect(nearestRules?.[2]?.holder).toMatchObject({ kind: 'Group', name: 'dev' });
  });

  it('tells which stored roles would do, the least powerful first', async () => {
    const rbac = new RbacIndex(GROUP);
    rbac.setRole('', 'admin', [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }]);
    rbac.setRole('', 'pods', [on('get list watch', 'pods pods/log')]);
    rbac.setRole('red', 'one', [on('get', 'pods/log', 'web')]);
    rbac.setRole('blue', 'elsewhere', [on('get', 'pods/log')]);
    rbac.setRole('', 'other', [on('get', 'pods')]);
    const names = async (wanted: Partial<Attributes>) =>
      (await storyOf(rbac, wanted)).sufficientRoles?.map(({ kind, name }) => `${kind} ${name}`);
    expect(await names({})).toEqual(['Role one', 'ClusterRole pods', 'ClusterRole admin']);
    expect(await names({ namespace: '', name: '' })).toEqual(['ClusterRole pods', 'ClusterRole admin']);
  });

  it('says where no role could help, and why', async () => {
    const rbac = new RbacIndex(GROUP);
    const first = await storyOf(rbac, {}, union([alwaysDeny, rbac]));
    expect(first).toMatchObject({
      denied: true,
      reason: 'everything is forbidden',
      note: 'AlwaysDeny refuses it before RBAC is asked',
      modes: [{ mode: 'AlwaysDeny', decision: 'Deny' }],
    });
    expect(first.leastGrant).toBeUndefined();
    const without = authorizerFor(['AlwaysDeny'], {});
    expect((await storyOf(rbac, {}, without)).note).toBe('RBAC is not among the authorization modes');
  });

  it('proposes no name that another role has', async () => {
    const rbac = new RbacIndex(GROUP);
    const nameOf = async (wanted: Partial<Attributes> = {}) =>
      (await storyOf(rbac, wanted)).leastGrant?.role as { metadata: { name: string } } | undefined;
    expect((await nameOf())?.metadata.name).toBe('ann-get-pods-log-web');
    rbac.setRole('red', 'ann-get-pods-log-web', [on('get', 'pods')]);
    expect((await nameOf())?.metadata.name).toBe('ann-get-pods-log-web-2');
    const strange = { user: user('Ä"%/..\n'), resource: 'x/..', name: '%' };
    expect((await nameOf(strange))?.metadata.name).toMatch(/^[a-z0-9-]+$/);
  });
});

describe('the story of what is allowed', () => {
  it('tells every way it is', async () => {
    const rbac = new RbacIndex(GROUP);
    rbac.setRole('', 'logs', [on('list', 'pods'), on('get', 'pods/log')]);
    rbac.setBinding('', 'all', [{ kind: 'Group', name: 'dev' }], ref('ClusterRole', 'logs'));
    rbac.setBinding('red', 'here', [ann], ref('ClusterRole', 'logs'));
    rbac.setBinding('blue', 'there', [ann], ref('ClusterRole', 'logs'));
    rbac.setBinding('', 'others', [{ kind: 'User', name: 'bob' }], ref('ClusterRole', 'logs'));
    const story = await storyOf(rbac);
    expect(story.allowed).toBe(true);
    expect(story.grants?.map(({ holder, binding, rules }) => [holder?.name, binding?.name, rules])).toEqual([
      ['dev', 'all', [on('get', 'pods/log')]],
      ['ann', 'here', [on('get', 'pods/log')]],
    ]);
    expect(story.leastGrant).toBeUndefined();
  });
});

const word = (...words: string[]) => fc.constantFrom(...words);
const denied: fc.Arbitrary<Attributes> = fc.record({
  user: fc
    .record({ name: word('ann', 'system:serviceaccount:red:bot', ''), groups: fc.constant(['dev', 'ops']) })
    .map(({ name, groups }) => user(name, ...groups)),
  verb: word('get', 'create', 'list', '*'),
  resourceRequest: fc.boolean(),
  group: word('', 'apps'),
  version: fc.constant('v1'),
  resource: word('pods', 'sets'),
  subresource: word('', 'log'),
  namespace: word('', 'red'),
  name: word('', 'web'),
  path: word('/a', '/a/b'),
});

it('the least grant allows what was denied and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(denied, fc.array(denied, { maxLength: 20 }), async (wanted, others) => {
      const { leastGrant } = await storyOf(new RbacIndex(GROUP), wanted);
      const role = leastGrant?.role as { metadata: { name: string; namespace?: string }; rules: PolicyRule[] };
      const binding = leastGrant?.binding as {
        metadata: { name: string; namespace?: string };
        subjects: Subject[];
        roleRef: RoleRef;
      };
      const rbac = new RbacIndex(GROUP);
      rbac.setRole(role.metadata.namespace ?? '', role.metadata.name, role.rules);
      rbac.setBinding(binding.metadata.namespace ?? '', binding.metadata.name, binding.subjects, binding.roleRef);
      expect(rbac.authorize(wanted).decision).toBe('allow');
      for (const other of others) {
        if (rbac.authorize(other).decision === 'allow') expect(essence(other, wanted)).toEqual(essence(wanted, wanted));
      }
    }),
    { numRuns: 300 },
  );
});

/**
 * What a grant can tell apart: a verb `*` stands for all, what is created has no name yet, and what is wanted of all names
 * or in all namespaces is wanted of each.
 */
function essence(attributes: Attributes, wanted: Attributes) {
  const { user: who, resourceRequest, path, group, resource, subresource, namespace, name } = attributes;
  const isNamed = wanted.name !== '' && (wanted.verb !== 'create' || wanted.subresource !== '');
  // All of them are in the group that stands for nobody in particular.
  const subject = wanted.user.name === '' ? 'dev' : who.name;
  if (!resourceRequest) return { path };
  return {
    group,
    resource,
    subresource,
    subject,
    ...(wanted.namespace === '' ? {} : { namespace }),
    ...(isNamed ? { name } : {}),
  };
}
