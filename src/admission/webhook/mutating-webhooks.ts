import { ApiError, internalBecause } from '../../api/errors.ts';
import { applyJsonPatch, parseJsonPatch } from '../../patch/json-patch.ts';
import type { AdmissionRequest, MutatingRequest } from '../../registry/admission.ts';
import type { ResourceType } from '../../registry/resource-type.ts';
import { sameJson } from '../../schema/same-json.ts';
import type { AdmissionPlugin, Rounds } from '../chain.ts';
import type { PluginParts } from '../plugin.ts';
import type { WebhookCredentials } from './credentials.ts';
import { type Invocation, Matcher } from './matching.ts';
import { Reinvocations } from './reinvocations.ts';
import type { Verdict } from './review.ts';
import { type ShownRequest, show, takeBack } from './shown-request.ts';
import { waitFor } from './waiting-time.ts';
import { ConfiguredWebhooks, type Webhook } from './webhook.ts';
import { WebhookCaller } from './webhook-caller.ts';

/** Asks the webhooks that may change an object, one after another, each with what the one before left. */
export class MutatingWebhooks implements AdmissionPlugin {
  readonly name = 'MutatingAdmissionWebhook';
  readonly operations = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const;
  readonly #parts: PluginParts;
  readonly #webhooks: ConfiguredWebhooks;
  readonly #matcher: Matcher;
  readonly #caller: WebhookCaller;
  readonly #reinvocations = new WeakMap<AdmissionRequest, Reinvocations>();

  constructor(parts: PluginParts, credentials: WebhookCredentials) {
    const { objects, informer, catalogue, vocabulary } = parts;
    this.#parts = parts;
    this.#webhooks = new ConfiguredWebhooks(informer, {
      group: vocabulary.groups.admissionregistration,
      plural: 'mutatingwebhookconfigurations',
    });
    this.#matcher = new Matcher(objects, catalogue);
    this.#caller = new WebhookCaller(parts, credentials, 'admit');
  }

  /** No webhook can keep anyone from mending the configuration of webhooks. */
  concerns({ group }: ResourceType): boolean {
    return group !== this.#parts.vocabulary.groups.admissionregistration;
  }

  mutate(request: MutatingRequest, rounds: Rounds): Promise<void> | void {
    const webhooks = this.#webhooks.current;
    if (webhooks.length > 0) return waitFor(this.#parts.runtime, request, this.#askInTurn(webhooks, request, rounds));
  }

  close(): void {
    this.#webhooks.close();
    this.#caller.close();
  }

  async #askInTurn(webhooks: readonly Webhook[], request: MutatingRequest, rounds: Rounds): Promise<void> {
    const reinvocations = this.#reinvocations.get(request) ?? new Reinvocations();
    this.#reinvocations.set(request, reinvocations);
    if (rounds.isRepeated) reinvocations.compare(request.object);
    for (const [at, webhook] of webhooks.entries()) {
      const invocation = this.#matcher.match(webhook, request);
      if (!invocation || (rounds.isRepeated && !reinvocations.wants(webhook))) continue;
      const changed = await this.#ask(invocation, request, `round_${rounds.isRepeated ? 1 : 0}_index_${at}`);
      if (changed) {
        reinvocations.changed();
        rounds.again();
      }
      reinvocations.asked(webhook);
    }
    reinvocations.left(request.object);
  }

  /** Whether the webhook changed the object. */
  async #ask(invocation: Invocation, request: MutatingRequest, place: string): Promise<boolean> {
    const { webhook, as } = invocation;
    const { mutationWebhookPrefix, patchWebhookPrefix } = this.#parts.vocabulary.auditAnnotations;
    const who = { configuration: webhook.configuration, webhook: webhook.name };
    const shown = show(request, as, this.#parts);
    let changed = false;
    try {
      await this.#caller.call({ invocation, request, shown }, place, (verdict) => {
        const patch = operationsIn(verdict);
        if (patch.length === 0) return;
        demandChangeable(shown, webhook);
        demand(() => takeBack(request, as, applyJsonPatch(shown.object, patch), this.#parts));
        changed = !sameJson(shown.object, show(request, as, this.#parts).object);
        const record = { ...who, patch, patchType: 'JSONPatch' };
        request.annotate(`${patchWebhookPrefix}${place}`, JSON.stringify(record), 'Request');
      });
    } finally {
      request.annotate(`${mutationWebhookPrefix}${place}`, JSON.stringify({ ...who, mutated: changed }));
    }
    return changed;
  }
}

type Operations = ReturnType<typeof parseJsonPatch>;

function operationsIn({ patch }: Verdict): Operations {
  return patch ? demand(() => parseJsonPatch(JSON.parse(Buffer.from(patch, 'base64').toString('utf8')))) : [];
}

function demandChangeable({ object }: ShownRequest, { name }: Webhook): void {
  if (object) return;
  const why = 'attempted to modify the object, which is not supported for this operation';
  throw internalBecause(`admission webhook ${JSON.stringify(name)} ${why}`);
}

/** A webhook that asks for nonsense is no fault of the client's. */
function demand<T>(attempt: () => T): T {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof ApiError || !(error instanceof Error)) throw error;
    throw internalBecause(error.message);
  }
}
