import { renamed } from '../../../schema/rename.ts';
import { string, stringItems } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, map, struct } from '../../../schema/schema.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { NonResourceAttributes, ResourceAttributes, SubjectAccessReviewStatus } from '../v1/access-review-spec.ts';

const FROM = 'authorization.v1.';
const TO = 'authorization.v1beta1.';

const Status = renamed(SubjectAccessReviewStatus, FROM, TO);

/** Differs from v1 in the name of `group`. */
export const SubjectAccessReviewSpec = struct('authorization.v1beta1.SubjectAccessReviewSpec', {
  resourceAttributes: f(1, renamed(ResourceAttributes, FROM, TO).optional()),
  nonResourceAttributes: f(2, renamed(NonResourceAttributes, FROM, TO).optional()),
  user: f(3, string()),
  group: f(4, list(string())),
  extra: f(5, map(stringItems())),
  uid: f(6, string()),
});
export type SubjectAccessReviewSpec = Infer<typeof SubjectAccessReviewSpec>;

export const SubjectAccessReview = kind('authorization.v1beta1.SubjectAccessReview', {
  metadata: f(1, ObjectMeta),
  spec: f(2, SubjectAccessReviewSpec.required()),
  status: f(3, Status),
});
export type SubjectAccessReview = Infer<typeof SubjectAccessReview>;

export const LocalSubjectAccessReview = kind('authorization.v1beta1.LocalSubjectAccessReview', {
  metadata: f(1, ObjectMeta),
  spec: f(2, SubjectAccessReviewSpec.required()),
  status: f(3, Status),
});
export type LocalSubjectAccessReview = Infer<typeof LocalSubjectAccessReview>;
