import type { MutatingWebhookConfiguration as DeclaredMutatingWebhookConfiguration } from '../../../kinds/admissionregistration/mutating-webhook-configuration.ts';
import type {
  MutatingAdmissionPolicy as DeclaredMutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding as DeclaredMutatingAdmissionPolicyBinding,
} from '../../../kinds/admissionregistration/policy/mutating-admission-policy.ts';
import type { ValidatingAdmissionPolicy as DeclaredValidatingAdmissionPolicy } from '../../../kinds/admissionregistration/policy/validating-admission-policy.ts';
import type { ValidatingAdmissionPolicyBinding as DeclaredValidatingAdmissionPolicyBinding } from '../../../kinds/admissionregistration/policy/validating-admission-policy-binding.ts';
import type { ValidatingWebhookConfiguration as DeclaredValidatingWebhookConfiguration } from '../../../kinds/admissionregistration/validating-webhook-configuration.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import { inGroup, type ObjectKind } from '../object-kind.ts';

const { groups } = vocabularies.platform;
const admissionregistration = inGroup(groups.admissionregistration, 'v1');

export type MutatingWebhookConfiguration = DeclaredMutatingWebhookConfiguration;
export const MutatingWebhookConfiguration: ObjectKind<MutatingWebhookConfiguration, false> =
  admissionregistration.clusterWide('MutatingWebhookConfiguration', 'mutatingwebhookconfigurations');

export type ValidatingWebhookConfiguration = DeclaredValidatingWebhookConfiguration;
export const ValidatingWebhookConfiguration: ObjectKind<ValidatingWebhookConfiguration, false> =
  admissionregistration.clusterWide('ValidatingWebhookConfiguration', 'validatingwebhookconfigurations');

export type MutatingAdmissionPolicy = DeclaredMutatingAdmissionPolicy;
export const MutatingAdmissionPolicy: ObjectKind<MutatingAdmissionPolicy, false> = admissionregistration.clusterWide(
  'MutatingAdmissionPolicy',
  'mutatingadmissionpolicies',
);

export type MutatingAdmissionPolicyBinding = DeclaredMutatingAdmissionPolicyBinding;
export const MutatingAdmissionPolicyBinding: ObjectKind<MutatingAdmissionPolicyBinding, false> =
  admissionregistration.clusterWide('MutatingAdmissionPolicyBinding', 'mutatingadmissionpolicybindings');

export type ValidatingAdmissionPolicy = DeclaredValidatingAdmissionPolicy;
export const ValidatingAdmissionPolicy: ObjectKind<ValidatingAdmissionPolicy, false> =
  admissionregistration.clusterWide('ValidatingAdmissionPolicy', 'validatingadmissionpolicies');

export type ValidatingAdmissionPolicyBinding = DeclaredValidatingAdmissionPolicyBinding;
export const ValidatingAdmissionPolicyBinding: ObjectKind<ValidatingAdmissionPolicyBinding, false> =
  admissionregistration.clusterWide('ValidatingAdmissionPolicyBinding', 'validatingadmissionpolicybindings');
