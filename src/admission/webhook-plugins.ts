import type { PluginEntry } from './plugin.ts';
import { readWebhookCredentials } from './webhook/credentials.ts';
import { MutatingWebhooks } from './webhook/mutating-webhooks.ts';
import { ValidatingWebhooks } from './webhook/validating-webhooks.ts';

/** Plugins that ask others. */
export const webhookPlugins: readonly PluginEntry[] = [
  {
    name: 'MutatingAdmissionWebhook',
    byDefault: true,
    async read(configuration, vocabulary) {
      const credentials = await readWebhookCredentials(configuration, vocabulary);
      return (parts) => new MutatingWebhooks(parts, credentials);
    },
  },
  {
    name: 'ValidatingAdmissionWebhook',
    byDefault: true,
    async read(configuration, vocabulary) {
      const credentials = await readWebhookCredentials(configuration, vocabulary);
      return (parts) => new ValidatingWebhooks(parts, credentials);
    },
  },
];
