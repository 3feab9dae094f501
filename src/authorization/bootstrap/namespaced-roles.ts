import type { Role } from '../../kinds/rbac/role.ts';
import type { RoleBinding } from '../../kinds/rbac/role-binding.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { CORE, READ, reportEvents, role, roleBinding, rule, systemAccount, user } from './declare.ts';

const AUTHENTICATION_READER = 'extension-apiserver-authentication-reader';
const BOOTSTRAP_SIGNER = 'bootstrap-signer';
const CLOUD_PROVIDER = 'cloud-provider';
const TOKEN_CLEANER = 'token-cleaner';

const controllerRole = (account: string): string => `system:controller:${account}`;

/** Rights that end at one namespace of the system. */
export function bootstrapRoles(v: Vocabulary): Role[] {
  const { system, public: open } = v.namespaces;
  const { controllerManager, scheduler } = v.components;
  const leaderLock = (name: string, process: string): Role =>
    role(v, system, name, [rule('watch', CORE, 'configmaps'), rule('get update', CORE, 'configmaps', [process])]);
  return [
    role(v, system, AUTHENTICATION_READER, [rule(READ, CORE, 'configmaps', ['extension-apiserver-authentication'])]),
    leaderLock(v.systemNames.leaderLockingControllerManager, controllerManager),
    leaderLock(v.systemNames.leaderLockingScheduler, scheduler),
    role(v, system, controllerRole(BOOTSTRAP_SIGNER), [rule(READ, CORE, 'secrets')]),
    role(v, open, controllerRole(BOOTSTRAP_SIGNER), [
      rule(READ, CORE, 'configmaps'),
      rule('update', CORE, 'configmaps', ['cluster-info']),
      reportEvents(v),
    ]),
    role(v, system, controllerRole(CLOUD_PROVIDER), [rule(`${READ} create`, CORE, 'configmaps')]),
    role(v, system, controllerRole(TOKEN_CLEANER), [rule(`${READ} delete`, CORE, 'secrets'), reportEvents(v)]),
  ];
}

/** Gives them to the processes and accounts they are named after. */
export function bootstrapRoleBindings(v: Vocabulary): RoleBinding[] {
  const { system, public: open } = v.namespaces;
  const { systemNames, components } = v;
  const leader = (roleName: string, userName: string, process: string): RoleBinding =>
    roleBinding(v, system, roleName, [user(v, userName), systemAccount(v, process)]);
  const controller = (namespace: string, account: string): RoleBinding =>
    roleBinding(v, namespace, controllerRole(account), [systemAccount(v, account)]);
  return [
    roleBinding(
      v,
      system,
      AUTHENTICATION_READER,
      [user(v, systemNames.controllerManager), user(v, systemNames.scheduler)],
      `system::${AUTHENTICATION_READER}`,
    ),
    leader(systemNames.leaderLockingControllerManager, systemNames.controllerManager, components.controllerManager),
    leader(systemNames.leaderLockingScheduler, systemNames.scheduler, components.scheduler),
    controller(system, BOOTSTRAP_SIGNER),
    controller(open, BOOTSTRAP_SIGNER),
    controller(system, CLOUD_PROVIDER),
    controller(system, TOKEN_CLEANER),
  ];
}
