import type { ClusterRole as DeclaredClusterRole } from '../../../kinds/rbac/cluster-role.ts';
import type { ClusterRoleBinding as DeclaredClusterRoleBinding } from '../../../kinds/rbac/cluster-role-binding.ts';
import type { Role as DeclaredRole } from '../../../kinds/rbac/role.ts';
import type { RoleBinding as DeclaredRoleBinding } from '../../../kinds/rbac/role-binding.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import { inGroup } from '../object-kind.ts';

const { groups } = vocabularies.platform;
const rbac = inGroup(groups.rbac, 'v1');

export type ClusterRoleBinding = DeclaredClusterRoleBinding;
export const ClusterRoleBinding = rbac.clusterWide<ClusterRoleBinding>('ClusterRoleBinding', 'clusterrolebindings');

export type ClusterRole = DeclaredClusterRole;
export const ClusterRole = rbac.clusterWide<ClusterRole>('ClusterRole', 'clusterroles');

export type RoleBinding = DeclaredRoleBinding;
export const RoleBinding = rbac.namespaced<RoleBinding>('RoleBinding', 'rolebindings');

export type Role = DeclaredRole;
export const Role = rbac.namespaced<Role>('Role', 'roles');
