import { ObjectMeta } from '../../../meta/object-meta.ts';
import { f, type Infer, kind, struct } from '../../../schema/schema.ts';
import { UserInfo } from '../v1/user-info.ts';

export const SelfSubjectReviewStatus = struct(
  'authentication.v1alpha1.SelfSubjectReviewStatus',
  {
    userInfo: f(1, UserInfo, 'The user, after impersonation if there was any.'),
  },
  { description: 'The user that made the request.' },
);
export type SelfSubjectReviewStatus = Infer<typeof SelfSubjectReviewStatus>;

export const SelfSubjectReview = kind(
  'authentication.v1alpha1.SelfSubjectReview',
  {
    metadata: f(1, ObjectMeta),
    status: f(2, SelfSubjectReviewStatus),
  },
  { description: 'Asks the server which user it takes the caller for; nothing is stored.' },
);
export type SelfSubjectReview = Infer<typeof SelfSubjectReview>;
