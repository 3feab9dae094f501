import type { AdmissionRequest } from '../../registry/admission.ts';
import type { ResourceType } from '../../registry/resource-type.ts';
import type { AdmissionPlugin } from '../chain.ts';
import type { PluginParts } from '../plugin.ts';
import type { WebhookCredentials } from './credentials.ts';
import { type Invocation, Matcher } from './matching.ts';
import { type ShownRequest, show } from './shown-request.ts';
import { waitFor } from './waiting-time.ts';
import { ConfiguredWebhooks } from './webhook.ts';
import { WebhookCaller } from './webhook-caller.ts';

/** Asks the webhooks that may refuse a request, all at the same time. */
export class ValidatingWebhooks implements AdmissionPlugin {
  readonly name = 'ValidatingAdmissionWebhook';
  readonly operations = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const;
  readonly #parts: PluginParts;
  readonly #webhooks: ConfiguredWebhooks;
  readonly #matcher: Matcher;
  readonly #caller: WebhookCaller;

  constructor(parts: PluginParts, credentials: WebhookCredentials) {
    const { objects, informer, catalogue, vocabulary } = parts;
    this.#parts = parts;
    this.#webhooks = new ConfiguredWebhooks(informer, {
      group: vocabulary.groups.admissionregistration,
      plural: 'validatingwebhookconfigurations',
    });
    this.#matcher = new Matcher(objects, catalogue);
    this.#caller = new WebhookCaller(parts, credentials, 'validating');
  }

  /** No webhook can keep anyone from mending the configuration of webhooks. */
  concerns({ group }: ResourceType): boolean {
    return group !== this.#parts.vocabulary.groups.admissionregistration;
  }

  validate(request: AdmissionRequest): Promise<void> | void {
    const { current } = this.#webhooks;
    if (current.length === 0) return;
    const invocations = current.flatMap((webhook) => this.#matcher.match(webhook, request) ?? []);
    if (invocations.length > 0) return waitFor(this.#parts.runtime, request, this.#askAll(invocations, request));
  }

  close(): void {
    this.#webhooks.close();
    this.#caller.close();
  }

  /** Every answer is awaited, so that what a webhook does for a request never outlives it. */
  async #askAll(invocations: readonly Invocation[], request: AdmissionRequest): Promise<void> {
    const known = new Map<ResourceType, ShownRequest>();
    const calls = invocations.map((invocation, at) => {
      const { as } = invocation;
      const shown = known.get(as) ?? show(request, as, this.#parts);
      known.set(as, shown);
      return this.#caller.call({ invocation, request, shown }, `round_0_index_${at}`);
    });
    const outcomes = await Promise.allSettled(calls);
    const refusal = outcomes.find(({ status }) => status === 'rejected');
    if (refusal?.status === 'rejected') throw refusal.reason;
  }
}
