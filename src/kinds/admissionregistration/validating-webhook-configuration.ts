import { LabelSelector } from '../../meta/label-selector.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { int32, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { WebhookClientConfig } from './client-config.ts';
import { MatchCondition } from './policy/expressions.ts';
import { RuleWithOperations } from './rule.ts';

export const ValidatingWebhook = struct(
  'admissionregistration.v1.ValidatingWebhook',
  {
    name: f(
      1,
      string().required(),
      'Full domain name of the webhook, such as images.example.com; unique within the configuration and part of error messages.',
    ),
    clientConfig: f(2, WebhookClientConfig.required(), 'How the webhook is reached.'),
    rules: f(
      3,
      list(RuleWithOperations),
      'Operations and resources that the webhook is called for; one match is enough. Webhook configurations themselves are never sent.',
    ),
    failurePolicy: f(
      4,
      string().optional().default('Fail'),
      'When the webhook cannot be reached or answers badly: Fail (the default) refuses the request, Ignore goes on without it.',
    ),
    matchPolicy: f(
      9,
      string().optional().default('Equivalent'),
      'Equivalent (the default) also matches requests through other versions of a resource in rules; Exact only those in rules.',
    ),
    namespaceSelector: f(
      5,
      LabelSelector.optional().default({}),
      'Only objects in namespaces with these labels; cluster-wide objects other than namespaces always match. Empty: all.',
    ),
    objectSelector: f(
      10,
      LabelSelector.optional().default({}),
      'Only when the new or the old object has these labels; users can avoid this by changing labels. Empty: all.',
    ),
    sideEffects: f(
      6,
      string().optional().required(),
      'Whether calls change anything elsewhere: None, or NoneOnDryRun for a webhook that changes nothing when dryRun is true.',
    ),
    timeoutSeconds: f(
      7,
      int32().optional().default(10),
      'Seconds, from 1 to 30, before a call counts as failed. Default 10.',
    ),
    admissionReviewVersions: f(
      8,
      list(string()).required(),
      'Versions of AdmissionReview that the webhook understands, best first; the server uses the first one it knows.',
    ),
    matchConditions: f(
      11,
      list(MatchCondition).mapBy('name').mergeBy('name').unpublished(),
      'Conditions that all have to be met by a request before the webhook is called; object, oldObject, request and authorizer can be named. At most 64.',
    ),
  },
  { description: 'A webhook that may refuse requests, and the requests it is called for.' },
);
export type ValidatingWebhook = Infer<typeof ValidatingWebhook>;

export const ValidatingWebhookConfiguration = kind(
  'admissionregistration.v1.ValidatingWebhookConfiguration',
  {
    metadata: f(1, ObjectMeta),
    webhooks: f(2, list(ValidatingWebhook).mergeBy('name'), 'The webhooks; each must have a name of its own.'),
  },
  { description: 'Webhooks that can refuse requests after all changes to the object have been made.' },
);
export type ValidatingWebhookConfiguration = Infer<typeof ValidatingWebhookConfiguration>;
