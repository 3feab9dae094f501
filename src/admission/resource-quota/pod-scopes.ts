import type { ScopedResourceSelectorRequirement } from '../../kinds/core/namespace/resource-quota.ts';
import type { PodAffinityTerm } from '../../kinds/core/pod/affinity.ts';
import type { Pod } from '../../kinds/core/pod/pod.ts';
import { qosClassOf } from '../../kinds/core/pod/qos-class.ts';

/** Whether a pod is within one scope of a quota. */
export function isPodIn({ spec }: Pod, scope: ScopedResourceSelectorRequirement): boolean {
  switch (scope.scopeName) {
    case 'Terminating':
      return spec.activeDeadlineSeconds !== undefined;
    case 'NotTerminating':
      return spec.activeDeadlineSeconds === undefined;
    case 'BestEffort':
      return qosClassOf(spec) === 'BestEffort';
    case 'NotBestEffort':
      return qosClassOf(spec) !== 'BestEffort';
    case 'PriorityClass':
      return isSelected(spec.priorityClassName ?? '', scope);
    case 'CrossNamespacePodAffinity':
      return affinityTerms(spec).some(({ namespaces, namespaceSelector }) => namespaces?.length || namespaceSelector);
    default:
      return false;
  }
}

/** As selectors of labels go: what is not there is in no list, and so is outside of every list. */
function isSelected(name: string, { operator, values = [] }: ScopedResourceSelectorRequirement): boolean {
  switch (operator) {
    case 'Exists':
      return name !== '';
    case 'DoesNotExist':
      return name === '';
    case 'In':
      return name !== '' && values.includes(name);
    case 'NotIn':
      return !values.includes(name);
    default:
      return false;
  }
}

function affinityTerms({ affinity }: Pod['spec']): PodAffinityTerm[] {
  return [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap((rules) => [
    ...(rules?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(rules?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
  ]);
}
