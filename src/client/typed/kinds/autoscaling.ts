import type { HorizontalPodAutoscaler as DeclaredHorizontalPodAutoscalerV1 } from '../../../kinds/autoscaling/v1/horizontal-pod-autoscaler.ts';
import type { HorizontalPodAutoscaler as DeclaredHorizontalPodAutoscaler } from '../../../kinds/autoscaling/v2/horizontal-pod-autoscaler.ts';
import type { HorizontalPodAutoscaler as DeclaredHorizontalPodAutoscalerV2beta2 } from '../../../kinds/autoscaling/v2beta2/horizontal-pod-autoscaler.ts';
import { inGroup, type ObjectKind } from '../object-kind.ts';

const v2 = inGroup('autoscaling', 'v2');

export type HorizontalPodAutoscaler = DeclaredHorizontalPodAutoscaler;
export const HorizontalPodAutoscaler: ObjectKind<HorizontalPodAutoscaler, true> = v2.namespaced(
  'HorizontalPodAutoscaler',
  'horizontalpodautoscalers',
);

const v1 = inGroup('autoscaling', 'v1');

export type HorizontalPodAutoscalerV1 = DeclaredHorizontalPodAutoscalerV1;
export const HorizontalPodAutoscalerV1: ObjectKind<HorizontalPodAutoscalerV1, true> = v1.namespaced(
  'HorizontalPodAutoscaler',
  'horizontalpodautoscalers',
);

const v2beta2 = inGroup('autoscaling', 'v2beta2');

export type HorizontalPodAutoscalerV2beta2 = DeclaredHorizontalPodAutoscalerV2beta2;
export const HorizontalPodAutoscalerV2beta2: ObjectKind<HorizontalPodAutoscalerV2beta2, true> = v2beta2.namespaced(
  'HorizontalPodAutoscaler',
  'horizontalpodautoscalers',
);
