import { pathSegment } from '../../meta/formats.ts';
import { type ResourceType, resourceType } from '../../registry/resource-type.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { fillApiGroups } from './binding-preparation.ts';
import { validateBindingUpdate, validateClusterRoleBinding, validateRoleBinding } from './binding-validation.ts';
import { ClusterRole } from './cluster-role.ts';
import { ClusterRoleBinding } from './cluster-role-binding.ts';
import { bindingColumns } from './columns.ts';
import { Role } from './role.ts';
import { RoleBinding } from './role-binding.ts';
import { validateClusterRole, validateRole } from './role-validation.ts';

export function rbacResources(v: Vocabulary): readonly ResourceType[] {
  const rbac = {
    group: v.groups.rbac,
    version: 'v1',
    nameRule: pathSegment,
    strategy: { createOnUpdate: true },
  } as const;
  return [
    resourceType<ClusterRoleBinding>({
      ...rbac,
      kind: 'ClusterRoleBinding',
      plural: 'clusterrolebindings',
      namespaced: false,
      schema: ClusterRoleBinding,
      columns: bindingColumns,
      complete: fillApiGroups,
      validate: validateClusterRoleBinding,
      rules: {
        validateUpdate: validateBindingUpdate,
      },
    }),
    resourceType<ClusterRole>({
      ...rbac,
      kind: 'ClusterRole',
      plural: 'clusterroles',
      namespaced: false,
      schema: ClusterRole,
      validate: validateClusterRole,
    }),
    resourceType<RoleBinding>({
      ...rbac,
      kind: 'RoleBinding',
      plural: 'rolebindings',
      namespaced: true,
      schema: RoleBinding,
      columns: bindingColumns,
      complete: fillApiGroups,
      validate: validateRoleBinding,
      rules: {
        validateUpdate: validateBindingUpdate,
      },
    }),
    resourceType<Role>({
      ...rbac,
      kind: 'Role',
      plural: 'roles',
      namespaced: true,
      schema: Role,
      validate: validateRole,
    }),
  ];
}
