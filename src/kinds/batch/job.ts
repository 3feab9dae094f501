import { Condition } from '../../meta/condition.ts';
import { LabelSelector } from '../../meta/label-selector.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { describedLike } from '../../schema/described-like.ts';
import { bool, int32, int64, string, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { PodTemplateSpec } from '../core/pod/pod-template.ts';
import { PodFailurePolicy } from './pod-failure-policy.ts';

export const JobSpec = struct(
  'batch.v1.JobSpec',
  {
    parallelism: f(1, int32().optional(), 'Most pods that run at the same time. Default 1; 0 pauses the job.'),
    completions: f(
      2,
      int32().optional(),
      'Number of pods that must succeed. Unset with parallelism set: one success ends the job. Both unset: 1.',
    ),
    activeDeadlineSeconds: f(
      3,
      int64().optional(),
      'Seconds from the start after which the job fails and its pods are ended, retries or not. Unset: no limit.',
    ),
    podFailurePolicy: f(
      11,
      PodFailurePolicy.optional(),
      'Which failures of pods end the job or are not counted against backoffLimit. Part of the feature JobPodFailurePolicy.',
    ),
    backoffLimit: f(7, int32().optional(), 'Number of retries after failed pods before the job fails. Default 6.'),
    selector: f(
      4,
      LabelSelector.optional(),
      'Labels of the pods that belong to the job. Leave unset: the server makes labels that no other job has.',
    ),
    manualSelector: f(
      5,
      bool().optional(),
      'Set to true to write selector and pod labels yourself; they must then match no pods of other jobs. Default false.',
    ),
    template: f(
      6,
      PodTemplateSpec.required(),
      'The pod that does the work; the restart policy must be Never or OnFailure. Cannot be changed once the job has started.',
    ),
    ttlSecondsAfterFinished: f(
      8,
      int32().optional(),
      'Seconds after its end, successful or not, when the job is deleted with its pods. 0 deletes at once; unset keeps it.',
    ),
    completionMode: f(
      9,
      string().optional(),
      'NonIndexed (the default) counts every success alike; Indexed needs one success for each index from 0 to completions - 1.',
    ),
    suspend: f(
      10,
      bool().optional(),
      'While true, no pods are created and running ones are ended; the deadline starts again on resumption. Default false.',
    ),
  },
  { description: 'Desired state of a Job: what its pods do, how many must succeed, and when to give up.' },
);
export type JobSpec = Infer<typeof JobSpec>;

export const JobCondition = struct(
  'batch.v1.JobCondition',
  describedLike(Condition, {
    type: f(1, string().required(), 'Complete (enough pods succeeded), Failed (the job gave up) or Suspended.'),
    status: f(2, string().required()),
    lastProbeTime: f(3, time(), 'When the condition was last checked.'),
    lastTransitionTime: f(4, time()),
    reason: f(5, string()),
    message: f(6, string()),
  }),
  { description: 'One observed aspect of the state of a Job.' },
);
export type JobCondition = Infer<typeof JobCondition>;

export const UncountedTerminatedPods = struct(
  'batch.v1.UncountedTerminatedPods',
  {
    succeeded: f(1, list(string()).set(), 'UIDs of pods that succeeded and are not counted yet.'),
    failed: f(2, list(string()).set(), 'UIDs of pods that failed and are not counted yet.'),
  },
  {
    description:
      'Pods that have ended and are not yet part of the counters of a job; bookkeeping that counts each pod once.',
  },
);
export type UncountedTerminatedPods = Infer<typeof UncountedTerminatedPods>;

export const JobStatus = struct(
  'batch.v1.JobStatus',
  {
    conditions: f(
      1,
      list(JobCondition).atomicList().mergeBy('type'),
      'Observed aspects of the state; a job has ended when Complete or Failed is True.',
    ),
    startTime: f(2, time().optional(), 'When the job started; set anew when a suspended job is resumed.'),
    completionTime: f(3, time().optional(), 'When the job succeeded; unset for jobs that run or have failed.'),
    active: f(4, int32(), 'Number of pods that are waiting or running.'),
    succeeded: f(5, int32(), 'Number of pods that ended successfully.'),
    failed: f(6, int32(), 'Number of pods that ended in failure.'),
    completedIndexes: f(
      7,
      string(),
      'Indexes that have succeeded, as numbers and ranges such as 1,3-5; only when completionMode is Indexed.',
    ),
    uncountedTerminatedPods: f(
      8,
      UncountedTerminatedPods.optional(),
      'Pods that have ended and are not yet part of succeeded or failed.',
    ),
    ready: f(9, int32().optional(), 'Number of active pods that are ready.'),
  },
  { description: 'What was last observed of a Job.' },
);
export type JobStatus = Infer<typeof JobStatus>;

export const Job = kind(
  'batch.v1.Job',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, JobSpec),
    status: f(3, JobStatus),
  },
  {
    description: 'Runs pods until a number of them has succeeded, retrying failed ones.',
    defaults({ metadata, spec }) {
      if (spec.parallelism === undefined) spec.completions ??= 1;
      spec.parallelism ??= 1;
      spec.backoffLimit ??= 6;
      spec.completionMode ??= 'NonIndexed';
      spec.suspend ??= false;
      if (!metadata.labels && spec.template.metadata.labels) metadata.labels = { ...spec.template.metadata.labels };
    },
  },
);
export type Job = Infer<typeof Job>;
