import type { OnLost, Sink } from './backend.ts';
import { AuditEvent } from './event.ts';

export interface TruncationOptions {
  readonly maxBatchBytes: number;
  readonly maxEventBytes: number;
  /** The annotation that tells of what is left out. */
  readonly annotation: string;
  readonly onLost: OnLost;
}

/** A sink that is not sent more than it can take: large events lose their bodies, large batches are sent in parts. */
export function truncating(sink: Sink, options: TruncationOptions): Sink {
  return {
    name: sink.name,
    async send(events) {
      const small = events.map((event) => shortened(event, options)).filter((event) => event !== undefined);
      for (const batch of batches(small, options.maxBatchBytes)) await sink.send(batch);
    },
    close: () => sink.close(),
  };
}

function shortened(
  event: AuditEvent,
  { maxEventBytes, annotation, onLost }: TruncationOptions,
): AuditEvent | undefined {
  if (event.bytes <= maxEventBytes) return event;
  const annotations = { ...event.fields.annotations, [annotation]: 'true' };
  const bare = new AuditEvent({ ...event.fields, annotations }, {});
  if (bare.bytes <= maxEventBytes) return bare;
  onLost('truncate', 1, new Error(`audit event ${event.fields.auditID} is too large even without its bodies`));
  return undefined;
}

function* batches(events: readonly AuditEvent[], maxBytes: number): Generator<readonly AuditEvent[]> {
  let batch: AuditEvent[] = [];
  let total = 0;
  for (const event of events) {
    if (batch.length > 0 && total + event.bytes > maxBytes) {
      yield batch;
      batch = [];
      total = 0;
    }
    batch.push(event);
    total += event.bytes;
  }
  if (batch.length > 0) yield batch;
}
