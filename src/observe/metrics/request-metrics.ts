import { headerValue } from '../../http/headers.ts';
import { type BodyStream, isStream, type Reply } from '../../http/message.ts';
import { bodyLength } from '../../http/whole-body.ts';
import type { Catalogue } from '../../registry/catalogue.ts';
import type { RequestContext } from '../../request/context.ts';
import { isConnection, isLongRunning } from '../../request/long-running.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { FieldValidationMetrics } from './field-validation-metrics.ts';
import { InFlight, type InFlightBounds, NO_BOUNDS } from './in-flight.ts';
import { ObservedStream } from './observed-stream.ts';
import type { Cell, Recorder } from './recorder.ts';
import { dryRunOf, pathLabel, READ_VERBS, scopeOf, verbLabel } from './request-labels.ts';
import { type RequestLabels, Tallies, Tally } from './tally.ts';

export type { InFlightBounds } from './in-flight.ts';

/** Counts requests from outside of their path: `began` when one arrives, `ended` with its answer. */
export class RequestMetrics {
  readonly #recorder: Recorder;
  readonly #catalogue: Catalogue;
  readonly #runtime: Runtime;
  readonly #tallies = new Tallies();
  readonly #reading: InFlight;
  readonly #changing: InFlight;
  readonly #fieldValidation: FieldValidationMetrics;
  readonly #lateSuccesses: Cell;
  readonly #lateErrors: Cell;

  constructor(recorder: Recorder, catalogue: Catalogue, runtime: Runtime, most: InFlightBounds = NO_BOUNDS) {
    this.#recorder = recorder;
    this.#catalogue = catalogue;
    this.#runtime = runtime;
    this.#reading = new InFlight(recorder, runtime, 'readOnly', most.reading);
    this.#changing = new InFlight(recorder, runtime, 'mutating', most.changing);
    this.#fieldValidation = new FieldValidationMetrics(recorder);
    this.#lateSuccesses = recorder.number('apiserver_request_post_timeout_total', ['rest-handler', 'ok']);
    this.#lateErrors = recorder.number('apiserver_request_post_timeout_total', ['rest-handler', 'error']);
  }

  began({ info, received }: RequestContext): void {
    this.#inFlight(info)?.began(received);
  }

  /** The reply to send: the same, unless it is a stream, which is counted for as long as it is open. */
  ended(context: RequestContext, reply: Reply): Reply {
    const { info, received, webhookMs } = context;
    const now = this.#runtime.monotonic();
    this.#inFlight(info)?.ended(now);
    const tally = this.#tally(context);
    tally.count(reply.status);
    if (context.request.background) tally.own.value++;
    if (isTermination(context, reply.status)) tally.terminated(reply.status);
    if (tally.isWrite) this.#fieldValidation.observe(info, (now - received) / 1000);
    const { body } = reply;
    if (isStream(body)) return { ...reply, body: this.#follow(received, tally, body) };
    tally.sizes?.observe(bodyLength(body));
    observeDuration(tally, now - received, webhookMs);
    return reply;
  }

  late({ status }: Reply): void {
    (status < 400 ? this.#lateSuccesses : this.#lateErrors).value++;
  }

  /** A stream may be open for long, so no more of its request is kept than this needs. */
  #follow(received: number, tally: Tally, body: BodyStream): BodyStream {
    return new ObservedStream(body, {
      opened: () => {
        tally.open.value++;
      },
      closed: () => {
        tally.open.value--;
        observeDuration(tally, this.#runtime.monotonic() - received);
      },
      aborted: () => tally.aborted(),
    });
  }

  /** What is long-running counts as an open stream instead. */
  #inFlight(info: RequestInfo): InFlight | undefined {
    if (isLongRunning(info)) return undefined;
    return READ_VERBS.has(info.verb) ? this.#reading : this.#changing;
  }

  /** What clients made up is never remembered, only what it was reduced to. */
  #tally({ info, request }: RequestContext): Tally {
    const labels: RequestLabels = {
      verb: isConnection(info) ? 'CONNECT' : verbLabel(info.verb, headerValue(request, 'content-type')),
      dryRun: dryRunOf(info),
      group: info.group,
      version: info.version,
      resource: info.resource,
      subresource: info.resourceRequest ? info.subresource : pathLabel(info.path),
      scope: scopeOf(info),
    };
    return this.#tallies.find(labels) ?? this.#tallyFor(info.resourceRequest ? this.#served(labels) : labels);
  }

  /** The labels, with '' for what the server does not have. */
  #served(labels: RequestLabels): RequestLabels {
    const { group, version, resource, subresource } = labels;
    const type = this.#catalogue.find(group, version, resource);
    if (!type) return { ...labels, group: '', version: '', resource: '', subresource: '' };
    return Object.hasOwn(type.subresources, subresource) ? labels : { ...labels, subresource: '' };
  }

  #tallyFor(labels: RequestLabels): Tally {
    const known = this.#tallies.find(labels);
    if (known) return known;
    const tally = new Tally(this.#recorder, labels);
    this.#tallies.add(tally);
    return tally;
  }
}

function observeDuration({ duration, ownDuration }: Tally, milliseconds: number, webhookMs = 0): void {
  duration.observe(milliseconds / 1000);
  ownDuration.observe((milliseconds - webhookMs) / 1000);
}

/** Whether the server ended a request to protect itself: it had no room for it, or no more time. */
function isTermination({ isAdmitted, deadline }: RequestContext, status: number): boolean {
  if (status === TOO_MANY_REQUESTS) return !isAdmitted;
  return status === GATEWAY_TIMEOUT && deadline !== undefined && deadline.left <= 0;
}

const TOO_MANY_REQUESTS = 429;
const GATEWAY_TIMEOUT = 504;
