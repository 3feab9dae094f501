import type { FeatureName } from '../../../features/feature-table.ts';
import { type ApiObject, type ResourceType, resourceType, statusSubresource } from '../../../registry/resource-type.ts';
import { renamed } from '../../../schema/rename.ts';
import { olderVersion } from '../../older-version.ts';
import { bindingColumns, mutatingPolicyColumns, validatingPolicyColumns } from './columns.ts';
import { MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding } from './mutating-admission-policy.ts';
import {
  validateMutatingPolicy,
  validateMutatingPolicyBinding,
  validateMutatingPolicyExpressions,
} from './mutating-policy-validation.ts';
import { ValidatingAdmissionPolicy } from './validating-admission-policy.ts';
import { ValidatingAdmissionPolicyBinding } from './validating-admission-policy-binding.ts';
import {
  validateValidatingPolicy,
  validateValidatingPolicyBinding,
  validateValidatingPolicyExpressions,
  validateValidatingPolicyStatus,
} from './validating-policy-validation.ts';

type Shared = Pick<ResourceType, 'group' | 'version' | 'categories' | 'namespaced' | 'nameRule'>;

/** The versions in which policies came: all say the same. */
const EARLIER = ['v1beta1', 'v1alpha1'];

export function policyResources(shared: Shared): readonly ResourceType[] {
  const VALIDATING: FeatureName = 'ValidatingAdmissionPolicy';
  const MUTATING: FeatureName = 'MutatingAdmissionPolicy';
  const strategy = { unconditionalUpdate: false, generation: true };
  return [
    resourceType<ValidatingAdmissionPolicy>({
      ...shared,
      strategy,
      feature: VALIDATING,
      kind: 'ValidatingAdmissionPolicy',
      plural: 'validatingadmissionpolicies',
      schema: ValidatingAdmissionPolicy,
      columns: validatingPolicyColumns,
      validate: validateValidatingPolicy,
      validateInSteps: validateValidatingPolicyExpressions,
      rules: { resets: ['status'] },
      subresources: {
        status: statusSubresource({
          resets: ['metadata', 'spec'],
          whole: false,
          validateUpdate: validateValidatingPolicyStatus,
        }),
      },
    }),
    resourceType<ValidatingAdmissionPolicyBinding>({
      ...shared,
      strategy,
      feature: VALIDATING,
      kind: 'ValidatingAdmissionPolicyBinding',
      plural: 'validatingadmissionpolicybindings',
      schema: ValidatingAdmissionPolicyBinding,
      columns: bindingColumns,
      validate: validateValidatingPolicyBinding,
    }),
    resourceType<MutatingAdmissionPolicy>({
      ...shared,
      strategy,
      feature: MUTATING,
      kind: 'MutatingAdmissionPolicy',
      plural: 'mutatingadmissionpolicies',
      schema: MutatingAdmissionPolicy,
      columns: mutatingPolicyColumns,
      validate: validateMutatingPolicy,
      validateInSteps: validateMutatingPolicyExpressions,
    }),
    resourceType<MutatingAdmissionPolicyBinding>({
      ...shared,
      strategy,
      feature: MUTATING,
      kind: 'MutatingAdmissionPolicyBinding',
      plural: 'mutatingadmissionpolicybindings',
      schema: MutatingAdmissionPolicyBinding,
      columns: bindingColumns,
      validate: validateMutatingPolicyBinding,
    }),
  ].flatMap((hub) => [hub, ...EARLIER.map((version) => inVersion(hub, version))]);
}

function inVersion(hub: ResourceType, version: string): ResourceType {
  const schema = renamed(hub.schema, 'admissionregistration.v1.', `admissionregistration.${version}.`);
  return olderVersion<ApiObject>(hub, { version, schema });
}
