import type { Column } from '../../registry/resource-type.ts';
import { ageColumn, boolean, integer, nameColumn, text, wide } from '../columns.ts';
import { templateColumns } from '../core/pod/pod-template-columns.ts';
import { age, duration, NONE, selector, UNSET } from '../printing.ts';
import type { CronJob } from './cron-job.ts';
import type { Job } from './job.ts';

export const jobColumns: readonly Column<Job>[] = [
  nameColumn,
  text('Completions', 'Runs that succeeded, of those wanted.', completions),
  text('Duration', 'How long the job has run, or ran.', runTime),
  ageColumn,
  ...templateColumns<Job>(({ spec }) => spec.template),
  wide(text('Selector', 'Labels of the pods that count.', ({ spec }) => selector(spec.selector))),
];

export const cronJobColumns: readonly Column<CronJob>[] = [
  nameColumn,
  text('Schedule', 'When jobs are started.', ({ spec }) => spec.schedule),
  boolean('Suspend', 'Whether no more jobs are started.', suspended),
  integer('Active', 'Jobs that are running.', ({ status }) => status.active?.length ?? 0),
  text('Last Schedule', 'Time since a job was last started.', ({ status }, now) =>
    status.lastScheduleTime ? age(status.lastScheduleTime, now) : NONE,
  ),
  ageColumn,
  ...templateColumns<CronJob>(({ spec }) => spec.jobTemplate.spec.template),
  wide(
    text('Selector', 'Labels of the pods that count, for each job.', ({ spec }) =>
      selector(spec.jobTemplate.spec.selector),
    ),
  ),
];

function completions({ spec, status }: Job): string {
  const { completions, parallelism = 0 } = spec;
  const succeeded = status.succeeded ?? 0;
  if (completions !== undefined) return `${succeeded}/${completions}`;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function runTime({ status: { startTime, completionTime } }: Job, now: number): string {
  if (!startTime) return '';
  const end = completionTime ? Date.parse(completionTime) : now;
  return duration(end - Date.parse(startTime));
}

/** Text in a column of booleans: clients have always been sent it so. */
function suspended({ spec: { suspend } }: CronJob): string {
  if (suspend === undefined) return UNSET;
  return suspend ? 'True' : 'False';
}
