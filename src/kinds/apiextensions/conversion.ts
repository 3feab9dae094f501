import { bytes, int32, string } from '../../schema/scalars.ts';
import { f, type Infer, list, struct } from '../../schema/schema.ts';

export const ServiceReference = struct('apiextensions.v1.ServiceReference', {
  namespace: f(1, string().required()),
  name: f(2, string().required()),
  path: f(3, string().optional()),
  port: f(4, int32().optional().default(443)),
});
export type ServiceReference = Infer<typeof ServiceReference>;

export const WebhookClientConfig = struct('apiextensions.v1.WebhookClientConfig', {
  url: f(3, string().optional()),
  service: f(1, ServiceReference.optional()),
  caBundle: f(2, bytes()),
});
export type WebhookClientConfig = Infer<typeof WebhookClientConfig>;

export const WebhookConversion = struct('apiextensions.v1.WebhookConversion', {
  clientConfig: f(2, WebhookClientConfig.optional()),
  conversionReviewVersions: f(3, list(string()).required()),
});
export type WebhookConversion = Infer<typeof WebhookConversion>;

export const CustomResourceConversion = struct('apiextensions.v1.CustomResourceConversion', {
  strategy: f(1, string().required()),
  webhook: f(2, WebhookConversion.optional()),
});
export type CustomResourceConversion = Infer<typeof CustomResourceConversion>;
