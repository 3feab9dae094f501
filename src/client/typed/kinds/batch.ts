import type { CronJob as DeclaredCronJob } from '../../../kinds/batch/cron-job.ts';
import type { Job as DeclaredJob } from '../../../kinds/batch/job.ts';
import { inGroup } from '../object-kind.ts';

const batch = inGroup('batch', 'v1');

export type CronJob = DeclaredCronJob;
export const CronJob = batch.namespaced<CronJob>('CronJob', 'cronjobs');

export type Job = DeclaredJob;
export const Job = batch.namespaced<Job>('Job', 'jobs');
