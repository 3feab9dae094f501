import type { HookContext } from '../../registry/resource-type.ts';
import type { Draft } from '../../schema/draft.ts';
import type { ClusterRoleBinding } from './cluster-role-binding.ts';
import type { RoleBinding } from './role-binding.ts';

/** Roles, users and groups belong to this group; service accounts to the core group, whose name is empty. */
export function fillApiGroups(
  { roleRef, subjects }: Draft<ClusterRoleBinding | RoleBinding>,
  { vocabulary }: HookContext,
): void {
  const ours = vocabulary.groups.rbac;
  roleRef.apiGroup ||= ours;
  for (const subject of subjects ?? []) {
    if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ||= ours;
  }
}
