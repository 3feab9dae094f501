import { nonNegative } from '../../../meta/field-rules.ts';
import type { LabelSelector } from '../../../meta/label-selector.ts';
import {
  isEmptySelector,
  isUnusableSelector,
  selects,
  validateLabelSelector,
} from '../../../meta/label-selector-validation.ts';
import type { HookContext } from '../../../registry/resource-type.ts';
import type { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import type { PodTemplateSpec } from '../pod/pod-template.ts';
import { validateReplicatedTemplate } from '../pod/pod-template-validation.ts';

/** Rules that the kinds which keep pods running have in common. `owner` is the kind, as messages name it. */

export const NO_MATCH = '`selector` does not match template `labels`';

/** A selector that is there and selects something in particular. */
export function validateOwnSelector(
  selector: LabelSelector | null,
  owner: string,
  path: Path,
  problems: Problems,
): void {
  if (!selector) {
    problems.required(path);
    return;
  }
  validateLabelSelector(selector, path, problems);
  if (isEmptySelector(selector)) problems.invalid(path, selector, `empty selector is invalid for ${owner}`);
}

/** The pods made from a template are selected by their owner. An empty selector is a problem of its own. */
export function validateSelected(
  selector: LabelSelector | null,
  { metadata }: PodTemplateSpec,
  path: Path,
  problems: Problems,
): void {
  if (selects(selector, metadata.labels)) return;
  problems.invalid(path.child('metadata').child('labels'), metadata.labels ?? {}, NO_MATCH);
}

interface Replicated {
  readonly replicas?: number;
  readonly selector: LabelSelector | null;
  readonly template: PodTemplateSpec;
}

/** Selector and template of replicas, below `path`. */
export function validateReplicas(
  { replicas, selector, template }: Replicated,
  path: Path,
  problems: Problems,
  context: HookContext,
): void {
  const templatePath = path.child('template');
  if (selector && isUnusableSelector(selector)) {
    problems.invalid(path.child('selector'), selector, 'invalid label selector');
    return;
  }
  validateSelected(selector, template, templatePath, problems);
  validateReplicatedTemplate(template, 'ReplicaSet', replicas ?? 0, templatePath, problems, context);
}

/** Some of the replicas, as a status counts them. */
type Part = 'fullyLabeledReplicas' | 'updatedReplicas' | 'currentReplicas' | 'readyReplicas' | 'availableReplicas';

type Counts = { readonly replicas?: number } & { readonly [P in Part]?: number };

/** Counts of replicas: none negative, none more than there are, none available that is not ready. */
export function validateCounts(status: Counts, parts: readonly Part[], path: Path, problems: Problems): void {
  const { replicas = 0, readyReplicas = 0, availableReplicas = 0 } = status;
  nonNegative(problems, path, 'replicas', replicas);
  for (const field of parts) {
    const count = status[field] ?? 0;
    nonNegative(problems, path, field, count);
    if (count > replicas) problems.invalid(path.child(field), count, 'cannot be greater than status.replicas');
  }
  if (availableReplicas > readyReplicas) {
    problems.invalid(path.child('availableReplicas'), availableReplicas, 'cannot be greater than readyReplicas');
  }
}

/** Collisions of generated names are counted, never forgotten. */
export function validateCollisionCount(
  count: number | undefined,
  old: number | undefined,
  path: Path,
  problems: Problems,
): void {
  if (old === undefined || (count !== undefined && count >= old)) return;
  problems.invalid(path.child('collisionCount'), count ?? 0, 'cannot be decremented');
}
