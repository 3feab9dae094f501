import {
  AUTHENTICATED_GROUP,
  MASTERS_GROUP,
  MONITORING_GROUP,
  SERVICE_ACCOUNTS_GROUP,
  UNAUTHENTICATED_GROUP,
} from '../../api/user.ts';
import type { ClusterRole } from '../../kinds/rbac/cluster-role.ts';
import type { ClusterRoleBinding } from '../../kinds/rbac/cluster-role-binding.ts';
import type { Role } from '../../kinds/rbac/role.ts';
import type { RoleBinding } from '../../kinds/rbac/role-binding.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { certificateRoles } from './certificate-roles.ts';
import { componentRoles } from './component-roles.ts';
import { controllerRights } from './controller-roles.ts';
import { clusterRole, clusterRoleBinding, group, systemAccount, user } from './declare.ts';
import { discoveryRoles } from './discovery-roles.ts';
import { bootstrapRoleBindings, bootstrapRoles } from './namespaced-roles.ts';
import { userFacingRoles } from './user-facing-roles.ts';

const controllerRole = (controller: string): string => `system:controller:${controller}`;

/** What a fresh server starts with, and every start brings back to strength by `reconcile`. */
export const bootstrapClusterRoles = (v: Vocabulary): ClusterRole[] => [
  ...userFacingRoles(v),
  ...discoveryRoles(v),
  ...certificateRoles(v),
  ...componentRoles(v),
  ...controllerRights(v).map(({ name, rules }) => clusterRole(v, controllerRole(name), rules)),
];

/** Gives the roles to groups, processes and the accounts of the control loops. */
export const bootstrapClusterRoleBindings = (v: Vocabulary): ClusterRoleBinding[] => [
  clusterRoleBinding(v, 'cluster-admin', [group(v, MASTERS_GROUP)]),
  clusterRoleBinding(v, 'system:basic-user', [group(v, AUTHENTICATED_GROUP)]),
  clusterRoleBinding(v, 'system:discovery', [group(v, AUTHENTICATED_GROUP)]),
  clusterRoleBinding(v, 'system:public-info-viewer', [group(v, AUTHENTICATED_GROUP), group(v, UNAUTHENTICATED_GROUP)]),
  clusterRoleBinding(v, 'system:service-account-issuer-discovery', [group(v, SERVICE_ACCOUNTS_GROUP)]),
  clusterRoleBinding(v, 'system:monitoring', [group(v, MONITORING_GROUP)]),
  clusterRoleBinding(v, v.systemNames.controllerManager, [user(v, v.systemNames.controllerManager)]),
  clusterRoleBinding(v, v.systemNames.scheduler, [user(v, v.systemNames.scheduler)]),
  clusterRoleBinding(v, 'system:volume-scheduler', [user(v, v.systemNames.scheduler)]),
  clusterRoleBinding(v, v.systemNames.dns, [systemAccount(v, v.components.dns)]),
  clusterRoleBinding(v, 'system:node-proxier', [user(v, v.systemNames.proxy)]),
  clusterRoleBinding(v, 'system:node', []),
  ...controllerRights(v).map(({ name }) => clusterRoleBinding(v, controllerRole(name), [systemAccount(v, name)])),
];

export type PolicyObject = ClusterRole | ClusterRoleBinding | Role | RoleBinding;

/** All objects of the bootstrap policy, roles before the bindings to them. Names are unique within a kind and namespace. */
export const bootstrapPolicy = (v: Vocabulary): PolicyObject[] => [
  ...bootstrapClusterRoles(v),
  ...bootstrapClusterRoleBindings(v),
  ...bootstrapRoles(v),
  ...bootstrapRoleBindings(v),
];
