import { type GatedField, gatedWithin } from '../../registry/gated-fields.ts';
import type { HookContext } from '../../registry/resource-type.ts';
import type { Draft } from '../../schema/draft.ts';
import { POD_SPEC_GATED_FIELDS } from '../core/pod/gated-fields.ts';
import type { PodSpec } from '../core/pod/pod-spec.ts';
import type { CronJob } from './cron-job.ts';
import type { Job, JobSpec } from './job.ts';

const UID_LABEL = 'controller-uid';
const NAME_LABEL = 'job-name';

export function prepareJob(job: Draft<Job>, { vocabulary }: HookContext): void {
  if (!job.spec.manualSelector) selectOwnPods(job);
  const { metadata, spec } = job;
  if (!hasEntries(metadata.labels) && spec.template.metadata.labels) {
    metadata.labels = { ...spec.template.metadata.labels };
  }
  metadata.annotations = { ...metadata.annotations, [vocabulary.annotations.jobTracking]: '' };
}

/**
 * The job's uid as a label makes its pods its own, and no other's. What a client has put there stays: if it is wrong,
 * the selector does not match the template and the job is refused.
 */
function selectOwnPods({ metadata, spec }: Draft<Job>): void {
  const own = { [UID_LABEL]: metadata.uid ?? '' };
  const named = { [NAME_LABEL]: metadata.name ?? '' };
  const { template, selector } = spec;
  template.metadata.labels = { ...own, ...named, ...template.metadata.labels };
  spec.selector = { ...selector, matchLabels: { ...own, ...selector?.matchLabels } };
}

const hasEntries = (map: object | undefined): boolean => map !== undefined && Object.keys(map).length > 0;

const JOB_SPEC_GATED_FIELDS: readonly GatedField<JobSpec>[] = [
  {
    feature: 'JobPodFailurePolicy',
    isUsed: ({ podFailurePolicy }) => podFailurePolicy !== undefined,
    drop(spec) {
      delete spec.podFailurePolicy;
    },
  },
  ...gatedWithin<JobSpec, PodSpec>(
    ({ template }) => template.spec,
    ({ template }) => template.spec,
    POD_SPEC_GATED_FIELDS,
  ),
];

export const JOB_GATED_FIELDS = gatedWithin<Job, JobSpec>(
  ({ spec }) => spec,
  ({ spec }) => spec,
  JOB_SPEC_GATED_FIELDS,
);

export const CRON_JOB_GATED_FIELDS: readonly GatedField<CronJob>[] = [
  {
    feature: 'CronJobTimeZone',
    isUsed: ({ spec }) => spec.timeZone !== undefined,
    drop({ spec }) {
      delete spec.timeZone;
    },
  },
  ...gatedWithin<CronJob, JobSpec>(
    ({ spec }) => spec.jobTemplate.spec,
    ({ spec }) => spec.jobTemplate.spec,
    JOB_SPEC_GATED_FIELDS,
  ),
];
