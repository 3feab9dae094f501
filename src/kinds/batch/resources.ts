import { dns1123Subdomain } from '../../meta/formats.ts';
import { type ResourceType, resourceType, statusSubresource } from '../../registry/resource-type.ts';
import { cronJobColumns, jobColumns } from './columns.ts';
import { CronJob } from './cron-job.ts';
import { validateCronJob, validateCronJobCreate } from './cron-job-validation.ts';
import { Job } from './job.ts';
import { CRON_JOB_GATED_FIELDS, JOB_GATED_FIELDS, prepareJob } from './job-preparation.ts';
import { validateJob, validateJobStatusUpdate, validateJobUpdate } from './job-validation.ts';

const batch = { group: 'batch', version: 'v1', namespaced: true, nameRule: dns1123Subdomain } as const;

export const batchResources = (): readonly ResourceType[] => [
  resourceType<CronJob>({
    ...batch,
    kind: 'CronJob',
    plural: 'cronjobs',
    shortNames: ['cj'],
    categories: ['all'],
    schema: CronJob,
    strategy: { generation: true },
    columns: cronJobColumns,
    gatedFields: CRON_JOB_GATED_FIELDS,
    validate: validateCronJob,
    validateCreate: validateCronJobCreate,
    rules: { resets: ['status'] },
    subresources: { status: statusSubresource({ resets: ['spec'], whole: false }) },
  }),
  resourceType<Job>({
    ...batch,
    kind: 'Job',
    plural: 'jobs',
    categories: ['all'],
    schema: Job,
    strategy: { generation: true, defaultPropagation: 'Orphan' },
    propagationWarning:
      'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
    columns: jobColumns,
    selectableFields: { 'status.successful': ({ status }) => String(status.succeeded ?? 0) },
    gatedFields: JOB_GATED_FIELDS,
    prepareCreate: prepareJob,
    validate: validateJob,
    rules: { resets: ['status'], validateUpdate: validateJobUpdate },
    subresources: {
      status: statusSubresource({ resets: ['spec'], whole: false, validateUpdate: validateJobStatusUpdate }),
    },
  }),
];
