import type { AnyObject } from '../client/plane-client.ts';
import type { ClusterRole } from '../kinds/rbac/cluster-role.ts';
import { sameJson } from '../schema/same-json.ts';
import { fromStructured } from '../selectors/label-selector.ts';
import { type Loop, type LoopPlane, servedKind } from './loop.ts';

/** Fills in the rules of aggregated roles from the roles their selectors match. */
export const clusterRoleAggregation: Loop = {
  name: 'clusterrole-aggregation',
  account: 'clusterrole-aggregation-controller',
  begin(plane) {
    const aggregated = new Set<string>();
    return {
      watches: [
        {
          ...rolesOf(plane),
          onSet(role) {
            const { aggregationRule, metadata } = role as ClusterRole;
            if (aggregationRule) aggregated.add(metadata.name ?? '');
            else aggregated.delete(metadata.name ?? '');
            return aggregated;
          },
          onRemove({ metadata }: AnyObject) {
            aggregated.delete(metadata.name ?? '');
            return aggregated;
          },
        },
      ],
      handle: (name) => aggregate(plane, name),
    };
  },
};

const rolesOf = ({ vocabulary }: LoopPlane) => ({ group: vocabulary.groups.rbac, plural: 'clusterroles' });

async function aggregate(plane: LoopPlane, name: string): Promise<void> {
  const roles = rolesOf(plane);
  const target = plane.known.get<ClusterRole>(roles, '', name);
  if (!target?.aggregationRule) return;
  const kind = servedKind(plane, roles);
  await plane.client.change({ kind, namespace: '', name }, target, (current) => {
    const rules = rulesFor(current, plane.known.each<ClusterRole>(roles));
    return !current.aggregationRule || sameJson(rules, current.rules ?? []) ? undefined : { ...current, rules };
  });
}

/** The rules of every other role that a selector matches, each rule once, in the order of role names. */
function rulesFor(target: ClusterRole, roles: Iterable<ClusterRole>): object[] {
  const selectors = (target.aggregationRule?.clusterRoleSelectors ?? []).map(fromStructured);
  const rules = new Map<string, object>();
  for (const role of roles) {
    if (role.metadata.name === target.metadata.name) continue;
    if (!selectors.some((selector) => selector?.matches(role.metadata.labels))) continue;
    for (const rule of role.rules ?? []) rules.set(JSON.stringify(rule), rule);
  }
  return [...rules.values()];
}
