import type { PodDisruptionBudget } from '../../kinds/policy/v1/pod-disruption-budget.ts';
import { fromStructured } from '../../selectors/label-selector.ts';
import { located, resourceText, type Search } from './blockers.ts';

/** Budgets that do not allow the eviction of a pod now. Nothing but evictions asks them. */
export async function findBudgets(search: Search): Promise<void> {
  const { call, asked, object, found } = search;
  const type = call.catalogue.preferred('policy', 'poddisruptionbudgets');
  const { labels } = object.metadata;
  if (!type || !labels) return;
  if (!(await search.mayList({ type, namespace: asked.namespace, name: '' }))) {
    search.notSearched.add(resourceText(type));
    return;
  }
  for (const { metadata, spec, status } of call.objects.list<PodDisruptionBudget>(type, asked.namespace)) {
    if (status.disruptionsAllowed > 0 || !fromStructured(spec.selector)?.matches(labels)) continue;
    const name = metadata.name ?? '';
    found.add({
      type: 'DisruptionBudget',
      name,
      message: `has ${status.currentHealthy} healthy pods and wants ${status.desiredHealthy}: evictions are refused, deletions are not`,
      object: located({ type, namespace: asked.namespace, name }),
      certain: false,
    });
  }
}
