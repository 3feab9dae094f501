import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UserInfo } from '../../api/user.ts';
import { AbacAuthorizer } from '../../authorization/abac/abac-authorizer.ts';
import { alwaysAllow, alwaysDeny } from '../../authorization/always.ts';
import type { Authorizer, Wanted } from '../../authorization/attributes.ts';
import { authorizerFor } from '../../authorization/modes.ts';
import { NodeAuthorizer } from '../../authorization/node/node-authorizer.ts';
import { NodeRelations } from '../../authorization/node/node-relations.ts';
import { RbacIndex } from '../../authorization/rbac/rbac-index.ts';
import { union } from '../../authorization/union.ts';
import type { PolicyRule } from '../../kinds/rbac/policy-rule.ts';
import { systemRuntime } from '../../runtime/runtime.ts';
import { vocabularies } from '../../vocabulary/vocabulary.ts';
import { whoCan } from './who-can.ts';

const getPods: Wanted = {
  verb: 'get',
  resourceRequest: true,
  group: '',
  version: '',
  resource: 'pods',
  subresource: '',
  namespace: 'a',
  name: '',
  path: '',
};
const user = (name: string, ...groups: string[]): UserInfo => ({ name, uid: '', groups, extra: new Map() });
const ask = (authorizer: Authorizer, wanted: Partial<Wanted> = {}) =>
  whoCan(authorizer, { ...getPods, ...wanted }, systemRuntime);
const found = async (authorizer: Authorizer, wanted: Partial<Wanted> = {}): Promise<string[]> =>
  ((await ask(authorizer, wanted)).subjects ?? []).map(
    ({ kind, namespace, name }) => `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`,
  );

const some = (...words: string[]) => fc.uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 3 });
const ACCOUNT = 'system:serviceaccount:a:ann';
const NAMES = ['ann', 'bob', 'eve', '__proto__'];
const rule: fc.Arbitrary<PolicyRule> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record(
      {
        verbs: some('get', 'list', 'create', '*'),
        apiGroups: some('', 'apps', '*'),
        resources: some('pods', 'pods/log', '*/log', 'sets', '*'),
        resourceNames: some('x', 'y'),
      },
      { requiredKeys: ['verbs', 'apiGroups', 'resources'] },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({ verbs: some('get', '*'), nonResourceURLs: some('/a', '/a/*', '/b', '*') }),
  },
);
const role = fc.record({
  namespace: fc.constantFrom('', 'a', 'b'),
  name: fc.constantFrom('r', 's'),
  rules: fc.array(rule, { maxLength: 3 }),
});
const binding = fc.record({
  namespace: fc.constantFrom('', 'a', 'b'),
  name: fc.constantFrom('k', 'l', 'm', 'n'),
  subjects: fc.array(
    fc.record(
      {
        kind: fc.constantFrom('User', 'Group', 'ServiceAccount'),
        name: fc.oneof(fc.constantFrom(...NAMES), fc.constant(ACCOUNT)),
        namespace: fc.constantFrom('a', 'b'),
      },
      { requiredKeys: ['kind', 'name'] },
    ),
    { maxLength: 4 },
  ),
  roleRef: fc.record({
    apiGroup: fc.constant('rbac'),
    kind: fc.constantFrom('Role', 'ClusterRole'),
    name: fc.constantFrom('r', 's', 'missing'),
  }),
});
const question: fc.Arbitrary<Wanted> = fc.record({
  verb: fc.constantFrom('get', 'list', 'create', 'delete'),
  resourceRequest: fc.constantFrom(true, true, true, false),
  group: fc.constantFrom('', 'apps', 'other'),
  version: fc.constant('v1'),
  resource: fc.constantFrom('pods', 'sets'),
  subresource: fc.constantFrom('', 'log', 'status'),
  namespace: fc.constantFrom('', 'a', 'b'),
  name: fc.constantFrom('', 'x', 'z'),
  path: fc.constantFrom('/a', '/a/b', '/b', '/c'),
});
const accounts = ['a', 'b', 'c'].flatMap((namespace) => [...NAMES, ACCOUNT].map((name) => ({ namespace, name })));
const canBe = ({ name }: { readonly name: string }): boolean => /^[a-z]+$/.test(name);

/** Everybody there could be, each alone: what a question about one of them is answered with decides. */
const everybody: readonly (readonly [string, UserInfo])[] = [
  ...[...NAMES, 'stranger'].map((name) => [`User ${name}`, user(name)] as const),
  ...[...NAMES, ACCOUNT, 'stranger'].map((name) => [`Group ${name}`, user('', name)] as const),
  ...accounts
    .filter(canBe)
    .map(
      ({ namespace, name }) =>
        [`ServiceAccount ${namespace}/${name}`, user(`system:serviceaccount:${namespace}:${name}`)] as const,
    ),
  ...accounts
    .filter((account) => !canBe(account))
    .map(({ namespace, name }) => {
      const account = `system:serviceaccount:${namespace}:${name}`;
      // No account can have that name: whoever a binding means by it is a user.
      return [`User ${account}`, user(account)] as const;
    }),
];

describe('who can', () => {
  it('names exactly those who are allowed it when each is asked about, and why each is', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(role, { maxLength: 6 }),
        fc.array(binding, { maxLength: 8 }),
        fc.array(question, { minLength: 1, maxLength: 6 }),
        async (roles, bindings, questions) => {
          const index = new RbacIndex('rbac');
          for (const { namespace, name, subjects, roleRef } of bindings) {
            index.setBinding(namespace, name, subjects, roleRef);
          }
          for (const { namespace, name, rules } of roles) index.setRole(namespace, name, rules);
          for (const wanted of questions) {
            const isAllowed = (who: UserInfo): boolean =>
              index.authorize({ ...wanted, user: who }).decision === 'allow';
            const allowed = everybody.filter(([, who]) => isAllowed(who)).map(([name]) => name);
            expect(await found(index, wanted)).toEqual(allowed.toSorted());
            await eachGrantIsEnough(index, wanted);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  /** A binding to a role of one rule, of those that are told, lets the subject in by itself. */
  async function eachGrantIsEnough(index: RbacIndex, wanted: Wanted): Promise<void> {
    for (const { kind, namespace = '', name, grants } of (await ask(index, wanted)).subjects ?? []) {
      for (const { binding: by, role: of, rules } of grants ?? []) {
        expect(rules?.length).toBeGreaterThan(0);
        for (const one of rules ?? []) {
          const alone = new RbacIndex('rbac');
          alone.setRole(of?.namespace ?? '', of?.name ?? '', [one]);
          const subject = { kind, namespace, name };
          const roleRef = { apiGroup: 'rbac', kind: of?.kind ?? '', name: of?.name ?? '' };
          alone.setBinding(by?.namespace ?? '', by?.name ?? '', [subject], roleRef);
          expect((await ask(alone, wanted)).subjects).toHaveLength(1);
        }
      }
    }
  }

  it('takes turns, and counts whom it does not show', async () => {
    const index = new RbacIndex('rbac');
    index.setRole('', 'r', [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }]);
    const roleRef = { apiGroup: 'rbac', kind: 'ClusterRole', name: 'r' };
    for (let at = 0; at < 30_000; at++) index.setBinding('', `b${at}`, [{ kind: 'User', name: `u${at}` }], roleRef);
    for (let at = 0; at < 30; at++) index.setBinding('a', `b${at}`, [{ kind: 'User', name: 'u0' }], roleRef);
    const { subjects, omittedSubjects } = await ask(index);
    expect(subjects).toHaveLength(500);
    expect(omittedSubjects).toBe(29_500);
    expect(subjects?.find(({ name }) => name === 'u0')).toMatchObject({ omittedGrants: 11 });
  });

  it('shows of a long rule what the question is about', async () => {
    const index = new RbacIndex('rbac');
    const many = Array.from({ length: 1_000 }, (_, at) => `r${at}`);
    index.setRole('', 'r', [{ verbs: ['get'], apiGroups: [''], resources: [...many, 'pods'] }]);
    index.setBinding('', 'b', [{ kind: 'User', name: 'ann' }], { apiGroup: 'rbac', kind: 'ClusterRole', name: 'r' });
    const { subjects } = await ask(index);
    expect(subjects?.[0]?.grants?.[0]?.rules?.[0]?.resources).toEqual(['pods']);
  });
});

describe('modes other than RBAC', () => {
  const policy = {
    user: '',
    group: '',
    readonly: true,
    apiGroup: '',
    resource: 'pods',
    namespace: 'a',
    nonResourcePath: '',
  };

  it('are asked as well, in order, behind the privileged group', async () => {
    const abac = new AbacAuthorizer([
      { ...policy, user: 'ann' },
      { ...policy, group: 'dev' },
      { ...policy, user: 'bob', group: 'ops' },
      { ...policy, user: 'eve', namespace: 'b' },
    ]);
    const authorizer = authorizerFor(['ABAC'], { ABAC: abac });
    expect(await found(authorizer)).toEqual(['Group dev', 'Group system:masters', 'User ann', 'User bob']);
    const { subjects, incomplete } = await ask(authorizer);
    expect(incomplete).toBe(false);
    expect(subjects?.find(({ name }) => name === 'bob')?.grants).toMatchObject([
      { mode: 'ABAC', condition: 'the user is in the group "ops"' },
    ]);
    expect(await found(authorizer, { verb: 'delete' })).toEqual(['Group system:masters']);
  });

  it('end the search where nothing is left to others', async () => {
    const abac = new AbacAuthorizer([{ ...policy, user: 'ann' }]);
    expect(await found(authorizerFor(['AlwaysDeny', 'ABAC'], { ABAC: abac }))).toEqual(['Group system:masters']);
    expect(await ask(authorizerFor(['AlwaysAllow', 'ABAC'], { ABAC: abac }))).toMatchObject({
      everyone: true,
      subjects: [{ kind: 'Group', name: 'system:masters' }],
    });
  });

  it('that cannot list whom they allow make the answer incomplete', async () => {
    const webhook: Authorizer = { mode: 'Webhook', authorize: () => ({ decision: 'abstain', reason: '' }) };
    expect(await ask(union([webhook, alwaysAllow, alwaysDeny]))).toMatchObject({
      everyone: true,
      incomplete: true,
      evaluationError: 'Webhook cannot list whom it allows, and may refuse what modes after it allow',
    });
  });

  it('tell of nodes by what belongs to them', async () => {
    const relations = new NodeRelations('mirror');
    relations.setAttachment({ metadata: { name: 'held' }, spec: { nodeName: 'n1' } } as Parameters<
      NodeRelations['setAttachment']
    >[0]);
    const node = new NodeAuthorizer(relations, vocabularies.platform);
    const group = vocabularies.platform.groups.storage;
    const attachments = { group, resource: 'volumeattachments', namespace: '' };
    expect(await found(node, { ...attachments, name: 'held' })).toEqual(['User system:node:n1']);
    expect(await found(node, { ...attachments, name: 'other' })).toEqual([]);
    expect(await found(node, { resource: 'services', verb: 'list', namespace: '' })).toEqual(['Group system:nodes']);
    const lease = { group: vocabularies.platform.groups.coordination, resource: 'leases', name: 'n7' };
    const namespace = vocabularies.platform.namespaces.nodeLease;
    expect(await found(node, { ...lease, namespace, verb: 'update' })).toEqual(['User system:node:n7']);
    expect(await found(node, { ...lease, namespace: 'a', verb: 'update' })).toEqual([]);
  });
});
