import { bytes, int32, string } from '../../schema/scalars.ts';
import { f, type Infer, struct } from '../../schema/schema.ts';

export const ServiceReference = struct(
  'admissionregistration.v1.ServiceReference',
  {
    namespace: f(1, string().required(), 'Namespace of the service.'),
    name: f(2, string().required(), 'Name of the service.'),
    path: f(3, string().optional(), 'URL path of the calls. Unset: the root.'),
    port: f(4, int32().optional().default(443), 'Port of the service that speaks HTTPS. Default 443.'),
  },
  { description: 'Service that a webhook runs behind.' },
);
export type ServiceReference = Infer<typeof ServiceReference>;

export const WebhookClientConfig = struct(
  'admissionregistration.v1.WebhookClientConfig',
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
  { description: 'How the server reaches a webhook, always over TLS: by either url or service.' },
);
export type WebhookClientConfig = Infer<typeof WebhookClientConfig>;
