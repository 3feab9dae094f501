import { bytes, int32, string } from '../../schema/scalars.ts';
import { f, type Infer, struct } from '../../schema/schema.ts';

export const ServiceReference = struct('admissionregistration.v1.ServiceReference', {
  namespace: f(1, string().required()),
  name: f(2, string().required()),
  path: f(3, string().optional()),
  port: f(4, int32().optional().default(443)),
});
export type ServiceReference = Infer<typeof ServiceReference>;

export const WebhookClientConfig = struct('admissionregistration.v1.WebhookClientConfig', {
  url: f(3, string().optional()),
  service: f(1, ServiceReference.optional()),
  caBundle: f(2, bytes()),
});
export type WebhookClientConfig = Infer<typeof WebhookClientConfig>;
