import { ObjectMeta } from '../../meta/object-meta.ts';
import { bool, int32, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { NonResourceAttributes, ResourceAttributes } from '../authorization/v1/access-review-spec.ts';
import { AccessGrant } from './access-grant.ts';

export const WhoCanReviewSpec = struct(
  'explain.v1alpha1.WhoCanReviewSpec',
  {
    resourceAttributes: f(
      1,
      ResourceAttributes.optional(),
      'The access, if it is to a resource. Excludes nonResourceAttributes.',
    ),
    nonResourceAttributes: f(
      2,
      NonResourceAttributes.optional(),
      'The access, if it is to another path. Excludes resourceAttributes.',
    ),
  },
  { description: 'What somebody might want to do; has either resourceAttributes or nonResourceAttributes.' },
);
export type WhoCanReviewSpec = Infer<typeof WhoCanReviewSpec>;

export const AllowedSubject = struct(
  'explain.v1alpha1.AllowedSubject',
  {
    kind: f(1, string().required(), 'User, Group or ServiceAccount.'),
    namespace: f(2, string(), 'Namespace of the service account; empty for others.'),
    name: f(3, string().required(), 'Name of the user, group or service account.'),
    grants: f(4, list(AccessGrant), 'The ways in which it is allowed.'),
    omittedGrants: f(5, int32(), 'How many more ways there are.'),
  },
  { description: 'A user, a group or a service account that is allowed something.' },
);
export type AllowedSubject = Infer<typeof AllowedSubject>;

export const WhoCanReviewStatus = struct(
  'explain.v1alpha1.WhoCanReviewStatus',
  {
    everyone: f(1, bool(), 'Whether a mode allows it to everyone. No mode after that one is asked.'),
    subjects: f(
      2,
      list(AllowedSubject),
      'All who are allowed it, by kind, namespace and name. Members of a group are not listed: the group is.',
    ),
    omittedSubjects: f(3, int32(), 'How many more there are.'),
    incomplete: f(4, bool().required(), 'Whether others may be allowed it, or some of these not.'),
    evaluationError: f(5, string(), 'Why the answer is incomplete, a line for each reason.'),
  },
  { description: 'Who is allowed something.' },
);
export type WhoCanReviewStatus = Infer<typeof WhoCanReviewStatus>;

export const WhoCanReview = kind(
  'explain.v1alpha1.WhoCanReview',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, WhoCanReviewSpec.required()),
    status: f(3, WhoCanReviewStatus),
  },
  { description: 'Asks who may do something, and by what; nothing is stored.' },
);
export type WhoCanReview = Infer<typeof WhoCanReview>;
