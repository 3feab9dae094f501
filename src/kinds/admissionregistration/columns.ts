import type { Column } from '../../registry/resource-type.ts';
import { ageColumn, integer, nameColumn } from '../columns.ts';
import type { MutatingWebhookConfiguration } from './mutating-webhook-configuration.ts';
import type { ValidatingWebhookConfiguration } from './validating-webhook-configuration.ts';

export const webhookConfigurationColumns: readonly Column<
  MutatingWebhookConfiguration | ValidatingWebhookConfiguration
>[] = [nameColumn, integer('Webhooks', 'Number of webhooks.', ({ webhooks }) => webhooks?.length ?? 0), ageColumn];
