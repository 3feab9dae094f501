import { int32, string } from '../../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../../schema/schema.ts';

export const HPAScalingPolicy = struct(
  'autoscaling.v2.HPAScalingPolicy',
  {
    type: f(1, string().required(), 'What value counts: Pods, or Percent of the current number.'),
    value: f(2, int32().required(), 'Largest change within periodSeconds; above 0.'),
    periodSeconds: f(3, int32().required(), 'Seconds that value applies to, from 1 to 1800.'),
  },
  { description: 'A limit on how much the number of replicas may change within a time.' },
);
export type HPAScalingPolicy = Infer<typeof HPAScalingPolicy>;

export const HPAScalingRules = struct(
  'autoscaling.v2.HPAScalingRules',
  {
    stabilizationWindowSeconds: f(
      3,
      int32().optional(),
      'Seconds, up to 3600, of past proposals of which the most cautious one counts. Default 0 upwards, 300 downwards.',
    ),
    selectPolicy: f(
      1,
      string().optional(),
      'Which policy counts: Max (the default) allows the largest change, Min the smallest, Disabled none in this direction.',
    ),
    policies: f(
      2,
      list(HPAScalingPolicy).atomicList(),
      'Limits on the change; at least one. Unset: the defaults of the direction.',
    ),
  },
  { description: 'How fast the number of replicas may change in one direction.' },
);
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
    scaleUp: f(
      1,
      HPAScalingRules.optional(),
      'Upwards. Default: the larger of 4 pods and 100% every 15 seconds, without a stabilization window.',
    ),
    scaleDown: f(
      2,
      HPAScalingRules.optional(),
      'Downwards. Default: down to minReplicas at once, with a stabilization window of 300 seconds.',
    ),
  },
  { description: 'How fast the number of replicas may change, up and down.', defaults: completeRules },
);
export type HorizontalPodAutoscalerBehavior = Infer<typeof HorizontalPodAutoscalerBehavior>;
