import { ObjectMeta } from '../../meta/object-meta.ts';
import { f, type Infer, kind } from '../../schema/schema.ts';
import { SubjectAccessReviewSpec } from '../authorization/v1/access-review-spec.ts';
import { AccessStory } from './access-story.ts';

export const AccessExplanation = kind(
  'explain.v1alpha1.AccessExplanation',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, SubjectAccessReviewSpec.required(), 'Who wants to do what; without user and groups, the caller.'),
    status: f(3, AccessStory),
  },
  { description: 'Asks why somebody may or may not do something; nothing is stored.' },
);
export type AccessExplanation = Infer<typeof AccessExplanation>;
