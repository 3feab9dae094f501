import type { PodDisruptionBudget } from '../../../kinds/policy/v1/pod-disruption-budget.ts';
import { labels, selector } from '../../../kinds/printing.ts';
import type { PriorityClass } from '../../../kinds/scheduling/priority-class.ts';
import { describer } from './subject.ts';

export const podDisruptionBudget = describer<PodDisruptionBudget>((sheet, { object }) => {
  const { metadata, spec, status } = object;
  sheet.field('Name', metadata.name ?? '');
  sheet.field('Namespace', metadata.namespace ?? '');
  if (spec.minAvailable !== undefined) sheet.field('Min available', spec.minAvailable);
  else if (spec.maxUnavailable !== undefined) sheet.field('Max unavailable', spec.maxUnavailable);
  sheet.field('Selector', spec.selector ? selector(spec.selector) : '<unset>');
  sheet.line(0, 'Status:');
  sheet.field('Allowed disruptions', status.disruptionsAllowed, 2);
  sheet.field('Current', status.currentHealthy, 2);
  sheet.field('Desired', status.desiredHealthy, 2);
  sheet.field('Total', status.expectedPods, 2);
});

export const priorityClass = describer<PriorityClass>((sheet, { object }) => {
  sheet.field('Name', object.metadata.name ?? '');
  sheet.field('Value', object.value);
  sheet.field('GlobalDefault', object.globalDefault ?? false);
  sheet.field('PreemptionPolicy', object.preemptionPolicy ?? '');
  sheet.field('Description', object.description ?? '');
  sheet.field('Annotations', labels(object.metadata.annotations));
});
