import { ObjectMeta } from '../../../meta/object-meta.ts';
import { string } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../../schema/schema.ts';
import { MatchCondition, ParamKind, Variable } from './expressions.ts';
import { MatchResources } from './match-resources.ts';
import { ParamRef } from './param-ref.ts';

export const ApplyConfiguration = struct(
  'admissionregistration.v1.ApplyConfiguration',
  {
    expression: f(
      1,
      string(),
      'Expression that gives an Object with the fields to set, such as Object{spec: Object.spec{replicas: 1}}.',
    ),
  },
  { description: 'Fields to be set, merged into the object as a server-side apply merges them.' },
);

export const JSONPatch = struct(
  'admissionregistration.v1.JSONPatch',
  { expression: f(1, string(), 'Expression that gives a list of JSONPatch{op: ..., path: ..., value: ...}.') },
  { description: 'Operations of a JSON patch on the object.' },
);

export const Mutation = struct(
  'admissionregistration.v1.Mutation',
  {
    patchType: f(2, string().required(), 'How the object is changed: ApplyConfiguration or JSONPatch.'),
    applyConfiguration: f(3, ApplyConfiguration.optional(), 'Required where patchType says so.'),
    jsonPatch: f(4, JSONPatch.optional(), 'Required where patchType says so.'),
  },
  { description: 'One change of the object.' },
);
export type Mutation = Infer<typeof Mutation>;

export const MutatingAdmissionPolicySpec = struct(
  'admissionregistration.v1.MutatingAdmissionPolicySpec',
  {
    paramKind: f(1, ParamKind.optional(), 'Kind of the objects that bindings name as params. Unset: there are none.'),
    matchConstraints: f(2, MatchResources.optional(), 'Which requests the policy is about. Required.'),
    variables: f(3, list(Variable).atomicList(), 'Expressions under a name; each may use those before it.'),
    mutations: f(4, list(Mutation).atomicList(), 'Changes of the object, one after the other. Required.'),
    failurePolicy: f(
      5,
      string().optional().default('Fail'),
      'When an expression fails or the policy is not set up well: Fail (the default) refuses the request, Ignore does not.',
    ),
    matchConditions: f(
      6,
      list(MatchCondition).mapBy('name').mergeBy('name'),
      'Conditions that all have to be met by a request before the policy is about it. At most 64.',
    ),
    reinvocationPolicy: f(
      7,
      string().optional(),
      'Never evaluates the policy once; IfNeeded again when somebody changed the object later. Required.',
    ),
  },
  { description: 'Which requests a policy is about, and what it changes.' },
);
export type MutatingAdmissionPolicySpec = Infer<typeof MutatingAdmissionPolicySpec>;

export const MutatingAdmissionPolicy = kind(
  'admissionregistration.v1.MutatingAdmissionPolicy',
  { metadata: f(1, ObjectMeta), spec: f(2, MutatingAdmissionPolicySpec, 'What the policy changes.') },
  { description: 'Changes of objects in an expression language; a binding puts them into effect.' },
);
export type MutatingAdmissionPolicy = Infer<typeof MutatingAdmissionPolicy>;

export const MutatingAdmissionPolicyBindingSpec = struct(
  'admissionregistration.v1.MutatingAdmissionPolicyBindingSpec',
  {
    policyName: f(1, string(), 'The policy that is put into effect. Required.'),
    paramRef: f(2, ParamRef.optional(), 'The objects that the policy is evaluated with.'),
    matchResources: f(
      3,
      MatchResources.optional(),
      'Narrows down what the policy is about. Unset: everything that the policy is about.',
    ),
  },
  { description: 'A policy, and what it is evaluated with.' },
);

export const MutatingAdmissionPolicyBinding = kind(
  'admissionregistration.v1.MutatingAdmissionPolicyBinding',
  { metadata: f(1, ObjectMeta), spec: f(2, MutatingAdmissionPolicyBindingSpec, 'What is bound, and how.') },
  { description: 'Puts a MutatingAdmissionPolicy into effect.' },
);
export type MutatingAdmissionPolicyBinding = Infer<typeof MutatingAdmissionPolicyBinding>;
