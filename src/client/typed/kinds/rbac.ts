import type { ClusterRole as DeclaredClusterRole } from '../../../kinds/rbac/cluster-role.ts';
import type { ClusterRoleBinding as DeclaredClusterRoleBinding } from '../../../kinds/rbac/cluster-role-binding.ts';
import type { Role as DeclaredRole } from '../../../kinds/rbac/role.ts';
import type { RoleBinding as DeclaredRoleBinding } from '../../../kinds/rbac/role-binding.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import { inGroup, type ObjectKind } from '../object-kind.ts';

const { groups } = vocabularies.platform;
const rbac = inGroup(groups.rbac, 'v1');

export type ClusterRoleBinding = DeclaredClusterRoleBinding;
export const ClusterRoleBinding: ObjectKind<ClusterRoleBinding, false> = rbac.clusterWide(
  'ClusterRoleBinding',
  'clusterrolebindings',
);

export type ClusterRole = DeclaredClusterRole;
export const ClusterRole: ObjectKind<ClusterRole, false> = rbac.clusterWide('ClusterRole', 'clusterroles');

export type RoleBinding = DeclaredRoleBinding;
export const RoleBinding: ObjectKind<RoleBinding, true> = rbac.namespaced('RoleBinding', 'rolebindings');

export type Role = DeclaredRole;
export const Role: ObjectKind<Role, true> = rbac.namespaced('Role', 'roles');
