import type { AdmissionRequest } from '../../registry/admission.ts';
import type { ResourceType } from '../../registry/resource-type.ts';
import { type ShownRequest, show, withConversions } from '../matching/shown-request.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { onAny } from '../rule.ts';
import type { AskingParts } from './asking-parts.ts';
import { waitFor } from './waiting-time.ts';
import { type Invocation, stepOf, type Webhook } from './webhook.ts';

/** Asks the webhooks that may refuse a request, all at the same time. */
export class ValidatingWebhooks implements AdmissionPlugin {
  // No webhook can keep anyone from mending the configuration of webhooks.
  readonly rules = [
    onAny(({ group }) => group !== this.#parts.vocabulary.groups.admissionregistration).validate({
      write: (request) => this.#ask(request),
      delete: (request) => this.#ask(request),
      connect: (request) => this.#ask(request),
    }),
  ];
  readonly #parts: AskingParts;

  constructor(parts: AskingParts) {
    this.#parts = parts;
  }

  #ask(request: AdmissionRequest): Promise<void> | void {
    const { current } = this.#parts.webhooks;
    if (current.length === 0) return;
    const invocations = current.flatMap((webhook) => this.#invocation(webhook, request) ?? []);
    if (invocations.length > 0) return waitFor(this.#parts.runtime, request, this.#askAll(invocations, request));
  }

  #invocation(webhook: Webhook, request: AdmissionRequest): Invocation | undefined {
    const as = this.#parts.matcher.match(webhook, request);
    if (!as) request.steps?.passedOver(stepOf(webhook));
    return as && { webhook, as };
  }

  close(): void {
    this.#parts.webhooks.close();
    this.#parts.caller.close();
  }

  /** Every answer is awaited, so that what a webhook does for a request never outlives it. */
  async #askAll(matched: readonly Invocation[], request: AdmissionRequest): Promise<void> {
    const invocations: Invocation[] = [];
    for (const invocation of matched) {
      if (await this.#parts.conditions.met(invocation, request)) invocations.push(invocation);
      else request.steps?.passedOver(stepOf(invocation.webhook));
    }
    const known = new Map<ResourceType, ShownRequest>();
    for (const { as } of invocations) {
      if (!known.has(as)) known.set(as, await withConversions(request, () => show(request, as, this.#parts)));
    }
    const calls = invocations.map((invocation, at) => {
      const shown = known.get(invocation.as) ?? show(request, invocation.as, this.#parts);
      return this.#parts.caller.call({ invocation, request, shown }, `round_0_index_${at}`);
    });
    const outcomes = await Promise.allSettled(calls);
    const refusal = outcomes.find(({ status }) => status === 'rejected');
    if (refusal?.status === 'rejected') throw refusal.reason;
  }
}
