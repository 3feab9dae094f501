import { type ResourceType, resourceType } from '../../registry/resource-type.ts';
import type { Vocabulary } from '../../vocabulary.ts';
import { pathSegment } from '../formats.ts';
import { TokenReview } from './v1/token-review.ts';

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
];
