import type { MutatingWebhookConfiguration as DeclaredMutatingWebhookConfiguration } from '../../../kinds/admissionregistration/mutating-webhook-configuration.ts';
import type { ValidatingWebhookConfiguration as DeclaredValidatingWebhookConfiguration } from '../../../kinds/admissionregistration/validating-webhook-configuration.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import { inGroup } from '../object-kind.ts';

const { groups } = vocabularies.platform;
const admissionregistration = inGroup(groups.admissionregistration, 'v1');

export type MutatingWebhookConfiguration = DeclaredMutatingWebhookConfiguration;
export const MutatingWebhookConfiguration = admissionregistration.clusterWide<MutatingWebhookConfiguration>(
  'MutatingWebhookConfiguration',
  'mutatingwebhookconfigurations',
);

export type ValidatingWebhookConfiguration = DeclaredValidatingWebhookConfiguration;
export const ValidatingWebhookConfiguration = admissionregistration.clusterWide<ValidatingWebhookConfiguration>(
  'ValidatingWebhookConfiguration',
  'validatingwebhookconfigurations',
);
