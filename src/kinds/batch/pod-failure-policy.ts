import { int32, string } from '../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../schema/schema.ts';

export const PodFailurePolicyOnExitCodesRequirement = struct(
  'batch.v1.PodFailurePolicyOnExitCodesRequirement',
  {
    containerName: f(1, string().optional().always(), 'Only this container counts. Unset: any container of the pod.'),
    operator: f(
      2,
      string().required().suggests('In', 'NotIn'),
      'In: one of values is the exit code; NotIn: the exit code is not 0 and none of values.',
    ),
    values: f(
      3,
      list(int32()).required().set(),
      'Exit codes to compare with, without duplicates; 0 is not allowed with In.',
    ),
  },
  { description: 'Condition on the exit codes of failed containers, init containers included.' },
);
export type PodFailurePolicyOnExitCodesRequirement = Infer<typeof PodFailurePolicyOnExitCodesRequirement>;

export const PodFailurePolicyOnPodConditionsPattern = struct(
  'batch.v1.PodFailurePolicyOnPodConditionsPattern',
  {
    type: f(1, string().required(), 'Type of the pod condition, such as DisruptionTarget.'),
    status: f(2, string().required(), 'Status that the condition must have: True, False or Unknown. Default True.'),
  },
  { description: 'A condition that a failed pod must have for the rule to match.' },
);
export type PodFailurePolicyOnPodConditionsPattern = Infer<typeof PodFailurePolicyOnPodConditionsPattern>;

export const PodFailurePolicyRule = struct(
  'batch.v1.PodFailurePolicyRule',
  {
    action: f(
      1,
      string().required().suggests('Count', 'FailJob', 'Ignore'),
      'FailJob ends the job and its pods, Ignore replaces the pod without counting the failure, Count counts it against backoffLimit.',
    ),
    onExitCodes: f(
      2,
      PodFailurePolicyOnExitCodesRequirement.optional().always(),
      'Matches by the exit codes of containers.',
    ),
    onPodConditions: f(
      3,
      list(PodFailurePolicyOnPodConditionsPattern).required().atomicList(),
      'Matches when the pod has any of these conditions.',
    ),
  },
  {
    description:
      'What to do about a failed pod that matches by exit code or by condition; has either onExitCodes or onPodConditions.',
  },
);
export type PodFailurePolicyRule = Infer<typeof PodFailurePolicyRule>;

export const PodFailurePolicy = struct(
  'batch.v1.PodFailurePolicy',
  {
    rules: f(1, list(PodFailurePolicyRule).required().atomicList(), 'The rules, tried in order; at most 20.'),
  },
  {
    description:
      'Rules for failed pods of a job; the first one that matches decides, otherwise the failure counts against backoffLimit.',
  },
);
export type PodFailurePolicy = Infer<typeof PodFailurePolicy>;
