import { badRequest, internalBecause, timeout } from '../../api/errors.ts';
import { qualifiedName } from '../../meta/formats.ts';
import type { AdmissionRequest, OpenStep, WebhookCall } from '../../registry/admission.ts';
import { inSteps, restEveryTurn } from '../../runtime/pacing.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { Denial } from './denial.ts';
import { type Asked, type Question, questionOf, type Verdict, verdictIn } from './review.ts';
import { stepOf, type Webhook } from './webhook.ts';
import type { WebhookClient } from './webhook-client.ts';
import type { Outcome, PhaseName, WebhookMetrics } from './webhook-metrics.ts';

/** There was no answer, or none that makes sense: the failure policy of the webhook decides. */
class CallFailure extends Error {
  constructor(webhook: string, what: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`failed calling webhook ${JSON.stringify(webhook)}: ${what}: ${why}`, { cause });
  }
}

export interface WebhookCallerParts {
  readonly phase: PhaseName;
  readonly client: WebhookClient;
  readonly metrics: WebhookMetrics;
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
  /** How long clients are expected to wait for an answer. */
  readonly requestTimeoutMs: number;
  /** A call that failed and let the request pass. */
  onError(webhook: string, error: unknown): void;
}

/** Asks webhooks, and brings what they say to where it belongs. */
export class WebhookCaller {
  readonly #parts: WebhookCallerParts;
  /** When the first webhook was asked about a request. */
  readonly #begun = new WeakMap<AdmissionRequest, number>();

  constructor(parts: WebhookCallerParts) {
    this.#parts = parts;
  }

  /**
   * Asks a webhook; resolves when the request may go on, rejects with an ApiError when it may not. `use` is given a
   * verdict that allows it. `place`: under which name the record knows this call.
   */
  async call(asked: Asked, place: string, use: (verdict: Verdict) => void | Promise<void> = () => {}): Promise<void> {
    const { webhook } = asked.invocation;
    const began = this.#parts.runtime.monotonic();
    const step = asked.request.steps?.begin(stepOf(webhook), asked.request);
    const ended = (outcome: Outcome, failure?: unknown): void => {
      const milliseconds = this.#parts.runtime.monotonic() - began;
      this.#parts.metrics.called(webhook.name, asked.request.operation, milliseconds / 1000, outcome);
      asked.request.called?.({
        configuration: webhook.configuration,
        webhook: webhook.name,
        phase: this.#parts.phase === 'admit' ? 'mutating' : 'validating',
        milliseconds,
        outcome: wordFor(outcome),
      });
      step?.end(failure, outcome.rejected);
    };
    try {
      await use(await this.#ask(asked, step));
      ended({ rejected: false, code: 200, error: 'no_error' });
    } catch (error) {
      ended(outcomeOf(error, webhook), error);
      if (!(error instanceof CallFailure)) throw error;
      // What was cut off because the client is not waiting any more says nothing of the webhook.
      asked.request.deadline?.check();
      if (!webhook.failsOpen) throw internalBecause(error.message);
      this.#passOver(asked, place, error);
    } finally {
      if (step) await asked.request.steps?.settle();
    }
  }

  close(): void {
    this.#parts.client.close();
  }

  async #ask(asked: Asked, step: OpenStep | undefined): Promise<Verdict> {
    const { request, invocation } = asked;
    const { webhook } = invocation;
    if (request.dryRun && !webhook.takesDryRuns) {
      throw badRequest(`admission webhook ${JSON.stringify(webhook.name)} does not support dry run`);
    }
    const timeoutMs = Math.min(webhook.timeoutMs, this.#leftFor(request));
    const question = await this.#question(asked);
    const answer = await this.#parts.client.post(webhook.address, question.text, timeoutMs).catch((error: unknown) => {
      throw new CallFailure(webhook.name, 'failed to call webhook', error);
    });
    const verdict = this.#verdict(webhook, answer, question);
    if (step) step.during(() => tell(request, webhook, verdict));
    else tell(request, webhook, verdict);
    if (!verdict.allowed) throw new Denial(webhook.name, verdict.status);
    return verdict;
  }

  async #question(asked: Asked): Promise<Question> {
    const { runtime, vocabulary } = this.#parts;
    try {
      return await inSteps(questionOf(asked, runtime.uuid(), vocabulary), restEveryTurn(runtime));
    } catch (error) {
      throw new CallFailure(asked.invocation.webhook.name, 'could not create admission objects', error);
    }
  }

  #verdict({ name }: Webhook, answer: unknown, question: Question): Verdict {
    try {
      return verdictIn(answer, question, this.#parts.phase === 'admit');
    } catch (error) {
      throw new CallFailure(name, 'received invalid webhook response', error);
    }
  }

  /** All webhooks together have no more time than the client. */
  #leftFor(request: AdmissionRequest): number {
    const { deadline } = request;
    deadline?.check();
    if (deadline) return deadline.left;
    const { runtime, requestTimeoutMs } = this.#parts;
    const now = runtime.monotonic();
    const began = this.#begun.get(request) ?? now;
    this.#begun.set(request, began);
    const left = requestTimeoutMs - (now - began);
    if (left <= 0) throw timeout('request did not complete within requested timeout');
    return left;
  }

  #passOver({ request, invocation }: Asked, place: string, error: CallFailure): void {
    const { name } = invocation.webhook;
    const { failedOpenMutationPrefix, failedOpenValidatingPrefix } = this.#parts.vocabulary.auditAnnotations;
    const prefix = this.#parts.phase === 'admit' ? failedOpenMutationPrefix : failedOpenValidatingPrefix;
    this.#parts.metrics.failedOpen(name);
    request.annotate(`${prefix}${place}`, name);
    this.#parts.onError(name, error);
  }
}

function wordFor({ rejected, error }: Outcome): WebhookCall['outcome'] {
  if (error === 'calling_webhook_error') return rejected ? 'failed and refused' : 'failed';
  return rejected ? 'refused' : 'allowed';
}

function outcomeOf(error: unknown, { failsOpen }: Webhook): Outcome {
  if (error instanceof CallFailure) return { rejected: !failsOpen, code: 0, error: 'calling_webhook_error' };
  if (error instanceof Denial) return { rejected: true, code: error.chosen, error: 'no_error' };
  return { rejected: true, code: 0, error: 'apiserver_internal_error' };
}

/** What a webhook says besides yes or no: to the client, and for the record under its own name. */
function tell(request: AdmissionRequest, { name }: Webhook, { warnings = [], auditAnnotations = {} }: Verdict): void {
  for (const warning of warnings) request.warn(warning);
  for (const [key, value] of Object.entries(auditAnnotations)) {
    const full = `${name}/${key}`;
    if (!key.includes('/') && qualifiedName(full) === undefined) request.annotate(full, value);
  }
}
