import type { CronJob as DeclaredCronJob } from '../../../kinds/batch/cron-job.ts';
import type { Job as DeclaredJob } from '../../../kinds/batch/job.ts';
import { inGroup, type ObjectKind } from '../object-kind.ts';

const batch = inGroup('batch', 'v1');

export type CronJob = DeclaredCronJob;
export const CronJob: ObjectKind<CronJob, true> = batch.namespaced('CronJob', 'cronjobs');

export type Job = DeclaredJob;
export const Job: ObjectKind<Job, true> = batch.namespaced('Job', 'jobs');
