import { forbidden } from '../../../meta/field-rules.ts';
import { validateAnnotations, validateLabels } from '../../../meta/labels-validation.ts';
import type { HookContext } from '../../../registry/resource-type.ts';
import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import type { Volume } from '../volume/volume.ts';
import { validatePodAnnotations, validateSeccompAgreement } from './pod-annotations-validation.ts';
import { validatePodSpec } from './pod-spec-validation.ts';
import type { PodTemplate, PodTemplateSpec } from './pod-template.ts';

/** What pods are made from. Of its metadata only labels and annotations count, noted without `metadata` as clients know it. */
export function validatePodTemplateSpec(
  { metadata, spec }: PodTemplateSpec,
  path: Path,
  problems: Problems,
  context: HookContext,
): void {
  const specPath = path.child('spec');
  validateLabels(metadata.labels, path.child('labels'), problems);
  validateAnnotations(metadata.annotations, path.child('annotations'), problems);
  validatePodAnnotations(metadata.annotations, spec, path.child('annotations'), problems, context);
  validatePodSpec(spec, specPath, problems, context);
  validateSeccompAgreement(metadata.annotations, spec, specPath, problems, context);
  const why = 'ephemeral containers not allowed in pod template';
  forbidden(problems, specPath, 'ephemeralContainers', spec.ephemeralContainers, why);
}

/** A template whose pods are replaced when they end, by the kind named `owner`. */
export function validateReplicatedTemplate(
  template: PodTemplateSpec,
  owner: string,
  replicas: number,
  path: Path,
  problems: Problems,
  context: HookContext,
): void {
  validatePodTemplateSpec(template, path, problems, context);
  if (replicas > 1) validateSharedDisks(template.spec.volumes ?? [], path.child('spec').child('volumes'), problems);
  validateKeptAlive(template, owner, path, problems);
}

/** Pods that are to run for ever. */
export function validateKeptAlive({ spec }: PodTemplateSpec, owner: string, path: Path, problems: Problems): void {
  const { restartPolicy = '', activeDeadlineSeconds } = spec;
  const specPath = path.child('spec');
  if (restartPolicy !== 'Always') problems.notSupported(specPath.child('restartPolicy'), restartPolicy, ['Always']);
  if (activeDeadlineSeconds === undefined) return;
  const why = `activeDeadlineSeconds in ${owner} is not Supported`;
  problems.forbidden(specPath.child('activeDeadlineSeconds'), why);
}

/** Disks that several machines can have at once only for reading. */
export function validateSharedDisks(volumes: readonly Volume[], path: Path, problems: Problems): void {
  volumes.forEach(({ gcePersistentDisk }, at) => {
    if (!gcePersistentDisk || gcePersistentDisk.readOnly) return;
    problems.invalid(
      path.index(at).child('gcePersistentDisk').child('readOnly'),
      false,
      'must be true for replicated pods > 1; GCE PD can only be mounted on multiple machines if it is read-only',
    );
  });
}

const TEMPLATE = Path.of('template');

export function validatePodTemplate({ template }: PodTemplate, problems: Problems, context: HookContext): void {
  validatePodTemplateSpec(template, TEMPLATE, problems, context);
}
