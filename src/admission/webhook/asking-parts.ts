import type { Features } from '../../features/features.ts';
import type { Recorder } from '../../observe/metrics/recorder.ts';
import type { ClusterNetwork } from '../../outbound/network.ts';
import type { Catalogue } from '../../registry/catalogue.ts';
import type { Informer } from '../../registry/informer.ts';
import type { Objects } from '../../registry/objects.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { DecideAccess } from '../access-check.ts';
import { Matcher } from '../matching/matcher.ts';
import type { WebhookCredentials } from './credentials.ts';
import { ConfiguredWebhooks } from './webhook.ts';
import { WebhookCaller } from './webhook-caller.ts';
import { WebhookClient } from './webhook-client.ts';
import { WebhookConditions } from './webhook-conditions.ts';
import { type PhaseName, WebhookMetrics } from './webhook-metrics.ts';

/** What a plugin asks webhooks of its sort with. */
export interface AskingParts {
  readonly webhooks: ConfiguredWebhooks;
  readonly matcher: Matcher;
  readonly caller: WebhookCaller;
  readonly conditions: WebhookConditions;
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
  readonly features: Features;
}

/** What that is made from. */
export interface AskingSources {
  readonly objects: Objects;
  readonly decideAccess: DecideAccess;
  readonly informer: Informer;
  readonly catalogue: Catalogue;
  readonly network: ClusterNetwork;
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
  readonly features: Features;
  readonly recorder: Recorder;
  readonly requestTimeoutMs: number;
  onError(webhook: string, error: unknown): void;
}

const CONFIGURATIONS: Readonly<Record<PhaseName, string>> = {
  admit: 'mutatingwebhookconfigurations',
  validating: 'validatingwebhookconfigurations',
};

export function askingParts(sources: AskingSources, credentials: WebhookCredentials, phase: PhaseName): AskingParts {
  const { objects, informer, catalogue, network, runtime, vocabulary, features, recorder, requestTimeoutMs } = sources;
  const caller = new WebhookCaller({
    phase,
    client: new WebhookClient({ runtime, network, objects, vocabulary }, credentials),
    metrics: new WebhookMetrics(recorder, phase),
    runtime,
    vocabulary,
    requestTimeoutMs,
    onError: (webhook, error) => sources.onError(webhook, error),
  });
  const followed = { group: vocabulary.groups.admissionregistration, plural: CONFIGURATIONS[phase] };
  const webhooks = new ConfiguredWebhooks(informer, followed);
  const conditions = new WebhookConditions(sources);
  return { webhooks, matcher: new Matcher(objects, catalogue), caller, conditions, runtime, vocabulary, features };
}
