import { headerValue } from '../../http/headers.ts';
import { type BodyStream, isStream, type Reply } from '../../http/message.ts';
import { bodyLength } from '../../http/whole-body.ts';
import type { Catalogue } from '../../registry/catalogue.ts';
import type { RequestContext } from '../../request/context.ts';
import { isConnection, isLongRunning } from '../../request/long-running.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { ObservedStream } from './observed-stream.ts';
import type { Cell, Recorder } from './recorder.ts';
import { dryRunOf, pathLabel, READ_VERBS, scopeOf, verbLabel } from './request-labels.ts';
import { type RequestLabels, Tallies, Tally } from './tally.ts';

/** Counts requests from outside of their path: `began` when one arrives, `ended` with its answer. */
export class RequestMetrics {
  readonly #recorder: Recorder;
  readonly #catalogue: Catalogue;
  readonly #runtime: Runtime;
  readonly #tallies = new Tallies();
  readonly #reading: Cell;
  readonly #changing: Cell;

  constructor(recorder: Recorder, catalogue: Catalogue, runtime: Runtime) {
    this.#recorder = recorder;
    this.#catalogue = catalogue;
    this.#runtime = runtime;
    this.#reading = recorder.number('apiserver_current_inflight_requests', ['readOnly']);
    this.#changing = recorder.number('apiserver_current_inflight_requests', ['mutating']);
  }

  began({ info }: RequestContext): void {
    const inFlight = this.#inFlight(info);
    if (inFlight) inFlight.value++;
  }

  /** The reply to send: the same, unless it is a stream, which is counted for as long as it is open. */
  ended(context: RequestContext, reply: Reply): Reply {
    const inFlight = this.#inFlight(context.info);
    if (inFlight) inFlight.value--;
    const tally = this.#tally(context);
    tally.count(reply.status);
    const { body } = reply;
    if (isStream(body)) return { ...reply, body: this.#follow(context.received, tally, body) };
    tally.sizes?.observe(bodyLength(body));
    this.#observeDuration(context.received, tally, context.webhookMs);
    return reply;
  }

  /** A stream may be open for long, so no more of its request is kept than this needs. */
  #follow(received: number, tally: Tally, body: BodyStream): BodyStream {
    return new ObservedStream(body, {
      opened: () => {
        tally.open.value++;
      },
      closed: () => {
        tally.open.value--;
        this.#observeDuration(received, tally);
      },
    });
  }

  #observeDuration(received: number, { duration, ownDuration }: Tally, webhookMs = 0): void {
    const milliseconds = this.#runtime.monotonic() - received;
    duration.observe(milliseconds / 1000);
    ownDuration.observe((milliseconds - webhookMs) / 1000);
  }

  /** What is long-running counts as an open stream instead. */
  #inFlight(info: RequestInfo): Cell | undefined {
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
