import { ObjectMeta } from '../../../meta/object-meta.ts';
import { describedLike } from '../../../schema/described-like.ts';
import { renamed } from '../../../schema/rename.ts';
import { string, stringItems } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, map, struct } from '../../../schema/schema.ts';
import {
  SubjectAccessReviewSpec as NewerSpec,
  NonResourceAttributes,
  ResourceAttributes,
  SubjectAccessReviewStatus,
} from '../v1/access-review-spec.ts';
import { LocalSubjectAccessReview as NewerLocal } from '../v1/local-subject-access-review.ts';
import { SubjectAccessReview as Newer } from '../v1/subject-access-review.ts';

const FROM = 'authorization.v1.';
const TO = 'authorization.v1beta1.';

const Status = renamed(SubjectAccessReviewStatus, FROM, TO);

/** Differs from v1 in the name of `group`. */
export const SubjectAccessReviewSpec = struct(
  'authorization.v1beta1.SubjectAccessReviewSpec',
  describedLike(NewerSpec, {
    resourceAttributes: f(1, renamed(ResourceAttributes, FROM, TO).optional()),
    nonResourceAttributes: f(2, renamed(NonResourceAttributes, FROM, TO).optional()),
    user: f(3, string()),
    group: f(4, list(string()), 'Groups of the user.'),
    extra: f(5, map(stringItems())),
    uid: f(6, string()),
  }),
  { description: NewerSpec.shape.description },
);
export type SubjectAccessReviewSpec = Infer<typeof SubjectAccessReviewSpec>;

export const SubjectAccessReview = kind(
  'authorization.v1beta1.SubjectAccessReview',
  describedLike(Newer, {
    metadata: f(1, ObjectMeta),
    spec: f(2, SubjectAccessReviewSpec.required()),
    status: f(3, Status),
  }),
  { description: Newer.shape.description },
);
export type SubjectAccessReview = Infer<typeof SubjectAccessReview>;

export const LocalSubjectAccessReview = kind(
  'authorization.v1beta1.LocalSubjectAccessReview',
  describedLike(NewerLocal, {
    metadata: f(1, ObjectMeta),
    spec: f(2, SubjectAccessReviewSpec.required()),
    status: f(3, Status),
  }),
  { description: NewerLocal.shape.description },
);
export type LocalSubjectAccessReview = Infer<typeof LocalSubjectAccessReview>;
