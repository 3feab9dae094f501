import { ObjectMeta } from '../../../meta/object-meta.ts';
import { f, type Infer, kind } from '../../../schema/schema.ts';
import { SelfSubjectAccessReviewSpec, SubjectAccessReviewStatus } from './access-review-spec.ts';

export const SelfSubjectAccessReview = kind(
  'authorization.v1.SelfSubjectAccessReview',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, SelfSubjectAccessReviewSpec.required()),
    status: f(3, SubjectAccessReviewStatus),
  },
  { description: 'Asks whether the caller may do something; nothing is stored, and everyone may ask.' },
);
export type SelfSubjectAccessReview = Infer<typeof SelfSubjectAccessReview>;
