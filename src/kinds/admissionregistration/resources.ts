import { dns1123Subdomain } from '../../meta/formats.ts';
import { type ResourceType, resourceType } from '../../registry/resource-type.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { webhookConfigurationColumns } from './columns.ts';
import { MutatingWebhookConfiguration } from './mutating-webhook-configuration.ts';
import { policyResources } from './policy/resources.ts';
import { ValidatingWebhookConfiguration } from './validating-webhook-configuration.ts';
import {
  validateMutatingWebhookConfiguration,
  validateValidatingWebhookConfiguration,
} from './webhook-configuration-validation.ts';

export function admissionregistrationResources(v: Vocabulary): readonly ResourceType[] {
  const admissionregistration = {
    group: v.groups.admissionregistration,
    version: 'v1',
    categories: ['api-extensions'],
    namespaced: false,
    nameRule: dns1123Subdomain,
    strategy: { unconditionalUpdate: false, generation: true },
  } as const;
  return [
    resourceType<MutatingWebhookConfiguration>({
      ...admissionregistration,
      kind: 'MutatingWebhookConfiguration',
      plural: 'mutatingwebhookconfigurations',
      schema: MutatingWebhookConfiguration,
      columns: webhookConfigurationColumns,
      validate: validateMutatingWebhookConfiguration,
    }),
    resourceType<ValidatingWebhookConfiguration>({
      ...admissionregistration,
      kind: 'ValidatingWebhookConfiguration',
      plural: 'validatingwebhookconfigurations',
      schema: ValidatingWebhookConfiguration,
      columns: webhookConfigurationColumns,
      validate: validateValidatingWebhookConfiguration,
    }),
    ...policyResources(admissionregistration),
  ];
}
