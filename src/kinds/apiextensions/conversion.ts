import { bytes, int32, string } from '../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../schema/schema.ts';

export const ServiceReference = struct(
  'apiextensions.v1.ServiceReference',
  {
    namespace: f(1, string().required(), 'Namespace of the service.'),
    name: f(2, string().required(), 'Name of the service.'),
    path: f(3, string().optional(), 'URL path of the calls. Unset: the root.'),
    port: f(4, int32().optional().default(443), 'Port of the service that speaks HTTPS. Default 443.'),
  },
  { description: 'Service that a conversion webhook runs behind.' },
);
export type ServiceReference = Infer<typeof ServiceReference>;

export const WebhookClientConfig = struct(
  'apiextensions.v1.WebhookClientConfig',
  {
    url: f(
      3,
      string().optional(),
      'Address of the webhook: https, host, optional port and path. User, query and fragment are not allowed. Excludes service.',
    ),
    service: f(
      1,
      ServiceReference.optional(),
      'Service that the webhook runs behind; use this when it runs in the cluster. Excludes url.',
    ),
    caBundle: f(
      2,
      bytes(),
      'Base64 of the PEM certificates that the certificate of the webhook is checked with. Unset: those that the system of the server trusts.',
    ),
  },
  { description: 'How the server reaches a conversion webhook, always over TLS: by either url or service.' },
);
export type WebhookClientConfig = Infer<typeof WebhookClientConfig>;

export const WebhookConversion = struct(
  'apiextensions.v1.WebhookConversion',
  {
    clientConfig: f(
      2,
      WebhookClientConfig.optional(),
      'How the webhook is reached; required when the strategy is Webhook.',
    ),
    conversionReviewVersions: f(
      3,
      list(string()).required(),
      'Versions of ConversionReview that the webhook understands, best first; the server uses the first one it knows.',
    ),
  },
  { description: 'The webhook that converts custom objects between versions.' },
);
export type WebhookConversion = Infer<typeof WebhookConversion>;

export const CustomResourceConversion = struct(
  'apiextensions.v1.CustomResourceConversion',
  {
    strategy: f(
      1,
      string().required(),
      'None (the default) changes apiVersion only, so all versions must have the same fields; Webhook calls a webhook.',
    ),
    webhook: f(
      2,
      WebhookConversion.optional(),
      'The webhook to call; required when strategy is Webhook, not allowed otherwise.',
    ),
  },
  { description: 'How custom objects are converted between the versions of their kind.' },
);
export type CustomResourceConversion = Infer<typeof CustomResourceConversion>;
