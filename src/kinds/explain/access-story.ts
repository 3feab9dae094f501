import { bool, int32, rawExtension, string } from '../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../schema/schema.ts';
import { PolicyRule } from '../rbac/policy-rule.ts';
import { AccessGrant, GrantHolder, GrantingObject } from './access-grant.ts';

export const ModeAnswer = struct(
  'explain.v1alpha1.ModeAnswer',
  {
    mode: f(1, string().required(), 'The authorization mode, in the order in which they are asked.'),
    decision: f(2, string().required(), 'Allow, Deny or NoOpinion.'),
    reason: f(3, string(), 'Why, where the mode says so.'),
    evaluationError: f(4, string(), 'What kept the mode from deciding as it should.'),
  },
  { description: 'What one authorization mode says. The first that allows or denies decides.' },
);
export type ModeAnswer = Infer<typeof ModeAnswer>;

export const NearRule = struct(
  'explain.v1alpha1.NearRule',
  {
    holder: f(1, GrantHolder, 'As whom the user holds the rule.'),
    binding: f(2, GrantingObject.optional(), 'The binding by which the user holds it.'),
    role: f(3, GrantingObject.optional(), 'The role that it is a rule of.'),
    rule: f(4, PolicyRule, 'The rule as it is; of a long one what matters to the question.'),
    lacks: f(
      5,
      list(string()),
      'What it lacks to allow the access: Verb, APIGroup, Resource, Subresource, Name, Namespace or Path.',
    ),
  },
  { description: 'A rule that the user holds and that almost allows the access.' },
);
export type NearRule = Infer<typeof NearRule>;

export const SufficientRole = struct(
  'explain.v1alpha1.SufficientRole',
  {
    kind: f(1, string().required(), 'Role or ClusterRole.'),
    namespace: f(2, string(), 'Namespace of the role; empty for a cluster role.'),
    name: f(3, string().required(), 'Name of the role.'),
    rules: f(4, int32(), 'How many rules it has.'),
  },
  { description: 'A stored role that would allow the access to whoever it is bound to.' },
);
export type SufficientRole = Infer<typeof SufficientRole>;

export const LeastGrant = struct(
  'explain.v1alpha1.LeastGrant',
  {
    role: f(1, rawExtension(), 'A role with one rule, no wider than the access.'),
    binding: f(2, rawExtension(), 'A binding of that role to the user, or to the first group when no user is named.'),
  },
  { description: 'The least that would allow the access: two objects that could be created.' },
);
export type LeastGrant = Infer<typeof LeastGrant>;

export const AccessStory = struct(
  'explain.v1alpha1.AccessStory',
  {
    allowed: f(1, bool().required(), 'Whether the access is allowed at the moment of the answer.'),
    denied: f(2, bool(), 'Whether a mode refuses it for certain.'),
    reason: f(3, string(), 'Why it is allowed or refused.'),
    evaluationError: f(4, string(), 'What went wrong while this was worked out.'),
    modes: f(5, list(ModeAnswer), 'What each mode says, up to the one that decides.'),
    grants: f(6, list(AccessGrant), 'By what it is allowed.'),
    nearestRules: f(7, list(NearRule), 'Rules that the user holds and that lack little, the nearest first.'),
    sufficientRoles: f(
      8,
      list(SufficientRole),
      'Stored roles that would allow it, the least powerful first, those of the plane itself last.',
    ),
    leastGrant: f(9, LeastGrant.optional(), 'The least that would allow it; absent where no role can.'),
    note: f(10, string(), 'Why no role can allow it, where that is so.'),
  },
  { description: 'Whether an access is allowed, why, and what would have to be otherwise.' },
);
export type AccessStory = Infer<typeof AccessStory>;
