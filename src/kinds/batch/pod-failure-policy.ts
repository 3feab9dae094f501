import { int32, string } from '../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../schema/schema.ts';

export const PodFailurePolicyOnExitCodesRequirement = struct('batch.v1.PodFailurePolicyOnExitCodesRequirement', {
  containerName: f(1, string().optional().always()),
  operator: f(2, string().required().suggests('In', 'NotIn')),
  values: f(3, list(int32()).required().set()),
});
export type PodFailurePolicyOnExitCodesRequirement = Infer<typeof PodFailurePolicyOnExitCodesRequirement>;

export const PodFailurePolicyOnPodConditionsPattern = struct('batch.v1.PodFailurePolicyOnPodConditionsPattern', {
  type: f(1, string().required()),
  status: f(2, string().required()),
});
export type PodFailurePolicyOnPodConditionsPattern = Infer<typeof PodFailurePolicyOnPodConditionsPattern>;

export const PodFailurePolicyRule = struct('batch.v1.PodFailurePolicyRule', {
  action: f(1, string().required().suggests('Count', 'FailJob', 'Ignore')),
  onExitCodes: f(2, PodFailurePolicyOnExitCodesRequirement.optional().always()),
  onPodConditions: f(3, list(PodFailurePolicyOnPodConditionsPattern).required().atomicList()),
});
export type PodFailurePolicyRule = Infer<typeof PodFailurePolicyRule>;

export const PodFailurePolicy = struct('batch.v1.PodFailurePolicy', {
  rules: f(1, list(PodFailurePolicyRule).required().atomicList()),
});
export type PodFailurePolicy = Infer<typeof PodFailurePolicy>;
