import type { TokenReview as DeclaredTokenReview } from '../../../kinds/authentication/v1/token-review.ts';
import type { SelfSubjectReview as DeclaredSelfSubjectReview } from '../../../kinds/authentication/v1alpha1/self-subject-review.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import { inGroup, type ObjectKind } from '../object-kind.ts';

const { groups } = vocabularies.platform;
const v1 = inGroup(groups.authentication, 'v1');

export type TokenReview = DeclaredTokenReview;
export const TokenReview: ObjectKind<TokenReview, false> = v1.clusterWide('TokenReview', 'tokenreviews');

const v1alpha1 = inGroup(groups.authentication, 'v1alpha1');

export type SelfSubjectReview = DeclaredSelfSubjectReview;
export const SelfSubjectReview: ObjectKind<SelfSubjectReview, false> = v1alpha1.clusterWide(
  'SelfSubjectReview',
  'selfsubjectreviews',
);
