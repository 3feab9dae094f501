import { pathSegment } from '../../meta/formats.ts';
import { type ResourceType, resourceType } from '../../registry/resource-type.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { TokenReview } from './v1/token-review.ts';
import { SelfSubjectReview } from './v1alpha1/self-subject-review.ts';

export const authenticationResources = (v: Vocabulary): readonly ResourceType[] => [
  resourceType<TokenReview>({
    group: v.groups.authentication,
    version: 'v1',
    kind: 'TokenReview',
    plural: 'tokenreviews',
    namespaced: false,
    verbs: ['create'],
    schema: TokenReview,
    nameRule: pathSegment,
  }),
  // Newer clients ask for it; the release whose interface this is did not have it yet.
  resourceType<SelfSubjectReview>({
    group: v.groups.authentication,
    version: 'v1alpha1',
    kind: 'SelfSubjectReview',
    plural: 'selfsubjectreviews',
    namespaced: false,
    verbs: ['create'],
    schema: SelfSubjectReview,
    nameRule: pathSegment,
  }),
];
