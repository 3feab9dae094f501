import type { CronJob } from '../../../kinds/batch/cron-job.ts';
import type { Job } from '../../../kinds/batch/job.ts';
import { duration, selectorText } from '../../../kinds/printing.ts';
import { writeAnnotations, writeIdentity, writeLabels } from './metadata.ts';
import { writePodTemplate } from './pods.ts';
import type { Sheet } from './sheet.ts';
import { describer } from './subject.ts';
import { controllerText, momentText, yesNo } from './texts.ts';

const UNSET = '<unset>';
/** So much of the list of indexes is shown, to the next comma. */
const SHOWN_INDEXES = 50;

export const job = describer<Job>((sheet, { object, vocabulary }) => {
  const { metadata, spec } = object;
  sheet.field('Name', metadata.name ?? '');
  sheet.field('Namespace', metadata.namespace ?? '');
  sheet.field('Selector', selectorText(spec.selector) ?? '');
  writeLabels(sheet, metadata.labels);
  writeAnnotations(sheet, metadata.annotations, vocabulary);
  const controller = controllerText(metadata.ownerReferences);
  if (controller) sheet.field('Controlled By', controller);
  if (spec.parallelism !== undefined) sheet.field('Parallelism', spec.parallelism);
  sheet.field('Completions', spec.completions ?? UNSET);
  if (spec.completionMode !== undefined) sheet.field('Completion Mode', spec.completionMode);
  if (spec.suspend !== undefined) sheet.field('Suspend', spec.suspend);
  if (spec.backoffLimit !== undefined) sheet.field('Backoff Limit', spec.backoffLimit);
  if (spec.ttlSecondsAfterFinished !== undefined) {
    sheet.field('TTL Seconds After Finished', spec.ttlSecondsAfterFinished);
  }
  writeJobStatus(sheet, object);
  writePodTemplate(sheet, spec.template, vocabulary);
});

function writeJobStatus(sheet: Sheet, { spec, status }: Job): void {
  const { startTime, completionTime } = status;
  if (startTime) sheet.field('Start Time', momentText(startTime));
  if (completionTime) sheet.field('Completed At', momentText(completionTime));
  if (startTime && completionTime) {
    sheet.field('Duration', duration(Date.parse(completionTime) - Date.parse(startTime)));
  }
  if (spec.activeDeadlineSeconds !== undefined) {
    sheet.field('Active Deadline Seconds', `${spec.activeDeadlineSeconds}s`);
  }
  const ready = status.ready === undefined ? '' : ` (${status.ready} Ready)`;
  const ended = `${status.succeeded ?? 0} Succeeded / ${status.failed ?? 0} Failed`;
  sheet.field('Pods Statuses', `${status.active ?? 0} Active${ready} / ${ended}`);
  if (spec.completionMode === 'Indexed') sheet.field('Completed Indexes', indexesText(status.completedIndexes ?? ''));
}

function indexesText(indexes: string): string {
  if (indexes === '') return '<none>';
  const comma = indexes.indexOf(',', SHOWN_INDEXES);
  return comma < 0 ? indexes : `${indexes.slice(0, comma + 1)}...`;
}

export const cronJob = describer<CronJob>((sheet, { object, vocabulary }) => {
  const { metadata, spec, status } = object;
  writeIdentity(sheet, metadata, vocabulary);
  sheet.field('Schedule', spec.schedule);
  sheet.field('Concurrency Policy', spec.concurrencyPolicy ?? '');
  sheet.field('Suspend', yesNo(spec.suspend));
  sheet.field('Successful Job History Limit', spec.successfulJobsHistoryLimit ?? UNSET);
  sheet.field('Failed Job History Limit', spec.failedJobsHistoryLimit ?? UNSET);
  const deadline = spec.startingDeadlineSeconds;
  sheet.field('Starting Deadline Seconds', deadline === undefined ? UNSET : `${deadline}s`);
  const { spec: made } = spec.jobTemplate;
  sheet.field('Selector', made.selector ? (selectorText(made.selector) ?? '') : UNSET);
  sheet.field('Parallelism', made.parallelism ?? UNSET);
  sheet.field('Completions', made.completions ?? UNSET);
  if (made.activeDeadlineSeconds !== undefined) {
    sheet.field('Active Deadline Seconds', `${made.activeDeadlineSeconds}s`);
  }
  writePodTemplate(sheet, made.template, vocabulary);
  sheet.field('Last Schedule Time', status.lastScheduleTime ? momentText(status.lastScheduleTime) : UNSET);
  sheet.field('Active Jobs', (status.active ?? []).map(({ name }) => name ?? '').join(', ') || '<none>');
});
