import { bool, int32, int64, string, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { PodTemplateSpec } from '../core/pod-template.ts';
import { LabelSelector } from '../meta/label-selector.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import { PodFailurePolicy } from './pod-failure-policy.ts';

export const JobSpec = struct('batch.v1.JobSpec', {
  parallelism: f(1, int32().optional(), 'How many pods may run at once.'),
  completions: f(2, int32().optional(), 'How many must succeed.'),
  activeDeadlineSeconds: f(3, int64().optional(), 'How long the job may take.'),
  podFailurePolicy: f(11, PodFailurePolicy.optional()),
  backoffLimit: f(7, int32().optional(), 'How many failures are borne.'),
  selector: f(4, LabelSelector.optional(), 'Labels of the pods it looks after.'),
  manualSelector: f(5, bool().optional()),
  template: f(6, PodTemplateSpec.required(), 'What its pods look like.'),
  ttlSecondsAfterFinished: f(8, int32().optional(), 'How long the job stays after its end.'),
  completionMode: f(9, string().optional(), 'Whether each success counts alike or has a number.'),
  suspend: f(10, bool().optional(), 'No pods are made.'),
});
export type JobSpec = Infer<typeof JobSpec>;

export const JobCondition = struct('batch.v1.JobCondition', {
  type: f(1, string().required()),
  status: f(2, string().required()),
  lastProbeTime: f(3, time()),
  lastTransitionTime: f(4, time()),
  reason: f(5, string()),
  message: f(6, string()),
});
export type JobCondition = Infer<typeof JobCondition>;

export const UncountedTerminatedPods = struct('batch.v1.UncountedTerminatedPods', {
  succeeded: f(1, list(string()).set()),
  failed: f(2, list(string()).set()),
});
export type UncountedTerminatedPods = Infer<typeof UncountedTerminatedPods>;

export const JobStatus = struct('batch.v1.JobStatus', {
  conditions: f(1, list(JobCondition).atomicList().mergeBy('type')),
  startTime: f(2, time().optional()),
  completionTime: f(3, time().optional()),
  active: f(4, int32()),
  succeeded: f(5, int32()),
  failed: f(6, int32()),
  completedIndexes: f(7, string()),
  uncountedTerminatedPods: f(8, UncountedTerminatedPods.optional()),
  ready: f(9, int32().optional()),
});
export type JobStatus = Infer<typeof JobStatus>;

export const Job = kind(
  'batch.v1.Job',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, JobSpec),
    status: f(3, JobStatus),
  },
  {
    description: 'Runs pods until a number of them has succeeded.',
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
