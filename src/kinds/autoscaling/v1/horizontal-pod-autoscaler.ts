import { int32, int64, string, time } from '../../../schema/scalars.ts';
import { f, type Infer, kind, struct } from '../../../schema/schema.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';

export const CrossVersionObjectReference = struct(
  'autoscaling.v1.CrossVersionObjectReference',
  {
    kind: f(1, string().required()),
    name: f(2, string().required()),
    apiVersion: f(3, string()),
  },
  { topology: { mapType: 'atomic' } },
);
export type CrossVersionObjectReference = Infer<typeof CrossVersionObjectReference>;

export const HorizontalPodAutoscalerSpec = struct('autoscaling.v1.HorizontalPodAutoscalerSpec', {
  scaleTargetRef: f(1, CrossVersionObjectReference.required(), 'The object whose replicas are changed.'),
  minReplicas: f(2, int32().optional().default(1), 'Never fewer.'),
  maxReplicas: f(3, int32().required(), 'Never more.'),
  targetCPUUtilizationPercentage: f(4, int32().optional(), 'Mean CPU use to aim at, in percent of what is requested.'),
});
export type HorizontalPodAutoscalerSpec = Infer<typeof HorizontalPodAutoscalerSpec>;

export const HorizontalPodAutoscalerStatus = struct('autoscaling.v1.HorizontalPodAutoscalerStatus', {
  observedGeneration: f(1, int64().optional()),
  lastScaleTime: f(2, time().optional()),
  currentReplicas: f(3, int32().required()),
  desiredReplicas: f(4, int32().required()),
  currentCPUUtilizationPercentage: f(5, int32().optional()),
});
export type HorizontalPodAutoscalerStatus = Infer<typeof HorizontalPodAutoscalerStatus>;

export const HorizontalPodAutoscaler = kind(
  'autoscaling.v1.HorizontalPodAutoscaler',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, HorizontalPodAutoscalerSpec),
    status: f(3, HorizontalPodAutoscalerStatus),
  },
  { description: 'Changes the number of replicas of another object by CPU use.' },
);
export type HorizontalPodAutoscaler = Infer<typeof HorizontalPodAutoscaler>;
