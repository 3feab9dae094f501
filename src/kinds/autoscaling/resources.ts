import { dns1123Subdomain } from '../../meta/formats.ts';
import type { GatedField } from '../../registry/gated-fields.ts';
import { type HookContext, type ResourceType, resourceType, statusSubresource } from '../../registry/resource-type.ts';
import type { Draft } from '../../schema/draft.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { olderVersion, otherVersion } from '../older-version.ts';
import { conversionFrom, withoutKeptAnnotations } from './v1/conversion.ts';
import { HorizontalPodAutoscaler as SimpleAutoscaler } from './v1/horizontal-pod-autoscaler.ts';
import { horizontalPodAutoscalerColumns } from './v2/columns.ts';
import { HorizontalPodAutoscaler } from './v2/horizontal-pod-autoscaler.ts';
import {
  validateHorizontalPodAutoscaler,
  validateHorizontalPodAutoscalerStatusUpdate,
} from './v2/horizontal-pod-autoscaler-validation.ts';
import { HorizontalPodAutoscaler as OlderAutoscaler } from './v2beta2/horizontal-pod-autoscaler.ts';

const CONTAINER_METRICS: GatedField<HorizontalPodAutoscaler> = {
  feature: 'HPAContainerMetrics',
  isUsed: ({ spec }) => (spec.metrics ?? []).some(({ containerResource }) => containerResource !== undefined),
  drop({ spec }) {
    for (const metric of spec.metrics ?? []) delete metric.containerResource;
  },
};

const autoscalers = resourceType<HorizontalPodAutoscaler>({
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
  gatedFields: [CONTAINER_METRICS],
  prepareCreate: prepareAutoscaler,
  validate: validateHorizontalPodAutoscaler,
  rules: { resets: ['status'], prepareUpdate: (autoscaler, _old, context) => prepareAutoscaler(autoscaler, context) },
  subresources: {
    status: statusSubresource({
      resets: ['spec'],
      whole: false,
      validateUpdate: validateHorizontalPodAutoscalerStatusUpdate,
    }),
  },
});

export const autoscalingResources = (v: Vocabulary): readonly ResourceType[] => [
  autoscalers,
  otherVersion(autoscalers, {
    version: 'v1',
    schema: SimpleAutoscaler,
    conversion: conversionFrom(autoscalers, v),
  }),
  olderVersion(autoscalers, {
    version: 'v2beta2',
    schema: OlderAutoscaler,
    deprecation: { deprecatedIn: '1.23', removedIn: '1.26', replacement: 'autoscaling/v2 HorizontalPodAutoscaler' },
  }),
];

function prepareAutoscaler({ metadata }: Draft<HorizontalPodAutoscaler>, { vocabulary }: HookContext): void {
  if (metadata.annotations) metadata.annotations = withoutKeptAnnotations(metadata.annotations, vocabulary);
}
