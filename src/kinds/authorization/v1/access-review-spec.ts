import { bool, string, stringItems } from '../../../schema/scalars.ts';
import { f, type Infer, list, map, struct } from '../../../schema/schema.ts';

export const NonResourceAttributes = struct(
  'authorization.v1.NonResourceAttributes',
  {
    path: f(1, string(), 'The URL path, such as /healthz.'),
    verb: f(2, string(), 'The HTTP method in lower case, such as get.'),
  },
  { description: 'Access to a path that belongs to no resource.' },
);
export type NonResourceAttributes = Infer<typeof NonResourceAttributes>;

export const ResourceAttributes = struct(
  'authorization.v1.ResourceAttributes',
  {
    namespace: f(
      1,
      string(),
      'Namespace of the access; empty for cluster-wide resources, and for all namespaces at once.',
    ),
    verb: f(
      2,
      string(),
      'What would be done: get, list, watch, create, update, patch, delete and so on, or * for all.',
    ),
    group: f(3, string(), 'API group of the resource; empty for the core group, * for all.'),
    version: f(4, string(), 'Version of the group; * for all.'),
    resource: f(5, string(), 'Plural name of the resource; * for all.'),
    subresource: f(6, string(), 'Subresource, such as status; empty for the object itself.'),
    name: f(7, string(), 'Name of the object; empty for all objects.'),
  },
  { description: 'Access to a resource.' },
);
export type ResourceAttributes = Infer<typeof ResourceAttributes>;

export const SubjectAccessReviewSpec = struct(
  'authorization.v1.SubjectAccessReviewSpec',
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
    user: f(
      3,
      string(),
      'Name of the user. With a user but no groups, the question is about the user outside of any group.',
    ),
    groups: f(4, list(string()), 'Groups of the user.'),
    extra: f(
      5,
      map(stringItems()),
      'Further facts about the user, each with a list of values, as authenticators report them.',
    ),
    uid: f(6, string(), 'UID of the user.'),
  },
  {
    description: 'Who wants to do what; has either resourceAttributes or nonResourceAttributes, and a user or groups.',
  },
);
export type SubjectAccessReviewSpec = Infer<typeof SubjectAccessReviewSpec>;

export const SelfSubjectAccessReviewSpec = struct(
  'authorization.v1.SelfSubjectAccessReviewSpec',
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
  { description: 'What the caller wants to do; has either resourceAttributes or nonResourceAttributes.' },
);
export type SelfSubjectAccessReviewSpec = Infer<typeof SelfSubjectAccessReviewSpec>;

export const SubjectAccessReviewStatus = struct(
  'authorization.v1.SubjectAccessReviewStatus',
  {
    allowed: f(1, bool().required(), 'Whether the access is allowed.'),
    denied: f(
      4,
      bool(),
      'Whether the access is refused for certain. When neither allowed nor denied, nobody has an opinion and the request would be refused.',
    ),
    reason: f(2, string(), 'Why the access is allowed or refused.'),
    evaluationError: f(3, string(), 'What went wrong while this was worked out; the answer can be right nevertheless.'),
  },
  { description: 'Whether the access is allowed.' },
);
export type SubjectAccessReviewStatus = Infer<typeof SubjectAccessReviewStatus>;
