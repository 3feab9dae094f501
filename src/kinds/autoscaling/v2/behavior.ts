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

const UP: HPAScalingRules = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};

const DOWN: HPAScalingRules = {
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
};

/** Who says anything about the pace gets the usual rules for whatever was left open, in both directions. */
export function completeRules(behavior: { scaleUp?: HPAScalingRules; scaleDown?: HPAScalingRules }): void {
  behavior.scaleUp = { ...structuredClone(UP), ...behavior.scaleUp };
  behavior.scaleDown = { ...structuredClone(DOWN), ...behavior.scaleDown };
}

export const HorizontalPodAutoscalerBehavior = struct(
  'autoscaling.v2.HorizontalPodAutoscalerBehavior',
  {
    scaleUp: f(1, HPAScalingRules.optional()),
    scaleDown: f(2, HPAScalingRules.optional()),
  },
  { defaults: completeRules },
);
export type HorizontalPodAutoscalerBehavior = Infer<typeof HorizontalPodAutoscalerBehavior>;
