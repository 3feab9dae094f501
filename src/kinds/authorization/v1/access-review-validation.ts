import type { ObjectMeta } from '../../../meta/object-meta.ts';
import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import type { SelfSubjectAccessReviewSpec, SubjectAccessReviewSpec } from './access-review-spec.ts';
import type { LocalSubjectAccessReview } from './local-subject-access-review.ts';
import type { SelfSubjectAccessReview } from './self-subject-access-review.ts';
import type { SubjectAccessReview } from './subject-access-review.ts';

const SPEC = Path.of('spec');

/** The question is about a resource or about a path. */
export function validateQuestion(
  { resourceAttributes, nonResourceAttributes }: SelfSubjectAccessReviewSpec,
  problems: Problems,
): void {
  if (resourceAttributes && nonResourceAttributes) {
    const rule = 'cannot be specified in combination with resourceAttributes';
    problems.invalid(SPEC.child('nonResourceAttributes'), nonResourceAttributes, rule);
  }
  if (!resourceAttributes && !nonResourceAttributes) {
    const rule = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    problems.invalid(SPEC.child('resourceAttributes'), null, rule);
  }
}

function validateWho({ user, groups }: SubjectAccessReviewSpec, problems: Problems): void {
  if (user || groups?.length) return;
  problems.invalid(SPEC.child('user'), user ?? '', 'at least one of user or group must be specified');
}

const isEmpty = (metadata: Partial<ObjectMeta>): boolean => Object.values(metadata).every((value) => !value);

export function validateUnnamed(metadata: ObjectMeta, problems: Problems): void {
  if (!isEmpty(metadata)) problems.invalid('metadata', metadata, 'must be empty');
}

export function validateSelfSubjectAccessReview({ metadata, spec }: SelfSubjectAccessReview, problems: Problems): void {
  validateQuestion(spec, problems);
  validateUnnamed(metadata, problems);
}

export function validateSubjectAccessReview({ metadata, spec }: SubjectAccessReview, problems: Problems): void {
  validateQuestion(spec, problems);
  validateWho(spec, problems);
  validateUnnamed(metadata, problems);
}

/** A question about one namespace, asked there. */
export function validateLocalSubjectAccessReview(
  { metadata, spec }: LocalSubjectAccessReview,
  problems: Problems,
): void {
  const { namespace = '', ...others } = metadata;
  const { resourceAttributes, nonResourceAttributes } = spec;
  validateQuestion(spec, problems);
  validateWho(spec, problems);
  if (!isEmpty(others)) problems.invalid('metadata', metadata, 'must be empty except for namespace');
  if (resourceAttributes && (resourceAttributes.namespace ?? '') !== namespace) {
    const path = SPEC.child('resourceAttributes').child('namespace');
    problems.invalid(path, resourceAttributes.namespace ?? '', 'must match metadata.namespace');
  }
  if (nonResourceAttributes) {
    problems.invalid(SPEC.child('nonResourceAttributes'), nonResourceAttributes, 'disallowed on this kind of request');
  }
}
