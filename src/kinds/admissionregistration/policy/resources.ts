import type { FeatureName } from '../../../features/feature-table.ts';
import { type ApiObject, type ResourceType, resourceType, statusSubresource } from '../../../registry/resource-type.ts';
import { renamed } from '../../../schema/rename.ts';
import { olderVersion } from '../../older-version.ts';
import { bindingColumns, validatingPolicyColumns } from './columns.ts';
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
  ].flatMap((hub) => [hub, ...EARLIER.map((version) => inVersion(hub, version))]);
}

function inVersion(hub: ResourceType, version: string): ResourceType {
  const schema = renamed(hub.schema, 'admissionregistration.v1.', `admissionregistration.${version}.`);
  return olderVersion<ApiObject>(hub, { version, schema });
}
