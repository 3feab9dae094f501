import type { ClusterRole } from '../../kinds/rbac/cluster-role.ts';
import type { ClusterRoleBinding } from '../../kinds/rbac/cluster-role-binding.ts';
import type { Role } from '../../kinds/rbac/role.ts';
import type { RoleBinding } from '../../kinds/rbac/role-binding.ts';
import type { ApiObject } from '../../registry/resource-type.ts';
import type { RbacIndex } from './rbac-index.ts';

export interface ObjectListener {
  /** A stored object, or a new version of one. */
  onSet(object: ApiObject): void;
  /** The last version of an object that is gone. */
  onRemove(object: ApiObject): void;
}

/** Tells of stored objects. */
export interface ObjectSource {
  /** Tells of every object of the resource that there is, then of every change, in order. */
  follow(resource: { readonly group: string; readonly plural: string }, listener: ObjectListener): void;
}

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
