import type { LocalSubjectAccessReview as DeclaredLocalSubjectAccessReview } from '../../../kinds/authorization/v1/local-subject-access-review.ts';
import type { SelfSubjectAccessReview as DeclaredSelfSubjectAccessReview } from '../../../kinds/authorization/v1/self-subject-access-review.ts';
import type { SelfSubjectRulesReview as DeclaredSelfSubjectRulesReview } from '../../../kinds/authorization/v1/self-subject-rules-review.ts';
import type { SubjectAccessReview as DeclaredSubjectAccessReview } from '../../../kinds/authorization/v1/subject-access-review.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import { inGroup, type ObjectKind } from '../object-kind.ts';

const { groups } = vocabularies.platform;
const authorization = inGroup(groups.authorization, 'v1');

export type LocalSubjectAccessReview = DeclaredLocalSubjectAccessReview;
export const LocalSubjectAccessReview: ObjectKind<LocalSubjectAccessReview, true> = authorization.namespaced(
  'LocalSubjectAccessReview',
  'localsubjectaccessreviews',
);

export type SelfSubjectAccessReview = DeclaredSelfSubjectAccessReview;
export const SelfSubjectAccessReview: ObjectKind<SelfSubjectAccessReview, false> = authorization.clusterWide(
  'SelfSubjectAccessReview',
  'selfsubjectaccessreviews',
);

export type SelfSubjectRulesReview = DeclaredSelfSubjectRulesReview;
export const SelfSubjectRulesReview: ObjectKind<SelfSubjectRulesReview, false> = authorization.clusterWide(
  'SelfSubjectRulesReview',
  'selfsubjectrulesreviews',
);

export type SubjectAccessReview = DeclaredSubjectAccessReview;
export const SubjectAccessReview: ObjectKind<SubjectAccessReview, false> = authorization.clusterWide(
  'SubjectAccessReview',
  'subjectaccessreviews',
);
