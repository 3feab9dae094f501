import { int32, int64, string, time } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../../schema/schema.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { HorizontalPodAutoscalerBehavior } from './behavior.ts';
import { CPU_AT_80_PERCENT, MetricSpec } from './metric-spec.ts';
import { MetricStatus } from './metric-status.ts';
import { CrossVersionObjectReference } from './metrics.ts';

export const HorizontalPodAutoscalerSpec = struct('autoscaling.v2.HorizontalPodAutoscalerSpec', {
  scaleTargetRef: f(1, CrossVersionObjectReference.required(), 'The object whose replicas are changed.'),
  minReplicas: f(2, int32().optional().default(1), 'Never fewer.'),
  maxReplicas: f(3, int32().required(), 'Never more.'),
  metrics: f(
    4,
    list(MetricSpec).atomicList().default([CPU_AT_80_PERCENT]),
    'What is measured; the one that asks for most wins.',
  ),
  behavior: f(5, HorizontalPodAutoscalerBehavior.optional(), 'How fast the number may change.'),
});
export type HorizontalPodAutoscalerSpec = Infer<typeof HorizontalPodAutoscalerSpec>;

export const HorizontalPodAutoscalerCondition = struct('autoscaling.v2.HorizontalPodAutoscalerCondition', {
  type: f(1, string().required()),
  status: f(2, string().required()),
  lastTransitionTime: f(3, time()),
  reason: f(4, string()),
  message: f(5, string()),
});
export type HorizontalPodAutoscalerCondition = Infer<typeof HorizontalPodAutoscalerCondition>;

export const HorizontalPodAutoscalerStatus = struct('autoscaling.v2.HorizontalPodAutoscalerStatus', {
  observedGeneration: f(1, int64().optional()),
  lastScaleTime: f(2, time().optional()),
  currentReplicas: f(3, int32()),
  desiredReplicas: f(4, int32().required()),
  currentMetrics: f(5, list(MetricStatus).always().atomicList()),
  conditions: f(6, list(HorizontalPodAutoscalerCondition).mapBy('type').mergeBy('type')),
});
export type HorizontalPodAutoscalerStatus = Infer<typeof HorizontalPodAutoscalerStatus>;

export const HorizontalPodAutoscaler = kind(
  'autoscaling.v2.HorizontalPodAutoscaler',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, HorizontalPodAutoscalerSpec),
    status: f(3, HorizontalPodAutoscalerStatus),
  },
  { description: 'Changes the number of replicas of another object by what is measured.' },
);
export type HorizontalPodAutoscaler = Infer<typeof HorizontalPodAutoscaler>;
