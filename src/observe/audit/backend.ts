import type { AuditEvent } from './event.ts';

/** Where events go in the end. */
export interface Sink {
  /** The name in metrics and logs. */
  readonly name: string;
  /** Resolves when the events are kept, rejects when they are not. */
  send(events: readonly AuditEvent[]): Promise<void>;
  /** Resolves when everything under way has ended. */
  close(): Promise<void>;
}

/** A sink with a rule about who waits for it. Never takes longer than it may, never holds more than it may. */
export interface AuditBackend {
  /** Whether requests are to wait for their events. */
  readonly waits: boolean;
  /** Undefined: nothing to wait for. Resolves with false when the request must not go on without its event. */
  record(event: AuditEvent): undefined | Promise<boolean>;
  close(): Promise<void>;
}

/** Told of events that are lost, and why. */
export type OnLost = (plugin: string, count: number, error: unknown) => void;

/** Several backends, each with every event. */
export function union(backends: readonly AuditBackend[]): AuditBackend {
  const [only] = backends;
  if (only && backends.length === 1) return only;
  return {
    waits: backends.some(({ waits }) => waits),
    record(event) {
      const waiting = backends.map((backend) => backend.record(event)).filter((one) => one !== undefined);
      return waiting.length === 0 ? undefined : Promise.all(waiting).then((kept) => kept.every(Boolean));
    },
    async close() {
      await Promise.all(backends.map((backend) => backend.close()));
    },
  };
}
