import { ObjectMeta } from '../../meta/object-meta.ts';
import { bool, int32, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { NonResourceRule, ResourceRule } from '../authorization/v1/self-subject-rules-review.ts';
import { PolicyRule } from '../rbac/policy-rule.ts';
import { GrantHolder, GrantingObject } from './access-grant.ts';

export const SubjectRulesReviewSpec = struct(
  'explain.v1alpha1.SubjectRulesReviewSpec',
  {
    namespace: f(1, string(), 'The namespace; empty for what the subject may do cluster-wide.'),
    user: f(2, string(), 'Name of the user.'),
    groups: f(3, list(string()), 'Groups of the user, all of them: none is added.'),
  },
  { description: 'Whose rights the question is about, and where.' },
);
export type SubjectRulesReviewSpec = Infer<typeof SubjectRulesReviewSpec>;

export const HeldRole = struct(
  'explain.v1alpha1.HeldRole',
  {
    mode: f(1, string().required(), 'The authorization mode that grants it: RBAC.'),
    holder: f(2, GrantHolder, 'As whom the subject holds it: the user, or one of the groups.'),
    binding: f(3, GrantingObject.optional(), 'The binding; one without a namespace counts everywhere.'),
    role: f(4, GrantingObject.optional(), 'The role that is bound.'),
    rules: f(5, list(PolicyRule), 'The rules of the role; none while no such role is stored.'),
    omittedRules: f(6, int32(), 'How many more rules the role has.'),
  },
  { description: 'A role that a subject holds, with where it comes from.' },
);
export type HeldRole = Infer<typeof HeldRole>;

export const SubjectRulesReviewStatus = struct(
  'explain.v1alpha1.SubjectRulesReviewStatus',
  {
    resourceRules: f(1, list(ResourceRule).required(), 'What may be done with resources, each rule once.'),
    nonResourceRules: f(2, list(NonResourceRule).required(), 'What may be done with other paths, each rule once.'),
    incomplete: f(3, bool().required(), 'Whether more may be allowed, because a mode cannot list its rules.'),
    evaluationError: f(4, string(), 'What went wrong while this was worked out.'),
    heldRoles: f(5, list(HeldRole), 'Where rules of roles come from: each binding by which the subject has some.'),
    omittedRoles: f(6, int32(), 'How many more bindings there are.'),
  },
  { description: 'What a subject may do, and where it comes from.' },
);
export type SubjectRulesReviewStatus = Infer<typeof SubjectRulesReviewStatus>;

export const SubjectRulesReview = kind(
  'explain.v1alpha1.SubjectRulesReview',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, SubjectRulesReviewSpec.required()),
    status: f(3, SubjectRulesReviewStatus),
  },
  { description: 'Asks for everything that a user may do in a namespace; nothing is stored.' },
);
export type SubjectRulesReview = Infer<typeof SubjectRulesReview>;
