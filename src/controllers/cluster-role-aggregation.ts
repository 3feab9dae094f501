import type { ClusterRole } from '../kinds/rbac/cluster-role.ts';
import { fromStructured } from '../selectors/label-selector.ts';
import { type Controller, type ControllerParts, identityOf, servedType } from './controller.ts';
import { WorkQueue } from './work-queue.ts';

const NAME = 'clusterrole-aggregation-controller';

/** Fills in the rules of aggregated roles from the roles their selectors match. */
export function startClusterRoleAggregation(parts: ControllerParts): Controller {
  const { vocabulary, runtime } = parts;
  const aggregated = new Set<string>();
  const queue = new WorkQueue({
    runtime,
    meter: parts.queues.of(NAME),
    handle: (name) => aggregate(parts, name),
    onError: (key, error) => parts.onError(NAME, key, error),
  });
  const lookAgain = (): void => {
    for (const name of aggregated) queue.add(name);
  };
  const subscription = parts.informer.follow(
    { group: vocabulary.groups.rbac, plural: 'clusterroles' },
    {
      onSet(object) {
        const { aggregationRule, metadata } = object as ClusterRole;
        if (aggregationRule) aggregated.add(metadata.name ?? '');
        else aggregated.delete(metadata.name ?? '');
        lookAgain();
      },
      onRemove({ metadata }) {
        aggregated.delete(metadata.name ?? '');
        lookAgain();
      },
    },
  );
  return {
    close() {
      subscription.close();
      return queue.close();
    },
  };
}

async function aggregate(parts: ControllerParts, name: string): Promise<void> {
  const type = servedType(parts, parts.vocabulary.groups.rbac, 'clusterroles');
  const roles = parts.objects.list<ClusterRole>(type);
  const target = roles.find(({ metadata }) => metadata.name === name);
  if (!target?.aggregationRule) return;
  const rules = rulesFor(target, roles);
  if (JSON.stringify(rules) === JSON.stringify(target.rules ?? [])) return;
  await parts.registry.update(
    { type, namespace: '', name, subresource: '' },
    (current) => current && { ...current, rules },
    identityOf(parts, NAME),
  );
}

/** The rules of every other role that a selector matches, each rule once, in the order of role names. */
function rulesFor(target: ClusterRole, roles: readonly ClusterRole[]): object[] {
  const selectors = (target.aggregationRule?.clusterRoleSelectors ?? []).map(fromStructured);
  const rules = new Map<string, object>();
  for (const role of roles) {
    if (role.metadata.name === target.metadata.name) continue;
    if (!selectors.some((selector) => selector?.matches(role.metadata.labels))) continue;
    for (const rule of role.rules ?? []) rules.set(JSON.stringify(rule), rule);
  }
  return [...rules.values()];
}
