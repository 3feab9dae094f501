import type { PolicyRule } from '../../kinds/rbac/policy-rule.ts';
import { type Grant, groupHolder, userHolder } from '../grants.ts';
import type { Share } from './scope.ts';

/** A share in a binding as others are told of it. */
export function grantOf({ holder, of, slot }: Share, rules: readonly PolicyRule[]): Grant {
  const kind = of.namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding';
  return {
    holder: holder.isGroup ? groupHolder(holder.name) : userHolder(holder.name),
    binding: { kind, ...of },
    role: { kind: slot.kind, namespace: slot.namespace, name: slot.name },
    rules,
    condition: '',
  };
}
