import { dns1123Subdomain } from '../../meta/formats.ts';
import type { GatedField } from '../../registry/gated-fields.ts';
import { type ResourceType, resourceType } from '../../registry/resource-type.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { webhookConfigurationColumns } from './columns.ts';
import { MutatingWebhookConfiguration } from './mutating-webhook-configuration.ts';
import { policyResources } from './policy/resources.ts';
import { ValidatingWebhookConfiguration } from './validating-webhook-configuration.ts';
import {
  validateMutatingWebhookConfiguration,
  validateValidatingWebhookConfiguration,
  validateWebhookConditions,
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
      validateInSteps: validateWebhookConditions,
      gatedFields: [MATCH_CONDITIONS],
    }),
    resourceType<ValidatingWebhookConfiguration>({
      ...admissionregistration,
      kind: 'ValidatingWebhookConfiguration',
      plural: 'validatingwebhookconfigurations',
      schema: ValidatingWebhookConfiguration,
      columns: webhookConfigurationColumns,
      validate: validateValidatingWebhookConfiguration,
      validateInSteps: validateWebhookConditions,
      gatedFields: [MATCH_CONDITIONS],
    }),
    ...policyResources(admissionregistration),
  ];
}

const MATCH_CONDITIONS: GatedField<MutatingWebhookConfiguration | ValidatingWebhookConfiguration> = {
  feature: 'AdmissionWebhookMatchConditions',
  isUsed: ({ webhooks = [] }) => webhooks.some(({ matchConditions }) => matchConditions !== undefined),
  drop({ webhooks = [] }) {
    for (const webhook of webhooks) delete webhook.matchConditions;
  },
};
