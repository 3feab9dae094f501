import { describe, expect, it } from 'vitest';
import { template as keptAlive } from '../../../test/pods.ts';
import { changed, problemsOf, problemsOfChange } from '../../../test/problems-of.ts';
import { CronJob } from './cron-job.ts';
import { validateCronJob, validateCronJobCreate } from './cron-job-validation.ts';
import { Job } from './job.ts';
import { validateJob, validateJobStatusUpdate, validateJobUpdate } from './job-validation.ts';

const labels = { 'controller-uid': 'u', 'job-name': 'j' };
const template = changed(keptAlive, { metadata: { labels }, spec: { restartPolicy: 'Never' } });
const job = {
  metadata: { name: 'j', uid: 'u' },
  spec: { parallelism: 1, completions: 1, selector: { matchLabels: { 'controller-uid': 'u' } }, template },
};

const common: readonly (readonly [unknown, readonly string[]])[] = [
  [{ parallelism: -1 }, ['Invalid parallelism']],
  [{ completions: -1 }, ['Invalid completions']],
  [{ activeDeadlineSeconds: -1 }, ['Invalid activeDeadlineSeconds']],
  [{ backoffLimit: -1 }, ['Invalid backoffLimit']],
  [{ ttlSecondsAfterFinished: -1 }, ['Invalid ttlSecondsAfterFinished']],
  [{ completionMode: 'Odd' }, ['NotSupported completionMode']],
  [{ completionMode: 'Indexed', parallelism: 100001 }, ['Invalid parallelism']],
  [{ template: { spec: { restartPolicy: 'Always' } } }, ['Required template.spec.restartPolicy']],
  [{ template: { spec: { restartPolicy: 'Odd' } } }, ['NotSupported template.spec.restartPolicy']],
  [{ template: { spec: { containers: null } } }, ['Required template.spec.containers']],
];

const below = (path: string, causes: readonly string[]): string[] =>
  causes.map((cause) => cause.replace(' ', ` ${path}.`));

describe('a job', () => {
  const problems = (change: unknown) => problemsOf(Job, { validate: validateJob }, changed(job, change));

  it('may be plain, or numbered', () => {
    expect(problems({})).toEqual([]);
    expect(problems({ spec: { completionMode: 'Indexed', completions: 3 } })).toEqual([]);
  });

  it.each(common)('with %j is refused', (spec, causes) => {
    expect(problems({ spec })).toEqual(below('spec', causes));
  });

  it.each([
    [{ spec: { completionMode: 'Indexed', completions: null } }, ['Required spec.completions']],
    [
      {
        metadata: { name: 'a'.repeat(62) },
        spec: {
          completionMode: 'Indexed',
          template: { metadata: { labels: { 'job-name': 'a'.repeat(62) } } },
        },
      },
      ['Invalid metadata.name'],
    ],
    [{ spec: { selector: null } }, ['Invalid spec.template.metadata.labels', 'Required spec.selector']],
    [
      { metadata: { uid: 'other' } },
      ['Invalid spec.selector', 'Invalid spec.template.metadata.labels[controller-uid]'],
    ],
    [
      { spec: { template: { metadata: { labels: { 'job-name': null } } } } },
      ['Required spec.template.metadata.labels[job-name]'],
    ],
    [
      { spec: { manualSelector: true, selector: { matchLabels: { a: 'b' } } } },
      ['Invalid spec.template.metadata.labels'],
    ],
  ])('changed to %j: %j', (change, causes) => {
    expect(problems(change)).toEqual(causes);
  });

  it('may choose its selector', () => {
    const spec = {
      manualSelector: true,
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } } },
    };
    expect(problems({ spec })).toEqual([]);
  });
});

describe('a change of a job', () => {
  const change = (spec: unknown, old: unknown = job) =>
    problemsOfChange(Job, validateJobUpdate, old, changed(old, { spec }));

  it.each([
    [{ parallelism: 5, suspend: true }, []],
    [{ completions: 5 }, ['Invalid spec.completions']],
    [{ completionMode: 'Indexed' }, ['Invalid spec.completionMode']],
    [{ selector: { matchLabels: { a: 'b' } } }, ['Invalid spec.selector']],
    [{ template: { spec: { nodeSelector: { a: 'b' } } } }, ['Invalid spec.template']],
  ])('to %j: %j', (spec, causes) => {
    expect(change(spec)).toEqual(causes);
  });

  it('may still choose nodes while the job waits for its first start', () => {
    const waiting = changed(job, { spec: { suspend: true } });
    const spec = {
      nodeSelector: { a: 'b' },
      tolerations: [{ operator: 'Exists' }],
      affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: {} }] } },
    };
    const placed = changed(waiting, { spec: { template: { spec } } });
    expect(change({ template: { metadata: { annotations: { a: 'b' } }, spec } }, waiting)).toEqual([]);
    expect(change({ template: { spec: { affinity: null } } }, placed)).toEqual([]);
    expect(change({ template: { spec: { hostname: 'h' } } }, waiting)).toEqual(['Invalid spec.template']);
    const started = changed(waiting, { status: { startTime: '2001-01-01T00:00:00Z' } });
    expect(change({ template: { spec } }, started)).toEqual(['Invalid spec.template']);
  });

  it.each([
    [{ active: 1, ready: 1, uncountedTerminatedPods: { succeeded: ['a'], failed: ['b'] } }, []],
    [{ active: -1 }, ['Invalid status.active']],
    [{ succeeded: -1 }, ['Invalid status.succeeded']],
    [{ failed: -1 }, ['Invalid status.failed']],
    [{ ready: -1 }, ['Invalid status.ready']],
    [{ uncountedTerminatedPods: { succeeded: [''] } }, ['Invalid status.uncountedTerminatedPods.succeeded[0]']],
    [
      { uncountedTerminatedPods: { succeeded: ['a'], failed: ['a'] } },
      ['Duplicate status.uncountedTerminatedPods.failed[0]'],
    ],
  ])('of its status to %j: %j', (status, causes) => {
    expect(problemsOfChange(Job, validateJobStatusUpdate, job, changed(job, { status }))).toEqual(causes);
  });
});

describe('a cron job', () => {
  const cronJob = {
    metadata: { name: 'c' },
    spec: { schedule: '0 * * * *', timeZone: 'UTC', jobTemplate: { spec: { template } } },
  };
  const problems = (change: unknown) =>
    problemsOf(CronJob, { validate: validateCronJob, validateCreate: validateCronJobCreate }, changed(cronJob, change));

  it('may be plain', () => {
    expect(problems({})).toEqual([]);
  });

  it.each(common)('of jobs with %j is refused', (spec, causes) => {
    const complete = { completions: 1, ...(spec as object) };
    expect(problems({ spec: { jobTemplate: { spec: complete } } })).toEqual(below('spec.jobTemplate.spec', causes));
  });

  it.each([
    [{ metadata: { name: 'a'.repeat(53) } }, ['Invalid metadata.name']],
    [{ spec: { schedule: '' } }, ['Required spec.schedule']],
    [{ spec: { schedule: 'often' } }, ['Invalid spec.schedule']],
    [{ spec: { schedule: 'TZ=UTC 0 * * * *' } }, ['Invalid spec.schedule']],
    [{ spec: { timeZone: '' } }, ['Invalid spec.timeZone']],
    [{ spec: { timeZone: 'Nowhere' } }, ['Invalid spec.timeZone']],
    [{ spec: { startingDeadlineSeconds: -1 } }, ['Invalid spec.startingDeadlineSeconds']],
    [{ spec: { successfulJobsHistoryLimit: -1 } }, ['Invalid spec.successfulJobsHistoryLimit']],
    [{ spec: { failedJobsHistoryLimit: -1 } }, ['Invalid spec.failedJobsHistoryLimit']],
    [{ spec: { concurrencyPolicy: 'Odd' } }, ['NotSupported spec.concurrencyPolicy']],
    [{ spec: { jobTemplate: { spec: { selector: {} } } } }, ['Invalid spec.jobTemplate.spec.selector']],
    [
      { spec: { jobTemplate: { spec: { manualSelector: true } } } },
      ['NotSupported spec.jobTemplate.spec.manualSelector'],
    ],
  ])('with %j: %j', (change, causes) => {
    expect(problems(change)).toEqual(causes);
  });
});
