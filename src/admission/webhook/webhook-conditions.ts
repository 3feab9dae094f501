import { PolicyEvaluation } from '../../cel/policy/evaluation.ts';
import { Budget } from '../../cel/rule.ts';
import {
  type CompiledCondition,
  compileWebhookConditions,
} from '../../kinds/admissionregistration/policy/policy-compiler.ts';
import type { AdmissionRequest } from '../../registry/admission.ts';
import { inSteps, restEveryTurn, type Steps } from '../../runtime/pacing.ts';
import { CompiledExpressions } from '../expressions/compiled-expressions.ts';
import { conditionsMet } from '../expressions/conditions.ts';
import { untilKnown } from '../expressions/lookup.ts';
import { MisconfiguredError } from '../expressions/misconfigured.ts';
import { RequestValues, type ValueSources } from '../expressions/request-values.ts';
import { withConversions } from '../matching/shown-request.ts';
import { refusal } from '../refusal.ts';
import type { Invocation, WebhookConfiguration } from './webhook.ts';

/** What all conditions of one webhook may cost together, as in the original. */
const BUDGET = 2_500_000;

/** Finds out whether requests meet the conditions of webhooks, before these are called. */
export class WebhookConditions {
  readonly #sources: ValueSources;
  readonly #compiled = new CompiledExpressions<WebhookConfiguration, ReadonlyMap<string, readonly CompiledCondition[]>>(
    'conditions of webhooks',
    compileWebhookConditions,
  );

  constructor(sources: ValueSources) {
    this.#sources = sources;
  }

  /** Throws a 403 where it cannot be found out, unless the webhook can be done without. */
  async met({ webhook, as }: Invocation, request: AdmissionRequest): Promise<boolean> {
    if (!webhook.hasConditions) return true;
    const values = new RequestValues(request, this.#sources);
    const met = await withConversions(request, () =>
      untilKnown(() => inSteps(this.#evaluate({ webhook, as }, values), restEveryTurn(this.#sources.runtime))),
    );
    if (typeof met === 'boolean') return met;
    if (webhook.failsOpen) return false;
    throw refusal(request, met);
  }

  *#evaluate({ webhook, as }: Invocation, values: RequestValues): Steps<boolean | string> {
    try {
      const conditions = (yield* this.#compiled.of(webhook.declaredIn)).get(webhook.name) ?? [];
      return yield* conditionsMet(conditions, new PolicyEvaluation(values.in(as, null), [], new Budget(BUDGET)));
    } catch (error) {
      if (!(error instanceof MisconfiguredError)) throw error;
      return error.message;
    }
  }
}
