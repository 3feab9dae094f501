import { int32, string } from '../../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../../schema/schema.ts';

export const HPAScalingPolicy = struct('autoscaling.v2.HPAScalingPolicy', {
  type: f(1, string().required()),
  value: f(2, int32().required()),
  periodSeconds: f(3, int32().required()),
});
export type HPAScalingPolicy = Infer<typeof HPAScalingPolicy>;

export const HPAScalingRules = struct('autoscaling.v2.HPAScalingRules', {
  stabilizationWindowSeconds: f(3, int32().optional()),
  selectPolicy: f(1, string().optional()),
  policies: f(2, list(HPAScalingPolicy).atomicList()),
});
export type HPAScalingRules = Infer<typeof HPAScalingRules>;

export const HorizontalPodAutoscalerBehavior = struct('autoscaling.v2.HorizontalPodAutoscalerBehavior', {
  scaleUp: f(1, HPAScalingRules.optional()),
  scaleDown: f(2, HPAScalingRules.optional()),
});
export type HorizontalPodAutoscalerBehavior = Infer<typeof HorizontalPodAutoscalerBehavior>;
