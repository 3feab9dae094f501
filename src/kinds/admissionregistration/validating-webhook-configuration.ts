import { int32, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { LabelSelector } from '../meta/label-selector.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import { WebhookClientConfig } from './client-config.ts';
import { RuleWithOperations } from './rule.ts';

export const ValidatingWebhook = struct('admissionregistration.v1.ValidatingWebhook', {
  name: f(1, string().required(), 'A full domain name.'),
  clientConfig: f(2, WebhookClientConfig.required(), 'How it is reached.'),
  rules: f(3, list(RuleWithOperations), 'Which requests it is asked about.'),
  failurePolicy: f(4, string().optional().default('Fail'), 'Whether a failed call refuses the request.'),
  matchPolicy: f(9, string().optional().default('Equivalent'), 'Whether other versions of the same object count.'),
  namespaceSelector: f(5, LabelSelector.optional().default({}), 'Only objects in these namespaces.'),
  objectSelector: f(10, LabelSelector.optional().default({}), 'Only objects with these labels.'),
  sideEffects: f(6, string().optional().required(), 'Whether a call changes anything elsewhere.'),
  timeoutSeconds: f(7, int32().optional().default(10), 'How long it may take.'),
  admissionReviewVersions: f(8, list(string()).required(), 'Versions of the question it understands.'),
});
export type ValidatingWebhook = Infer<typeof ValidatingWebhook>;

export const ValidatingWebhookConfiguration = kind(
  'admissionregistration.v1.ValidatingWebhookConfiguration',
  {
    metadata: f(1, ObjectMeta),
    webhooks: f(2, list(ValidatingWebhook).mergeBy('name')),
  },
  { description: 'Webhooks that may refuse requests.' },
);
export type ValidatingWebhookConfiguration = Infer<typeof ValidatingWebhookConfiguration>;
