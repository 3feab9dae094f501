import { ObjectMeta } from '../../../meta/object-meta.ts';
import { f, type Infer, kind } from '../../../schema/schema.ts';
import { SubjectAccessReviewSpec, SubjectAccessReviewStatus } from './access-review-spec.ts';

export const SubjectAccessReview = kind(
  'authorization.v1.SubjectAccessReview',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, SubjectAccessReviewSpec.required()),
    status: f(3, SubjectAccessReviewStatus),
  },
  { description: 'Asks whether a user may do something; nothing is stored.' },
);
export type SubjectAccessReview = Infer<typeof SubjectAccessReview>;
