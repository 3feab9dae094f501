import type { ClusterRole } from '../../kinds/rbac/cluster-role.ts';
import type { ClusterRoleBinding } from '../../kinds/rbac/cluster-role-binding.ts';
import type { Role } from '../../kinds/rbac/role.ts';
import type { RoleBinding } from '../../kinds/rbac/role-binding.ts';
import type { ObjectListener, ObjectSource } from '../../registry/informer.ts';
import type { ApiObject } from '../../registry/resource-type.ts';
import type { RbacIndex } from './rbac-index.ts';

/** Keeps the index equal to the stored roles and bindings; `group` is the API group they are stored under. */
export function feedRbacIndex(index: RbacIndex, source: ObjectSource, group: string): void {
  const roles: ObjectListener = {
    onSet: ({ metadata, rules }: ClusterRole | Role) => index.setRole(...placeOf(metadata), rules),
    onRemove: ({ metadata }) => index.removeRole(...placeOf(metadata)),
  };
  const bindings: ObjectListener = {
    onSet: ({ metadata, subjects, roleRef }: ClusterRoleBinding | RoleBinding) =>
      index.setBinding(...placeOf(metadata), subjects ?? [], roleRef),
    onRemove: ({ metadata }) => index.removeBinding(...placeOf(metadata)),
  };
  source.follow({ group, plural: 'clusterroles' }, roles);
  source.follow({ group, plural: 'roles' }, roles);
  source.follow({ group, plural: 'clusterrolebindings' }, bindings);
  source.follow({ group, plural: 'rolebindings' }, bindings);
}

const placeOf = ({ namespace = '', name = '' }: ApiObject['metadata']): [namespace: string, name: string] => [
  namespace,
  name,
];
