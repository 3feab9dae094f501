import { nonNegative, unchanged } from '../../meta/field-rules.ts';
import { dns1123Label } from '../../meta/formats.ts';
import { isUnusableSelector, selects, validateLabelSelector } from '../../meta/label-selector-validation.ts';
import type { HookContext } from '../../registry/resource-type.ts';
import { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import type { PodTemplateSpec } from '../core/pod/pod-template.ts';
import { validatePodTemplateSpec } from '../core/pod/pod-template-validation.ts';
import { validateSelected } from '../core/replication/replicas-validation.ts';
import type { Job, JobSpec } from './job.ts';
import { validatePodFailurePolicy } from './pod-failure-policy-validation.ts';

const NAME = Path.of('metadata', 'name');
const SPEC = Path.of('spec');
const SELECTOR = SPEC.child('selector');
const TEMPLATE = SPEC.child('template');
const STATUS = Path.of('status');

export function validateJob(job: Job, problems: Problems, context: HookContext): void {
  const { spec } = job;
  validateGeneratedSelector(job, problems);
  validateJobSpec(spec, SPEC, problems, context);
  if (!spec.selector) problems.required(SELECTOR);
  else validateLabelSelector(spec.selector, SELECTOR, problems);
  if (!spec.selector || !isUnusableSelector(spec.selector)) {
    validateSelected(spec.selector ?? null, spec.template, TEMPLATE, problems);
  }
  validateHostnames(job, problems);
}

/** Pods with an index are named after it, so that the name of the job has to leave room for the last one. */
function validateHostnames({ metadata, spec }: Job, problems: Problems): void {
  const { completions = 0, completionMode } = spec;
  if (completionMode !== 'Indexed' || completions < 1) return;
  const last = `${metadata.name}-${completions - 1}`;
  if (dns1123Label(last) === undefined) return;
  problems.invalid(NAME, metadata.name, `will not able to create pod with invalid DNS label: ${last}`);
}

/** A selector that the server makes is made of these two labels, and the pods carry them. */
function validateGeneratedSelector({ metadata, spec }: Job, problems: Problems): void {
  if (spec.manualSelector || !spec.selector) return;
  const expected = { 'controller-uid': metadata.uid ?? '', 'job-name': metadata.name ?? '' };
  const labels = TEMPLATE.child('metadata').child('labels');
  for (const [key, value] of Object.entries(expected)) {
    const label = spec.template.metadata.labels?.[key];
    if (label === undefined) problems.required(labels.key(key), `must be '${value}'`);
    else if (label !== value) problems.invalid(labels.key(key), label, `must be '${value}'`);
  }
  if (!isUnusableSelector(spec.selector) && !selects(spec.selector, expected)) {
    problems.invalid(SELECTOR, spec.selector, '`selector` not auto-generated');
  }
}

const MOST_PARALLEL_INDEXED = 100_000;

/** The rules of a job wherever it is described, but for its selector. */
export function validateJobSpec(spec: JobSpec, path: Path, problems: Problems, context: HookContext): void {
  nonNegative(problems, path, 'parallelism', spec.parallelism);
  nonNegative(problems, path, 'completions', spec.completions);
  nonNegative(problems, path, 'activeDeadlineSeconds', spec.activeDeadlineSeconds);
  nonNegative(problems, path, 'backoffLimit', spec.backoffLimit);
  nonNegative(problems, path, 'ttlSecondsAfterFinished', spec.ttlSecondsAfterFinished);
  validateCompletionMode(spec, path, problems);
  validatePodTemplateSpec(spec.template, path.child('template'), problems, context);
  validateEnding(spec.template, path, problems);
  validatePodFailurePolicy(spec, path, problems);
}

function validateCompletionMode(spec: JobSpec, path: Path, problems: Problems): void {
  const { completionMode: mode, completions, parallelism = 0 } = spec;
  if (mode === undefined || mode === 'NonIndexed') return;
  if (mode !== 'Indexed') {
    problems.notSupported(path.child('completionMode'), mode, ['Indexed', 'NonIndexed']);
    return;
  }
  if (completions === undefined) problems.required(path.child('completions'), 'when completion mode is Indexed');
  if (parallelism > MOST_PARALLEL_INDEXED) {
    const rule = `must be less than or equal to ${MOST_PARALLEL_INDEXED} when completion mode is Indexed`;
    problems.invalid(path.child('parallelism'), parallelism, rule);
  }
}

/** Pods of a job come to an end. `Always` is what a client gets who says nothing, so it counts as saying nothing. */
function validateEnding({ spec }: PodTemplateSpec, path: Path, problems: Problems): void {
  const { restartPolicy = '' } = spec;
  const policy = path.child('template').child('spec').child('restartPolicy');
  if (restartPolicy === '' || restartPolicy === 'Always') {
    problems.required(policy, 'valid values: "OnFailure", "Never"');
  } else if (restartPolicy !== 'OnFailure' && restartPolicy !== 'Never') {
    problems.notSupported(policy, restartPolicy, ['Never', 'OnFailure']);
  }
}

/** What a job does is settled when it is made. Before a suspended one starts, where its pods run is not. */
export function validateJobUpdate({ spec }: Job, old: Job, problems: Problems): void {
  unchanged(problems, SPEC, 'completions', spec.completions, old.spec.completions);
  unchanged(problems, SPEC, 'selector', spec.selector, old.spec.selector);
  unchanged(problems, SPEC, 'completionMode', spec.completionMode, old.spec.completionMode);
  unchanged(problems, SPEC, 'podFailurePolicy', spec.podFailurePolicy, old.spec.podFailurePolicy);
  const waiting = old.spec.suspend === true && !old.status.startTime;
  const before = waiting ? withPlacementOf(spec.template, old.spec.template) : old.spec.template;
  unchanged(problems, SPEC, 'template', spec.template, before);
}

/** `template` with the labels, annotations and choice of nodes of `other`. */
function withPlacementOf(other: PodTemplateSpec, { metadata, spec }: PodTemplateSpec): unknown {
  const { labels, annotations } = other.metadata;
  const { nodeSelector, tolerations } = other.spec;
  const affinity = { ...spec.affinity, nodeAffinity: other.spec.affinity?.nodeAffinity };
  const isAffinityEmpty = Object.values(affinity).every((part) => part === undefined);
  return {
    metadata: { ...metadata, labels, annotations },
    spec: {
      ...spec,
      nodeSelector,
      tolerations,
      affinity: isAffinityEmpty && !other.spec.affinity ? undefined : affinity,
    },
  };
}

export function validateJobStatusUpdate({ status }: Job, _old: Job, problems: Problems): void {
  nonNegative(problems, STATUS, 'active', status.active);
  nonNegative(problems, STATUS, 'succeeded', status.succeeded);
  nonNegative(problems, STATUS, 'failed', status.failed);
  nonNegative(problems, STATUS, 'ready', status.ready);
  const seen = new Set<string>();
  for (const field of ['succeeded', 'failed'] as const) {
    status.uncountedTerminatedPods?.[field]?.forEach((uid, at) => {
      const path = STATUS.child('uncountedTerminatedPods').child(field).index(at);
      if (uid === '') problems.invalid(path, uid, 'must not be empty');
      else if (seen.has(uid)) problems.duplicate(path, uid);
      seen.add(uid);
    });
  }
}
