import { formattedIfSet, named, required } from '../../meta/field-rules.ts';
import { dns1123Subdomain, pathSegment } from '../../meta/formats.ts';
import type { HookContext } from '../../registry/resource-type.ts';
import { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import { sameValue } from '../../schema/same-value.ts';
import type { ClusterRoleBinding } from './cluster-role-binding.ts';
import type { RoleBinding } from './role-binding.ts';
import type { RoleRef, Subject } from './subject.ts';

const ROLE_REF = Path.of('roleRef');
const SUBJECTS = Path.of('subjects');

export function validateRoleBinding(binding: RoleBinding, problems: Problems, context: HookContext): void {
  validateRoleRef(binding.roleRef, ['ClusterRole', 'Role'], problems, context);
  binding.subjects?.forEach((subject, at) => {
    validateSubject(subject, SUBJECTS.index(at), problems, context);
  });
}

export function validateClusterRoleBinding(
  binding: ClusterRoleBinding,
  problems: Problems,
  context: HookContext,
): void {
  validateRoleRef(binding.roleRef, ['ClusterRole'], problems, context);
  binding.subjects?.forEach((subject, at) => {
    validateSubject(subject, SUBJECTS.index(at), problems, context);
    if (subject.kind === 'ServiceAccount') required(problems, SUBJECTS.index(at), 'namespace', subject.namespace);
  });
}

function validateRoleRef(
  { apiGroup, kind, name }: RoleRef,
  kinds: readonly string[],
  problems: Problems,
  { vocabulary }: HookContext,
): void {
  const { rbac } = vocabulary.groups;
  if (apiGroup !== rbac) problems.notSupported(ROLE_REF.child('apiGroup'), apiGroup, [rbac]);
  if (!kinds.includes(kind)) problems.notSupported(ROLE_REF.child('kind'), kind, kinds);
  named(problems, ROLE_REF, 'name', name, pathSegment);
}

const SUBJECT_KINDS = ['Group', 'ServiceAccount', 'User'];

function validateSubject(subject: Subject, path: Path, problems: Problems, { vocabulary }: HookContext): void {
  const { kind, name, apiGroup = '' } = subject;
  required(problems, path, 'name', name);
  if (!SUBJECT_KINDS.includes(kind)) {
    problems.notSupported(path.child('kind'), kind, SUBJECT_KINDS);
    return;
  }
  const isAccount = kind === 'ServiceAccount';
  if (isAccount) formattedIfSet(problems, path, 'name', name, dns1123Subdomain);
  const group = isAccount ? '' : vocabulary.groups.rbac;
  if (apiGroup !== group) problems.notSupported(path.child('apiGroup'), apiGroup, [group]);
}

/** Whom a role is given to may change, which role may not: that would be a new binding. */
export function validateBindingUpdate(
  { roleRef }: RoleBinding | ClusterRoleBinding,
  old: RoleBinding | ClusterRoleBinding,
  problems: Problems,
): void {
  if (!sameValue(roleRef, old.roleRef)) problems.invalid(ROLE_REF, roleRef, 'cannot change roleRef');
}
