import { ObjectMeta } from '../../../meta/object-meta.ts';
import { f, type Infer, kind } from '../../../schema/schema.ts';
import { SubjectAccessReviewSpec, SubjectAccessReviewStatus } from './access-review-spec.ts';

export const LocalSubjectAccessReview = kind(
  'authorization.v1.LocalSubjectAccessReview',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, SubjectAccessReviewSpec.required(), 'Who wants to do what; the namespace must be that of the request.'),
    status: f(3, SubjectAccessReviewStatus),
  },
  {
    description:
      'Asks whether a user may do something in the namespace of the request; for those who may only ask about one namespace.',
  },
);
export type LocalSubjectAccessReview = Infer<typeof LocalSubjectAccessReview>;
