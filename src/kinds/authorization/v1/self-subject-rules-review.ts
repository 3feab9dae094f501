import { ObjectMeta } from '../../../meta/object-meta.ts';
import { bool, string } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../../schema/schema.ts';

export const NonResourceRule = struct(
  'authorization.v1.NonResourceRule',
  {
    verbs: f(1, list(string()).required(), 'HTTP methods in lower case, such as get; * for all.'),
    nonResourceURLs: f(2, list(string()), 'URL paths; * for all, also as the last part of a path.'),
  },
  { description: 'Paths that belong to no resource, and what may be done with them.' },
);
export type NonResourceRule = Infer<typeof NonResourceRule>;

export const ResourceRule = struct(
  'authorization.v1.ResourceRule',
  {
    verbs: f(1, list(string()).required(), 'What may be done, such as get or list; * for everything.'),
    apiGroups: f(2, list(string()), 'API groups of the resources; * for all.'),
    resources: f(3, list(string()), 'Plural names of the resources, or name/subresource; * for all.'),
    resourceNames: f(4, list(string()), 'The only objects that the rule allows. Empty: all.'),
  },
  { description: 'Resources, and what may be done with them.' },
);
export type ResourceRule = Infer<typeof ResourceRule>;

export const SelfSubjectRulesReviewSpec = struct(
  'authorization.v1.SelfSubjectRulesReviewSpec',
  {
    namespace: f(1, string(), 'The namespace; required.'),
  },
  { description: 'Which namespace the question is about.' },
);
export type SelfSubjectRulesReviewSpec = Infer<typeof SelfSubjectRulesReviewSpec>;

export const SubjectRulesReviewStatus = struct(
  'authorization.v1.SubjectRulesReviewStatus',
  {
    resourceRules: f(1, list(ResourceRule).required(), 'What may be done with resources, in no particular order.'),
    nonResourceRules: f(
      2,
      list(NonResourceRule).required(),
      'What may be done with other paths, in no particular order.',
    ),
    incomplete: f(
      3,
      bool().required(),
      'Whether more may be allowed than is listed, because an authorizer cannot list its rules.',
    ),
    evaluationError: f(
      4,
      string(),
      'What went wrong while this was worked out; the rules that are listed are right nevertheless.',
    ),
  },
  { description: 'What the caller may do; fit for showing choices, not for deciding requests.' },
);
export type SubjectRulesReviewStatus = Infer<typeof SubjectRulesReviewStatus>;

export const SelfSubjectRulesReview = kind(
  'authorization.v1.SelfSubjectRulesReview',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, SelfSubjectRulesReviewSpec.required()),
    status: f(3, SubjectRulesReviewStatus),
  },
  { description: 'Asks for everything that the caller may do in a namespace; nothing is stored.' },
);
export type SelfSubjectRulesReview = Infer<typeof SelfSubjectRulesReview>;
