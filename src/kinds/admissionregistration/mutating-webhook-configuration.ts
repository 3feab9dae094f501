import { LabelSelector } from '../../meta/label-selector.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { describedLike } from '../../schema/described-like.ts';
import { int32, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { WebhookClientConfig } from './client-config.ts';
import { MatchCondition } from './policy/expressions.ts';
import { RuleWithOperations } from './rule.ts';
import { ValidatingWebhook } from './validating-webhook-configuration.ts';

export const MutatingWebhook = struct(
  'admissionregistration.v1.MutatingWebhook',
  describedLike(ValidatingWebhook, {
    name: f(1, string().required()),
    clientConfig: f(2, WebhookClientConfig.required()),
    rules: f(3, list(RuleWithOperations)),
    failurePolicy: f(4, string().optional().default('Fail')),
    matchPolicy: f(9, string().optional().default('Equivalent')),
    namespaceSelector: f(5, LabelSelector.optional().default({})),
    objectSelector: f(11, LabelSelector.optional().default({})),
    sideEffects: f(6, string().optional().required()),
    timeoutSeconds: f(7, int32().optional().default(10)),
    admissionReviewVersions: f(8, list(string()).required()),
    reinvocationPolicy: f(
      10,
      string().optional().default('Never'),
      'Never (the default) calls the webhook once; IfNeeded calls it again when a later one changed the object, so it must stand repetition.',
    ),
    matchConditions: f(12, list(MatchCondition).mapBy('name').mergeBy('name').unpublished()),
  }),
  { description: 'A webhook that may change objects, and the requests it is called for.' },
);
export type MutatingWebhook = Infer<typeof MutatingWebhook>;

export const MutatingWebhookConfiguration = kind(
  'admissionregistration.v1.MutatingWebhookConfiguration',
  {
    metadata: f(1, ObjectMeta),
    webhooks: f(2, list(MutatingWebhook).mergeBy('name'), 'The webhooks; each must have a name of its own.'),
  },
  { description: 'Webhooks that can change objects, or refuse them, before they are stored.' },
);
export type MutatingWebhookConfiguration = Infer<typeof MutatingWebhookConfiguration>;
