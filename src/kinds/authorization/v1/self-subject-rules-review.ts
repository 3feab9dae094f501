import { bool, string } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../../schema/schema.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';

export const NonResourceRule = struct('authorization.v1.NonResourceRule', {
  verbs: f(1, list(string()).required()),
  nonResourceURLs: f(2, list(string())),
});
export type NonResourceRule = Infer<typeof NonResourceRule>;

export const ResourceRule = struct('authorization.v1.ResourceRule', {
  verbs: f(1, list(string()).required()),
  apiGroups: f(2, list(string())),
  resources: f(3, list(string())),
  resourceNames: f(4, list(string())),
});
export type ResourceRule = Infer<typeof ResourceRule>;

export const SelfSubjectRulesReviewSpec = struct('authorization.v1.SelfSubjectRulesReviewSpec', {
  namespace: f(1, string()),
});
export type SelfSubjectRulesReviewSpec = Infer<typeof SelfSubjectRulesReviewSpec>;

export const SubjectRulesReviewStatus = struct('authorization.v1.SubjectRulesReviewStatus', {
  resourceRules: f(1, list(ResourceRule).required()),
  nonResourceRules: f(2, list(NonResourceRule).required()),
  incomplete: f(3, bool().required()),
  evaluationError: f(4, string()),
});
export type SubjectRulesReviewStatus = Infer<typeof SubjectRulesReviewStatus>;

export const SelfSubjectRulesReview = kind(
  'authorization.v1.SelfSubjectRulesReview',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, SelfSubjectRulesReviewSpec.required()),
    status: f(3, SubjectRulesReviewStatus),
  },
  { description: 'Asks for everything the caller may do in a namespace.' },
);
export type SelfSubjectRulesReview = Infer<typeof SelfSubjectRulesReview>;
