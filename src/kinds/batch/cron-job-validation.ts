import { formatted, named, nonNegative } from '../../meta/field-rules.ts';
import { atMostCharacters } from '../../meta/formats.ts';
import type { HookContext } from '../../registry/resource-type.ts';
import { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import type { CronJob } from './cron-job.ts';
import { validateJobSpec } from './job-validation.ts';
import { cronSchedule, timeZone } from './schedule.ts';

const SPEC = Path.of('spec');
const JOB_SPEC = SPEC.child('jobTemplate').child('spec');

export function validateCronJob({ spec }: CronJob, problems: Problems, context: HookContext): void {
  const { schedule, jobTemplate } = spec;
  named(problems, SPEC, 'schedule', schedule, cronSchedule);
  if (schedule.includes('TZ') && spec.timeZone !== undefined) {
    const rule = 'cannot use both timeZone field and TZ or CRON_TZ in schedule';
    problems.invalid(SPEC.child('schedule'), schedule, rule);
  }
  if (spec.timeZone !== undefined) formatted(problems, SPEC, 'timeZone', spec.timeZone, timeZone);
  nonNegative(problems, SPEC, 'startingDeadlineSeconds', spec.startingDeadlineSeconds);
  nonNegative(problems, SPEC, 'successfulJobsHistoryLimit', spec.successfulJobsHistoryLimit);
  nonNegative(problems, SPEC, 'failedJobsHistoryLimit', spec.failedJobsHistoryLimit);
  validateJobSpec(jobTemplate.spec, JOB_SPEC, problems, context);
  const { selector, manualSelector } = jobTemplate.spec;
  if (selector) problems.invalid(JOB_SPEC.child('selector'), selector, '`selector` will be auto-generated');
  if (manualSelector) problems.notSupported(JOB_SPEC.child('manualSelector'), manualSelector, ['false', 'nil']);
}

/** A job made from it is named after it, with the time added. */
const LONGEST_NAME = 52;

export function validateCronJobCreate({ metadata }: CronJob, problems: Problems): void {
  const { name = '' } = metadata;
  if (name.length > LONGEST_NAME) problems.invalid('metadata.name', name, atMostCharacters(LONGEST_NAME));
}
