import { ObjectMeta } from '../../../meta/object-meta.ts';
import { describedLike } from '../../../schema/described-like.ts';
import { int32, int64, string, time } from '../../../schema/scalars.ts';
import { f, type Infer, kind, struct } from '../../../schema/schema.ts';
import {
  HorizontalPodAutoscalerSpec as NewerSpec,
  HorizontalPodAutoscalerStatus as NewerStatus,
} from '../v2/horizontal-pod-autoscaler.ts';
import { CrossVersionObjectReference as Reference } from '../v2/metrics.ts';

export const CrossVersionObjectReference = struct(
  'autoscaling.v1.CrossVersionObjectReference',
  describedLike(Reference, {
    kind: f(1, string().required()),
    name: f(2, string().required()),
    apiVersion: f(3, string()),
  }),
  { description: Reference.shape.description, topology: { mapType: 'atomic' } },
);
export type CrossVersionObjectReference = Infer<typeof CrossVersionObjectReference>;

export const HorizontalPodAutoscalerSpec = struct(
  'autoscaling.v1.HorizontalPodAutoscalerSpec',
  describedLike(NewerSpec, {
    scaleTargetRef: f(1, CrossVersionObjectReference.required()),
    minReplicas: f(2, int32().optional().default(1)),
    maxReplicas: f(3, int32().required()),
    targetCPUUtilizationPercentage: f(
      4,
      int32().optional(),
      'Average CPU use of the pods to aim at, in percent of what they request. Unset: 80.',
    ),
  }),
  { description: 'Desired state of an autoscaler: what it scales, between which limits, and at which CPU use.' },
);
export type HorizontalPodAutoscalerSpec = Infer<typeof HorizontalPodAutoscalerSpec>;

export const HorizontalPodAutoscalerStatus = struct(
  'autoscaling.v1.HorizontalPodAutoscalerStatus',
  describedLike(NewerStatus, {
    observedGeneration: f(1, int64().optional()),
    lastScaleTime: f(2, time().optional()),
    currentReplicas: f(3, int32().required()),
    desiredReplicas: f(4, int32().required()),
    currentCPUUtilizationPercentage: f(
      5,
      int32().optional(),
      'Average CPU use of the pods at the last measurement, in percent of what they request.',
    ),
  }),
  { description: NewerStatus.shape.description },
);
export type HorizontalPodAutoscalerStatus = Infer<typeof HorizontalPodAutoscalerStatus>;

export const HorizontalPodAutoscaler = kind(
  'autoscaling.v1.HorizontalPodAutoscaler',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, HorizontalPodAutoscalerSpec),
    status: f(3, HorizontalPodAutoscalerStatus),
  },
  { description: 'Changes the number of replicas of an object so that the CPU use of its pods stays near a target.' },
);
export type HorizontalPodAutoscaler = Infer<typeof HorizontalPodAutoscaler>;
