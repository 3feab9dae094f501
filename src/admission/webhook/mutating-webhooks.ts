import { ApiError, internalBecause } from '../../api/errors.ts';
import { readAnswer } from '../../outbound/answer-json.ts';
import { applyJsonPatchInSteps, parseJsonPatch } from '../../patch/json-patch.ts';
import type { AdmissionRequest, MutatingRequest } from '../../registry/admission.ts';
import { inSteps, restEveryTurn } from '../../runtime/pacing.ts';
import { MOST_VALUES } from '../../schema/document-limits.ts';
import { sameJson } from '../../schema/same-json.ts';
import { Reinvocations } from '../matching/reinvocations.ts';
import { type ShownRequest, show, takeBack, withConversions } from '../matching/shown-request.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import type { Rounds } from '../rounds.ts';
import { onAny } from '../rule.ts';
import type { AskingParts } from './asking-parts.ts';
import type { Verdict } from './review.ts';
import { waitFor } from './waiting-time.ts';
import { type Invocation, stepOf, type Webhook } from './webhook.ts';

/** Asks the webhooks that may change an object, one after another, each with what the one before left. */
export class MutatingWebhooks implements AdmissionPlugin {
  // No webhook can keep anyone from mending the configuration of webhooks.
  readonly rules = [
    onAny(({ group }) => group !== this.#parts.vocabulary.groups.admissionregistration).mutate({
      write: (request, rounds) => this.#ask(request, rounds),
      delete: (request, rounds) => this.#ask(request, rounds),
      connect: (request, rounds) => this.#ask(request, rounds),
    }),
  ];
  readonly #parts: AskingParts;
  readonly #reinvocations = new WeakMap<AdmissionRequest, Reinvocations>();

  constructor(parts: AskingParts) {
    this.#parts = parts;
  }

  #ask(request: MutatingRequest, rounds: Rounds): Promise<void> | void {
    const webhooks = this.#parts.webhooks.current;
    if (webhooks.length > 0) return waitFor(this.#parts.runtime, request, this.#askInTurn(webhooks, request, rounds));
  }

  close(): void {
    this.#parts.webhooks.close();
    this.#parts.caller.close();
  }

  async #askInTurn(webhooks: readonly Webhook[], request: MutatingRequest, rounds: Rounds): Promise<void> {
    const reinvocations = this.#reinvocations.get(request) ?? new Reinvocations();
    this.#reinvocations.set(request, reinvocations);
    if (rounds.isRepeated) reinvocations.compare(request.object);
    for (const [at, webhook] of webhooks.entries()) {
      const as = this.#parts.matcher.match(webhook, request);
      const isMeant = as && !(rounds.isRepeated && !reinvocations.wants(webhook));
      if (!isMeant || !(await this.#parts.conditions.met({ webhook, as }, request))) {
        request.steps?.passedOver(stepOf(webhook));
        continue;
      }
      const changed = await this.#askOne({ webhook, as }, request, `round_${rounds.isRepeated ? 1 : 0}_index_${at}`);
      if (changed) {
        reinvocations.changed();
        rounds.again();
      }
      reinvocations.asked(webhook);
    }
    reinvocations.left(request.object);
  }

  /** Whether the webhook changed the object. */
  async #askOne(invocation: Invocation, request: MutatingRequest, place: string): Promise<boolean> {
    const { webhook, as } = invocation;
    const { mutationWebhookPrefix, patchWebhookPrefix } = this.#parts.vocabulary.auditAnnotations;
    const who = { configuration: webhook.configuration, webhook: webhook.name };
    const shown = await withConversions(request, () => show(request, as, this.#parts));
    let changed = false;
    try {
      await this.#parts.caller.call({ invocation, request, shown }, place, async (verdict) => {
        const patch = await this.#operationsIn(verdict);
        if (patch.length === 0) return;
        demandChangeable(shown, webhook);
        const patching = applyJsonPatchInSteps(shown.object, patch);
        const document = await blaming(async () => inSteps(patching, restEveryTurn(this.#parts.runtime)));
        await blaming(async () => withConversions(request, () => takeBack(request, as, document, this.#parts)));
        const { object } = await withConversions(request, () => show(request, as, this.#parts));
        changed = !sameJson(shown.object, object);
        const record = { ...who, patch, patchType: 'JSONPatch' };
        request.annotate(`${patchWebhookPrefix}${place}`, JSON.stringify(record), 'Request');
      });
    } finally {
      request.annotate(`${mutationWebhookPrefix}${place}`, JSON.stringify({ ...who, mutated: changed }));
    }
    return changed;
  }

  #operationsIn({ patch }: Verdict): Promise<Operations> {
    return blaming(async () => {
      if (!patch) return [];
      const reading = readAnswer(Buffer.from(patch, 'base64').toString('utf8'), MOST_VALUES);
      return parseJsonPatch(await inSteps(reading, restEveryTurn(this.#parts.runtime)));
    });
  }
}

type Operations = ReturnType<typeof parseJsonPatch>;

function demandChangeable({ object }: ShownRequest, { name }: Webhook): void {
  if (object) return;
  const why = 'attempted to modify the object, which is not supported for this operation';
  throw internalBecause(`admission webhook ${JSON.stringify(name)} ${why}`);
}

/** A webhook that asks for nonsense is no fault of the client's. */
const blaming = <T>(attempt: () => Promise<T>): Promise<T> =>
  attempt().catch((error: unknown) => {
    throw faultOf(error);
  });

const faultOf = (error: unknown): unknown =>
  error instanceof ApiError || !(error instanceof Error) ? error : internalBecause(error.message);
