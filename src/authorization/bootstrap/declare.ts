import type { ClusterRole } from '../../kinds/rbac/cluster-role.ts';
import type { ClusterRoleBinding } from '../../kinds/rbac/cluster-role-binding.ts';
import type { PolicyRule } from '../../kinds/rbac/policy-rule.ts';
import type { Role } from '../../kinds/rbac/role.ts';
import type { RoleBinding } from '../../kinds/rbac/role-binding.ts';
import type { Subject } from '../../kinds/rbac/subject.ts';
import type { ObjectMeta } from '../../meta/object-meta.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';

// Lists of words are written as one string, separated by blanks, so that a role reads as a table.

export const READ = 'get list watch';
export const FOLLOW = 'list watch';
export const WRITE = 'create update patch delete deletecollection';
export const ANY = '*';
/** The group of the oldest kinds. */
export const CORE = '';

const sortedWords = (words: string): string[] => words.split(' ').sort();

/** Rights on resources; with `names`, only on objects of these names. */
export function rule(
  verbs: string,
  groups: string | readonly string[],
  resources: string,
  names: readonly string[] = [],
): PolicyRule {
  return {
    verbs: sortedWords(verbs),
    apiGroups: typeof groups === 'string' ? [groups] : [...groups],
    resources: sortedWords(resources),
    ...(names.length === 0 ? {} : { resourceNames: [...names] }),
  };
}

/** Rights on paths that are not resources. */
export const pathRule = (verbs: string, paths: string): PolicyRule => ({
  verbs: sortedWords(verbs),
  nonResourceURLs: sortedWords(paths),
});

/** The right to report what happens, through either kind of event. */
export const reportEvents = (v: Vocabulary): PolicyRule =>
  rule('create patch update', [CORE, v.groups.events], 'events');

/** A role is known by its name; `namespace` is absent for cluster-wide ones. */
interface RoleName {
  readonly name: string;
  readonly namespace?: string;
}

const metadata = (v: Vocabulary, place: RoleName, labels: Readonly<Record<string, string>> = {}): ObjectMeta => ({
  ...place,
  creationTimestamp: null,
  labels: { [v.labels.bootstrapping]: 'rbac-defaults', ...labels },
  annotations: { [v.annotations.rbacAutoupdate]: 'true' },
});

const apiVersion = (v: Vocabulary): string => `${v.groups.rbac}/v1`;

export const clusterRole = (
  v: Vocabulary,
  name: string,
  rules: PolicyRule[],
  labels?: Readonly<Record<string, string>>,
): ClusterRole => ({ kind: 'ClusterRole', apiVersion: apiVersion(v), metadata: metadata(v, { name }, labels), rules });

/** A role whose rules are those of all roles with the label; a controller puts them together. */
export const aggregatedRole = (
  v: Vocabulary,
  name: string,
  label: string,
  labels?: Readonly<Record<string, string>>,
): ClusterRole => ({
  kind: 'ClusterRole',
  apiVersion: apiVersion(v),
  metadata: metadata(v, { name }, labels),
  rules: null,
  aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [label]: 'true' } }] },
});

export const role = (v: Vocabulary, namespace: string, name: string, rules: PolicyRule[]): Role => ({
  kind: 'Role',
  apiVersion: apiVersion(v),
  metadata: metadata(v, { name, namespace }),
  rules,
});

/** Binds the cluster role `roleName`, which also names the binding. */
export const clusterRoleBinding = (v: Vocabulary, roleName: string, subjects: Subject[]): ClusterRoleBinding => ({
  kind: 'ClusterRoleBinding',
  apiVersion: apiVersion(v),
  metadata: metadata(v, { name: roleName }),
  ...(subjects.length === 0 ? {} : { subjects }),
  roleRef: { apiGroup: v.groups.rbac, kind: 'ClusterRole', name: roleName },
});

/** Binds the role `roleName` of the same namespace. */
export const roleBinding = (
  v: Vocabulary,
  namespace: string,
  roleName: string,
  subjects: Subject[],
  name = roleName,
): RoleBinding => ({
  kind: 'RoleBinding',
  apiVersion: apiVersion(v),
  metadata: metadata(v, { name, namespace }),
  subjects,
  roleRef: { apiGroup: v.groups.rbac, kind: 'Role', name: roleName },
});

export const user = (v: Vocabulary, name: string): Subject => ({ kind: 'User', apiGroup: v.groups.rbac, name });
export const group = (v: Vocabulary, name: string): Subject => ({ kind: 'Group', apiGroup: v.groups.rbac, name });

/** A service account of the namespace of the system. */
export const systemAccount = (v: Vocabulary, name: string): Subject => ({
  kind: 'ServiceAccount',
  name,
  namespace: v.namespaces.system,
});
