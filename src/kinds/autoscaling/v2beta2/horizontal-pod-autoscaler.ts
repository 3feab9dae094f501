import { ObjectMeta } from '../../../meta/object-meta.ts';
import { describedLike } from '../../../schema/described-like.ts';
import type { Node } from '../../../schema/node.ts';
import { renamed } from '../../../schema/rename.ts';
import { int32, int64, string, time } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../../schema/schema.ts';
import {
  completeRules,
  HPAScalingPolicy,
  HorizontalPodAutoscalerBehavior as NewerBehavior,
  HPAScalingRules as NewerRules,
} from '../v2/behavior.ts';
import {
  HorizontalPodAutoscalerCondition,
  HorizontalPodAutoscaler as Newer,
  HorizontalPodAutoscalerSpec as NewerSpec,
  HorizontalPodAutoscalerStatus as NewerStatus,
} from '../v2/horizontal-pod-autoscaler.ts';
import { CPU_AT_80_PERCENT, MetricSpec } from '../v2/metric-spec.ts';
import { MetricStatus } from '../v2/metric-status.ts';
import { CrossVersionObjectReference } from '../v2/metrics.ts';

/** Values are those of v2; the two versions differ only in how lists are shared and in what JSON always writes. */
const older = <N extends Node>(node: N): N => renamed(node, 'autoscaling.v2.', 'autoscaling.v2beta2.');

export const HPAScalingRules = struct(
  'autoscaling.v2beta2.HPAScalingRules',
  describedLike(NewerRules, {
    stabilizationWindowSeconds: f(3, int32().optional()),
    selectPolicy: f(1, string().optional()),
    policies: f(2, list(older(HPAScalingPolicy))),
  }),
  { description: NewerRules.shape.description },
);
export type HPAScalingRules = Infer<typeof HPAScalingRules>;

export const HorizontalPodAutoscalerBehavior = struct(
  'autoscaling.v2beta2.HorizontalPodAutoscalerBehavior',
  describedLike(NewerBehavior, {
    scaleUp: f(1, HPAScalingRules.optional()),
    scaleDown: f(2, HPAScalingRules.optional()),
  }),
  { description: NewerBehavior.shape.description, defaults: completeRules },
);
export type HorizontalPodAutoscalerBehavior = Infer<typeof HorizontalPodAutoscalerBehavior>;

export const HorizontalPodAutoscalerSpec = struct(
  'autoscaling.v2beta2.HorizontalPodAutoscalerSpec',
  describedLike(NewerSpec, {
    scaleTargetRef: f(1, older(CrossVersionObjectReference).required()),
    minReplicas: f(2, int32().optional().default(1)),
    maxReplicas: f(3, int32().required()),
    metrics: f(4, list(older(MetricSpec)).default([CPU_AT_80_PERCENT])),
    behavior: f(5, HorizontalPodAutoscalerBehavior.optional()),
  }),
  { description: NewerSpec.shape.description },
);
export type HorizontalPodAutoscalerSpec = Infer<typeof HorizontalPodAutoscalerSpec>;

export const HorizontalPodAutoscalerStatus = struct(
  'autoscaling.v2beta2.HorizontalPodAutoscalerStatus',
  describedLike(NewerStatus, {
    observedGeneration: f(1, int64().optional()),
    lastScaleTime: f(2, time().optional()),
    currentReplicas: f(3, int32().required()),
    desiredReplicas: f(4, int32().required()),
    currentMetrics: f(5, list(older(MetricStatus)).always()),
    conditions: f(6, list(older(HorizontalPodAutoscalerCondition)).always()),
  }),
  { description: NewerStatus.shape.description },
);
export type HorizontalPodAutoscalerStatus = Infer<typeof HorizontalPodAutoscalerStatus>;

export const HorizontalPodAutoscaler = kind(
  'autoscaling.v2beta2.HorizontalPodAutoscaler',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, HorizontalPodAutoscalerSpec),
    status: f(3, HorizontalPodAutoscalerStatus),
  },
  { description: Newer.shape.description },
);
export type HorizontalPodAutoscaler = Infer<typeof HorizontalPodAutoscaler>;
