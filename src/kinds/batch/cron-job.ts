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
  schedule: f(1, string().required(), 'When, in the five fields of cron.'),
  timeZone: f(8, string().optional(), 'Whose clock counts.'),
  startingDeadlineSeconds: f(2, int64().optional(), 'How late a job may start.'),
  concurrencyPolicy: f(
    3,
    string().oneOf('Allow', 'Forbid', 'Replace').default('Allow'),
    'What happens when the one before still runs.',
  ),
  suspend: f(4, bool().optional().default(false), 'No jobs are made.'),
  jobTemplate: f(5, JobTemplateSpec.required(), 'What its jobs look like.'),
  successfulJobsHistoryLimit: f(6, int32().optional().default(3), 'How many succeeded jobs are kept.'),
  failedJobsHistoryLimit: f(7, int32().optional().default(1), 'How many failed jobs are kept.'),
});
export type CronJobSpec = Infer<typeof CronJobSpec>;

export const CronJobStatus = struct('batch.v1.CronJobStatus', {
  active: f(1, list(ObjectReference).atomicList()),
  lastScheduleTime: f(4, time().optional()),
  lastSuccessfulTime: f(5, time().optional()),
});
export type CronJobStatus = Infer<typeof CronJobStatus>;

export const CronJob = kind(
  'batch.v1.CronJob',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, CronJobSpec),
    status: f(3, CronJobStatus),
  },
  { description: 'Makes jobs at set times.' },
);
export type CronJob = Infer<typeof CronJob>;
