import { describe, expect, it } from 'vitest';
import { problemsOf, problemsOfChange } from '../../../test/problems-of.ts';
import { validateBindingUpdate, validateClusterRoleBinding, validateRoleBinding } from './binding-validation.ts';
import { ClusterRole } from './cluster-role.ts';
import { ClusterRoleBinding } from './cluster-role-binding.ts';
import { Role } from './role.ts';
import { RoleBinding } from './role-binding.ts';
import { validateClusterRole, validateRole } from './role-validation.ts';

const group = 'rbac.authorization.platform.io';
const resources = { verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['a'] };
const paths = { verbs: ['get'], nonResourceURLs: ['/healthz'] };

describe('a role', () => {
  const refuses = (document: unknown, ...causes: string[]) =>
    expect(problemsOf(Role, { validate: validateRole }, document)).toEqual(causes);

  it('is about resources', () => {
    refuses({ rules: [resources] });
    refuses({ rules: [resources, paths] }, 'Invalid rules[1].nonResourceURLs');
  });

  it.each([
    [{ ...resources, verbs: [] }, 'Required rules[0].verbs'],
    [{ ...resources, apiGroups: [] }, 'Required rules[0].apiGroups'],
    [{ ...resources, resources: [] }, 'Required rules[0].resources'],
  ])('with rule %j is refused', (rule, cause) => {
    refuses({ rules: [rule] }, cause);
  });
});

describe('a cluster role', () => {
  const refuses = (document: unknown, ...causes: string[]) =>
    expect(problemsOf(ClusterRole, { validate: validateClusterRole }, document)).toEqual(causes);

  it('is about resources or paths, not both in one rule', () => {
    refuses({ rules: [resources, paths], aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } });
    refuses({ rules: [{ ...resources, ...paths }] }, 'Invalid rules[0].nonResourceURLs');
  });

  it('that gathers others says which', () => {
    refuses({ aggregationRule: {} }, 'Required aggregationRule.clusterRoleSelectors');
    refuses(
      { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b c' } }] } },
      'Invalid aggregationRule.clusterRoleSelectors[0].matchLabels',
    );
    refuses(
      {
        aggregationRule: {
          clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b c'] }] }],
        },
      },
      'Invalid aggregationRule.clusterRoleSelectors[0]',
    );
  });
});

const roleRef = { apiGroup: group, kind: 'ClusterRole', name: 'r:s' };
const user = { kind: 'User', apiGroup: group, name: 'alice' };
const account = { kind: 'ServiceAccount', name: 'robot', namespace: 'n' };

describe.each([
  ['a role binding', (document: unknown) => problemsOf(RoleBinding, { validate: validateRoleBinding }, document)],
  [
    'a cluster role binding',
    (document: unknown) => problemsOf(ClusterRoleBinding, { validate: validateClusterRoleBinding }, document),
  ],
])('%s', (_name, problems) => {
  it('may have all kinds of subjects', () => {
    expect(problems({ roleRef, subjects: [user, { ...user, kind: 'Group' }, account] })).toEqual([]);
  });

  it.each([
    [{ ...roleRef, apiGroup: 'x' }, 'NotSupported roleRef.apiGroup'],
    [{ ...roleRef, kind: 'Pod' }, 'NotSupported roleRef.kind'],
    [{ ...roleRef, name: '' }, 'Required roleRef.name'],
    [{ ...roleRef, name: 'a/b' }, 'Invalid roleRef.name'],
  ])('of role %j is refused', (ref, cause) => {
    expect(problems({ roleRef: ref })).toEqual([cause]);
  });

  it.each([
    [{ ...user, name: '' }, 'Required subjects[0].name'],
    [{ ...user, kind: 'Robot' }, 'NotSupported subjects[0].kind'],
    [{ ...user, apiGroup: 'x' }, 'NotSupported subjects[0].apiGroup'],
    [{ ...account, apiGroup: group }, 'NotSupported subjects[0].apiGroup'],
    [{ ...account, name: 'A' }, 'Invalid subjects[0].name'],
  ])('of subject %j is refused', (subject, cause) => {
    expect(problems({ roleRef, subjects: [subject] })).toEqual([cause]);
  });
});

it('binds roles of the cluster only, and accounts of a namespace, for the cluster', () => {
  const problems = (document: unknown) =>
    problemsOf(ClusterRoleBinding, { validate: validateClusterRoleBinding }, document);
  expect(problems({ roleRef: { ...roleRef, kind: 'Role' } })).toEqual(['NotSupported roleRef.kind']);
  expect(problems({ roleRef, subjects: [{ ...account, namespace: '' }] })).toEqual(['Required subjects[0].namespace']);
});

it('keeps the role that a binding gives', () => {
  const change = (after: unknown) => problemsOfChange(RoleBinding, validateBindingUpdate, { roleRef }, after);
  expect(change({ roleRef, subjects: [user] })).toEqual([]);
  expect(change({ roleRef: { ...roleRef, name: 'other' } })).toEqual(['Invalid roleRef']);
});
