import { ObjectMeta } from '../../meta/object-meta.ts';
import { bool, int32, int64, string, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { ObjectReference } from '../core/references.ts';
import { JobSpec } from './job.ts';

export const JobTemplateSpec = struct(
  'batch.v1.JobTemplateSpec',
  {
    metadata: f(1, ObjectMeta, 'Labels and annotations for the jobs; names are made by the controller.'),
    spec: f(2, JobSpec, 'Specification of the jobs.'),
  },
  { description: 'Metadata and specification of the jobs that a CronJob creates.' },
);
export type JobTemplateSpec = Infer<typeof JobTemplateSpec>;

export const CronJobSpec = struct(
  'batch.v1.CronJobSpec',
  {
    schedule: f(
      1,
      string().required(),
      'When jobs start, in the five fields of cron (minute, hour, day of month, month, day of week), or @hourly, @daily and the like.',
    ),
    timeZone: f(
      8,
      string().optional(),
      'Name of the time zone of the schedule, such as Europe/Berlin. Unset: the zone of the controller.',
    ),
    startingDeadlineSeconds: f(
      2,
      int64().optional(),
      'Seconds that a job may start late when its time was missed; later, it counts as failed. Unset: no limit.',
    ),
    concurrencyPolicy: f(
      3,
      string().oneOf('Allow', 'Forbid', 'Replace').default('Allow'),
      'When the job before still runs: Allow (the default) runs both, Forbid skips the new one, Replace ends the old one.',
    ),
    suspend: f(
      4,
      bool().optional().default(false),
      'While true, no new jobs start; those that run go on. Default false.',
    ),
    jobTemplate: f(5, JobTemplateSpec.required(), 'The job that is created each time.'),
    successfulJobsHistoryLimit: f(6, int32().optional().default(3), 'How many succeeded jobs are kept. Default 3.'),
    failedJobsHistoryLimit: f(7, int32().optional().default(1), 'How many failed jobs are kept. Default 1.'),
  },
  {
    description:
      'Desired state of a CronJob: when jobs start, what they look like, and how many finished ones are kept.',
  },
);
export type CronJobSpec = Infer<typeof CronJobSpec>;

export const CronJobStatus = struct(
  'batch.v1.CronJobStatus',
  {
    active: f(1, list(ObjectReference).atomicList(), 'The jobs that run now.'),
    lastScheduleTime: f(4, time().optional(), 'When a job was last started on schedule.'),
    lastSuccessfulTime: f(5, time().optional(), 'When a job last ended successfully.'),
  },
  { description: 'What was last observed of a CronJob.' },
);
export type CronJobStatus = Infer<typeof CronJobStatus>;

export const CronJob = kind(
  'batch.v1.CronJob',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, CronJobSpec),
    status: f(3, CronJobStatus),
  },
  { description: 'Creates jobs at the times of a cron schedule.' },
);
export type CronJob = Infer<typeof CronJob>;
