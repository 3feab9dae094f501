import { ObjectMeta } from '../../../meta/object-meta.ts';
import { string } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../../schema/schema.ts';
import { MatchResources } from './match-resources.ts';
import { ParamRef } from './param-ref.ts';

export const ValidatingAdmissionPolicyBindingSpec = struct(
  'admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec',
  {
    policyName: f(1, string(), 'The policy that is put into effect. Required.'),
    paramRef: f(2, ParamRef.optional(), 'The objects that the policy is evaluated with.'),
    matchResources: f(
      3,
      MatchResources.optional(),
      'Narrows down what the policy is about. Unset: everything that the policy is about.',
    ),
    validationActions: f(
      4,
      list(string()).set(),
      'What becomes of violations: Deny refuses the request, Warn tells its sender, Audit notes them in the record.',
    ),
  },
  { description: 'A policy, what it is evaluated with, and what becomes of violations.' },
);

export const ValidatingAdmissionPolicyBinding = kind(
  'admissionregistration.v1.ValidatingAdmissionPolicyBinding',
  { metadata: f(1, ObjectMeta), spec: f(2, ValidatingAdmissionPolicyBindingSpec, 'What is bound, and how.') },
  { description: 'Puts a ValidatingAdmissionPolicy into effect.' },
);
export type ValidatingAdmissionPolicyBinding = Infer<typeof ValidatingAdmissionPolicyBinding>;
