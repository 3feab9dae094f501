import { int32, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { LabelSelector } from '../meta/label-selector.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import { WebhookClientConfig } from './client-config.ts';
import { RuleWithOperations } from './rule.ts';

export const ValidatingWebhook = struct('admissionregistration.v1.ValidatingWebhook', {
  name: f(1, string().required()),
  clientConfig: f(2, WebhookClientConfig.required()),
  rules: f(3, list(RuleWithOperations)),
  failurePolicy: f(4, string().optional().default('Fail')),
  matchPolicy: f(9, string().optional().default('Equivalent')),
  namespaceSelector: f(5, LabelSelector.optional().default({})),
  objectSelector: f(10, LabelSelector.optional().default({})),
  sideEffects: f(6, string().optional().required()),
  timeoutSeconds: f(7, int32().optional().default(10)),
  admissionReviewVersions: f(8, list(string()).required()),
});
export type ValidatingWebhook = Infer<typeof ValidatingWebhook>;

export const ValidatingWebhookConfiguration = kind('admissionregistration.v1.ValidatingWebhookConfiguration', {
  metadata: f(1, ObjectMeta),
  webhooks: f(2, list(ValidatingWebhook).mergeBy('name')),
});
export type ValidatingWebhookConfiguration = Infer<typeof ValidatingWebhookConfiguration>;
