import { bool, int32, int64, string, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { ObjectReference } from '../core/references.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import { JobSpec } from './job.ts';

export const JobTemplateSpec = struct('batch.v1.JobTemplateSpec', {
  metadata: f(1, ObjectMeta),
  spec: f(2, JobSpec),
});
export type JobTemplateSpec = Infer<typeof JobTemplateSpec>;

export const CronJobSpec = struct('batch.v1.CronJobSpec', {
  schedule: f(1, string().required()),
  timeZone: f(8, string().optional()),
  startingDeadlineSeconds: f(2, int64().optional()),
  concurrencyPolicy: f(3, string().oneOf('Allow', 'Forbid', 'Replace').default('Allow')),
  suspend: f(4, bool().optional().default(false)),
  jobTemplate: f(5, JobTemplateSpec.required()),
  successfulJobsHistoryLimit: f(6, int32().optional().default(3)),
  failedJobsHistoryLimit: f(7, int32().optional().default(1)),
});
export type CronJobSpec = Infer<typeof CronJobSpec>;

export const CronJobStatus = struct('batch.v1.CronJobStatus', {
  active: f(1, list(ObjectReference).atomicList()),
  lastScheduleTime: f(4, time().optional()),
  lastSuccessfulTime: f(5, time().optional()),
});
export type CronJobStatus = Infer<typeof CronJobStatus>;

export const CronJob = kind('batch.v1.CronJob', {
  metadata: f(1, ObjectMeta),
  spec: f(2, CronJobSpec),
  status: f(3, CronJobStatus),
});
export type CronJob = Infer<typeof CronJob>;
