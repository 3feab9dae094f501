import { Condition } from '../../../meta/condition.ts';
import { ObjectMeta } from '../../../meta/object-meta.ts';
import { describedLike } from '../../../schema/described-like.ts';
import { int32, int64, string, time } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../../schema/schema.ts';
import { HorizontalPodAutoscalerBehavior } from './behavior.ts';
import { CPU_AT_80_PERCENT, MetricSpec } from './metric-spec.ts';
import { MetricStatus } from './metric-status.ts';
import { CrossVersionObjectReference } from './metrics.ts';

export const HorizontalPodAutoscalerSpec = struct(
  'autoscaling.v2.HorizontalPodAutoscalerSpec',
  {
    scaleTargetRef: f(
      1,
      CrossVersionObjectReference.required(),
      'The object whose replicas are changed, in the same namespace; it must have a scale subresource.',
    ),
    minReplicas: f(2, int32().optional().default(1), 'Fewest replicas, at least 1. Default 1.'),
    maxReplicas: f(3, int32().required(), 'Most replicas; at least minReplicas.'),
    metrics: f(
      4,
      list(MetricSpec).atomicList().default([CPU_AT_80_PERCENT]),
      'What is measured; the metric that asks for most replicas wins. Unset: average CPU use of 80 percent of the requests.',
    ),
    behavior: f(
      5,
      HorizontalPodAutoscalerBehavior.optional(),
      'How fast the number of replicas may change, up and down. Unset: the defaults of both directions.',
    ),
  },
  { description: 'Desired state of an autoscaler: what it scales, between which limits, and by which metrics.' },
);
export type HorizontalPodAutoscalerSpec = Infer<typeof HorizontalPodAutoscalerSpec>;

export const HorizontalPodAutoscalerCondition = struct(
  'autoscaling.v2.HorizontalPodAutoscalerCondition',
  describedLike(Condition, {
    type: f(
      1,
      string().required(),
      'AbleToScale, ScalingActive (metrics can be read) or ScalingLimited (a limit keeps the number from the proposed one).',
    ),
    status: f(2, string().required()),
    lastTransitionTime: f(3, time()),
    reason: f(4, string()),
    message: f(5, string()),
  }),
  { description: 'One observed aspect of the state of an autoscaler.' },
);
export type HorizontalPodAutoscalerCondition = Infer<typeof HorizontalPodAutoscalerCondition>;

export const HorizontalPodAutoscalerStatus = struct(
  'autoscaling.v2.HorizontalPodAutoscalerStatus',
  {
    observedGeneration: f(1, int64().optional(), 'The metadata.generation that this status was written for.'),
    lastScaleTime: f(2, time().optional(), 'When the number of replicas was last changed.'),
    currentReplicas: f(3, int32(), 'Number of replicas at the last look.'),
    desiredReplicas: f(4, int32().required(), 'Number of replicas that was last worked out.'),
    currentMetrics: f(5, list(MetricStatus).always().atomicList(), 'Last values of the metrics.'),
    conditions: f(
      6,
      list(HorizontalPodAutoscalerCondition).mapBy('type').mergeBy('type'),
      'Observed aspects of the state, at most one of each type.',
    ),
  },
  { description: 'What was last observed and decided by an autoscaler.' },
);
export type HorizontalPodAutoscalerStatus = Infer<typeof HorizontalPodAutoscalerStatus>;

export const HorizontalPodAutoscaler = kind(
  'autoscaling.v2.HorizontalPodAutoscaler',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, HorizontalPodAutoscalerSpec),
    status: f(3, HorizontalPodAutoscalerStatus),
  },
  { description: 'Changes the number of replicas of an object so that measured values stay near their targets.' },
);
export type HorizontalPodAutoscaler = Infer<typeof HorizontalPodAutoscaler>;
