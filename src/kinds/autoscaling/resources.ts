import { type ResourceType, resourceType, statusSubresource } from '../../registry/resource-type.ts';
import { dns1123Subdomain } from '../formats.ts';
import { horizontalPodAutoscalerColumns } from './v2/columns.ts';
import { HorizontalPodAutoscaler } from './v2/horizontal-pod-autoscaler.ts';

export const autoscalingResources = (): readonly ResourceType[] => [
  resourceType<HorizontalPodAutoscaler>({
    group: 'autoscaling',
    version: 'v2',
    kind: 'HorizontalPodAutoscaler',
    plural: 'horizontalpodautoscalers',
    shortNames: ['hpa'],
    categories: ['all'],
    namespaced: true,
    schema: HorizontalPodAutoscaler,
    nameRule: dns1123Subdomain,
    columns: horizontalPodAutoscalerColumns,
    prepareCreate: dropGatedMetrics,
    rules: { resets: ['status'], prepareUpdate: dropGatedMetrics },
    subresources: { status: statusSubresource({ resets: ['spec'], whole: false }) },
  }),
];

/** Metrics of single containers belong to a feature this release does not turn on. */
function dropGatedMetrics({ spec }: HorizontalPodAutoscaler): void {
  for (const metric of spec.metrics ?? []) delete metric.containerResource;
}
