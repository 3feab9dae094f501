import { NO_CREDENTIALS } from '../admission/webhook/credentials.ts';
import { WebhookClient } from '../admission/webhook/webhook-client.ts';
import { unchangedButVersion } from '../extension/conversion/no-conversion.ts';
import { webhookConversion } from '../extension/conversion/webhook-conversion.ts';
import { CompiledSchemas } from '../extension/definitions/compiled-schemas.ts';
import { serveDefinitions } from '../extension/definitions/serving.ts';
import type { CustomResourceDefinition } from '../kinds/apiextensions/custom-resource-definition.ts';
import type { Informer } from '../registry/informer.ts';
import type { Objects } from '../registry/objects.ts';
import { type BatchConversion, convertedVersions } from '../registry/version-converter.ts';
import type { Plan } from './plan.ts';

/** Serves what stored definitions define, from now on. */
export function serveCustomKinds(plan: Plan, objects: Objects, informer: Informer): { close(): void } {
  const { catalogue, vocabulary, runtime, network, logger } = plan;
  const cache = convertedVersions();
  const client = new WebhookClient({ runtime, network, objects, vocabulary }, NO_CREDENTIALS);
  const asking = { runtime, vocabulary, post: client.post.bind(client) };
  const convertBy = ({ spec: { conversion } }: CustomResourceDefinition): BatchConversion['convert'] =>
    conversion?.strategy === 'Webhook' && conversion.webhook
      ? webhookConversion(conversion.webhook, asking)
      : unchangedButVersion;
  const serving = serveDefinitions({
    catalogue,
    informer,
    vocabulary,
    schemas: new CompiledSchemas({
      vocabulary,
      meter: plan.metrics.rules,
      ratcheting: plan.features.isOn('CRDValidationRatcheting'),
    }),
    conversionOf: (definition) => ({ convert: convertBy(definition), cache, runtime }),
    onError: (definition, error) => logger.warn({ definition, err: error }, 'a custom kind cannot be served'),
  });
  return {
    close() {
      serving.close();
      client.close();
    },
  };
}
