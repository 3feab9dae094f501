import { pathSegment } from '../../meta/formats.ts';
import { type ResourceType, resourceType } from '../../registry/resource-type.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { LocalSubjectAccessReview } from './v1/local-subject-access-review.ts';
import { SelfSubjectAccessReview } from './v1/self-subject-access-review.ts';
import { SelfSubjectRulesReview } from './v1/self-subject-rules-review.ts';
import { SubjectAccessReview } from './v1/subject-access-review.ts';

/** Questions: they are posted, answered and forgotten. */
export function authorizationResources(v: Vocabulary): readonly ResourceType[] {
  const reviews = { group: v.groups.authorization, version: 'v1', verbs: ['create'], nameRule: pathSegment } as const;
  return [
    resourceType<LocalSubjectAccessReview>({
      ...reviews,
      kind: 'LocalSubjectAccessReview',
      plural: 'localsubjectaccessreviews',
      namespaced: true,
      schema: LocalSubjectAccessReview,
    }),
    resourceType<SelfSubjectAccessReview>({
      ...reviews,
      kind: 'SelfSubjectAccessReview',
      plural: 'selfsubjectaccessreviews',
      namespaced: false,
      schema: SelfSubjectAccessReview,
    }),
    resourceType<SelfSubjectRulesReview>({
      ...reviews,
      kind: 'SelfSubjectRulesReview',
      plural: 'selfsubjectrulesreviews',
      namespaced: false,
      schema: SelfSubjectRulesReview,
    }),
    resourceType<SubjectAccessReview>({
      ...reviews,
      kind: 'SubjectAccessReview',
      plural: 'subjectaccessreviews',
      namespaced: false,
      schema: SubjectAccessReview,
    }),
  ];
}
