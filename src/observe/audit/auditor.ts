import { internalBecause } from '../../api/errors.ts';
import { type BodyStream, isSource, isStream, type Reply } from '../../http/message.ts';
import { join, totalLength } from '../../http/parts.ts';
import { readWhole } from '../../http/whole-body.ts';
import type { RequestContext } from '../../request/context.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import { restEveryTurn } from '../../runtime/pacing.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { AuditBackend } from './backend.ts';
import { attemptedCredentials } from './credentials.ts';
import type { AuditEvent } from './event.ts';
import { goDuration } from './go-duration.ts';
import { covers, type Level, type Stage } from './levels.ts';
import type { TreatmentOf } from './policy.ts';
import { Recording } from './recording.ts';
import { type ResponseReader, responseText } from './response-text.ts';
import { MOST_BYTES, TappedStream } from './tapped-stream.ts';

/** What is counted about auditing. */
export interface AuditCounters {
  /** A request was looked at, and is to be recorded like this. */
  judged(level: Level): void;
  sent(): void;
  /** A request was refused because its arrival could not be recorded. */
  rejected(): void;
}

export interface AuditorOptions {
  readonly treatmentOf: TreatmentOf;
  readonly backend: AuditBackend;
  readonly responses: ResponseReader;
  readonly counters: AuditCounters;
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
}

/** An answer that took longer says how long. */
const SLOW_MS = 500;
const LONG_SUBRESOURCES = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

/** Streams that last: they are recorded when they begin as well. */
const isLong = ({ verb, subresource }: RequestInfo): boolean => verb === 'watch' || LONG_SUBRESOURCES.has(subresource);

/** Records requests as the policy wants them, from outside of their path. */
export class Auditor {
  readonly #options: AuditorOptions;

  constructor(options: AuditorOptions) {
    this.#options = options;
  }

  /** Begins the record of a request. Rejects when it must not go on without. */
  identified(context: RequestContext): undefined | Promise<void> {
    const recording = this.#begin(context);
    if (!recording) return undefined;
    context.record = recording;
    const kept = this.#emit(recording, 'RequestReceived', () => recording.event('RequestReceived', recording.received));
    return kept?.then((isKept) => {
      if (isKept) return;
      this.#options.counters.rejected();
      throw internalBecause('failed to store audit event');
    });
  }

  /** The reply to send, once its record is kept, where that is to be waited for. */
  ended(context: RequestContext, given: Reply): Reply | Promise<Reply> {
    if (context.user === undefined) return this.#refused(context, given);
    const { record: recording, info } = context;
    if (!(recording instanceof Recording)) return given;
    const reply = covers(recording.treatment.level, 'RequestResponse') ? held(given) : given;
    if (isLong(info))
      void this.#emit(recording, 'ResponseStarted', () => this.#event(recording, 'ResponseStarted', reply));
    if (isStream(reply.body)) return { ...reply, body: this.#follow(recording, info, reply, reply.body) };
    const kept = this.#complete(recording, reply, isSource(reply.body) ? undefined : bytesOf(reply.body));
    return kept ? kept.then(() => reply) : reply;
  }

  /** A defect: told by `ended` as such. */
  failed({ record }: RequestContext): void {
    if (record instanceof Recording) record.failed = true;
  }

  #begin(context: RequestContext): Recording | undefined {
    const { treatmentOf, counters, runtime, vocabulary } = this.#options;
    const treatment = treatmentOf(context);
    counters.judged(treatment.level);
    if (treatment.level === 'None') return undefined;
    const received = runtime.now() - (runtime.monotonic() - context.received);
    return new Recording(context, treatment, received, vocabulary);
  }

  /** Nobody knows who that was: one event tells of it, and by what the client hoped to be known. */
  #refused(context: RequestContext, reply: Reply): Reply | Promise<Reply> {
    const recording = this.#begin(context);
    if (!recording) return reply;
    const told: Reply = { ...reply, outcome: { ...reply.outcome, message: attemptedCredentials(context.request) } };
    const kept = this.#emit(recording, 'ResponseStarted', () => this.#event(recording, 'ResponseStarted', told));
    return kept ? kept.then(() => reply) : reply;
  }

  #follow(recording: Recording, info: RequestInfo, reply: Reply, body: BodyStream): BodyStream {
    const keepsParts = !isLong(info) && covers(recording.treatment.level, 'RequestResponse');
    const { truncated } = this.#options.vocabulary.auditAnnotations;
    return new TappedStream(body, keepsParts, ({ parts }) => {
      if (keepsParts && !parts) recording.annotate(truncated, 'true', 'Metadata');
      void this.#complete(recording, reply, parts && bytesOf(parts));
    });
  }

  #complete(recording: Recording, reply: Reply, body: Buffer | undefined): undefined | Promise<unknown> {
    const { level, omitManagedFields } = recording.treatment;
    const stage = recording.failed ? 'Panic' : 'ResponseComplete';
    const send = (text?: string) => this.#emit(recording, stage, () => this.#event(recording, stage, reply, text));
    if (!body || !covers(level, 'RequestResponse')) return send();
    const { responses, runtime } = this.#options;
    const text = responseText(responses, reply.headers, body, omitManagedFields, restEveryTurn(runtime));
    if (!(text instanceof Promise)) return send(text);
    const kept = text.then(send, () => send());
    return this.#options.backend.waits ? kept : undefined;
  }

  #event(recording: Recording, stage: Stage, reply: Reply, responseObject?: string): AuditEvent {
    const { runtime, vocabulary } = this.#options;
    const now = runtime.now();
    const taken = now - recording.received;
    if (stage === 'ResponseComplete' && taken > SLOW_MS) {
      recording.annotate(vocabulary.auditAnnotations.latencyTotal, goDuration(taken), 'Metadata');
    }
    return recording.event(stage, now, reply, responseObject);
  }

  #emit(recording: Recording, stage: Stage, make: () => AuditEvent): undefined | Promise<boolean> {
    if (recording.treatment.omitted.has(stage)) return undefined;
    this.#options.counters.sent();
    return this.#options.backend.record(make());
  }
}

/** A body that is made on the way can be read once: to be sent and kept it is made as a whole, unless it is too large. */
const held = (reply: Reply): Reply =>
  isSource(reply.body) && reply.body.length <= MOST_BYTES ? { ...reply, body: readWhole(reply.body) } : reply;

const bytesOf = (body: Buffer | readonly Buffer[]): Buffer =>
  Buffer.isBuffer(body) ? body : join(body, totalLength(body));
