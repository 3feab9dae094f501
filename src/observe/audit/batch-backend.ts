import { type Runtime, sleep, type Timer } from '../../runtime/runtime.ts';
import type { AuditBackend, OnLost, Sink } from './backend.ts';
import type { AuditEvent } from './event.ts';

export interface BatchOptions {
  /** Events that can wait; more are lost. */
  readonly bufferSize: number;
  /** Events that are sent at once. */
  readonly maxSize: number;
  /** How long an event waits for others to be sent with it. 0: until `maxSize` are there. */
  readonly maxWaitMs: number;
  /** How many batches a second, and how many in a row after a pause. Undefined: as many as there are. */
  readonly throttle: { readonly qps: number; readonly burst: number } | undefined;
  readonly sink: Sink;
  /** Batches that may be under way together. */
  readonly parallel: number;
  readonly runtime: Runtime;
  readonly onLost: OnLost;
}

/** How long the end of the server may be held up by events that are still to be sent. */
const GRACE_MS = 5_000;

/** Made once: losses come in masses. */
const FULL = new Error('the audit buffer is full');

/** Collects events and sends them later, many at once. No request ever waits for it. */
export class BatchBackend implements AuditBackend {
  readonly waits = false;
  readonly #options: BatchOptions;
  #waiting: AuditEvent[] = [];
  #timer: Timer | undefined;
  /** The time has come for what waits, however little it is. */
  #due = false;
  readonly #underWay = new Set<Promise<void>>();
  #allowance: number;
  #allowanceAt: number;
  #closing = false;

  constructor(options: BatchOptions) {
    this.#options = options;
    this.#allowance = options.throttle?.burst ?? 0;
    this.#allowanceAt = options.runtime.monotonic();
  }

  record(event: AuditEvent): undefined {
    const { bufferSize, onLost } = this.#options;
    if (this.#waiting.length >= bufferSize) onLost('buffered', 1, FULL);
    else this.#waiting.push(event);
    this.#pump();
    return undefined;
  }

  /** Sends what is left, without regard to rates, as far as that can be done soon. */
  async close(): Promise<void> {
    const { runtime, sink, onLost } = this.#options;
    this.#closing = true;
    this.#timer?.cancel();
    await Promise.race([this.#drain(), sleep(runtime, GRACE_MS)]);
    const left = this.#waiting.splice(0).length;
    if (left > 0) onLost('buffered', left, new Error('the server stopped before they could be sent'));
    await sink.close();
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0 || this.#underWay.size > 0) {
      this.#pump();
      await Promise.race(this.#underWay);
    }
  }

  #pump(): void {
    const { maxSize, parallel } = this.#options;
    while (this.#waiting.length > 0 && this.#underWay.size < parallel) {
      if (!this.#due && !this.#closing && this.#waiting.length < maxSize) break;
      if (!this.#mayTake()) return;
      this.#send(this.#waiting.splice(0, maxSize));
    }
    if (this.#waiting.length === 0) this.#due = false;
    else if (!this.#due) this.#wakeLater(this.#options.maxWaitMs);
  }

  #send(events: readonly AuditEvent[]): void {
    const { sink, onLost } = this.#options;
    const sending = sink
      .send(events)
      .catch((error: unknown) => onLost(sink.name, events.length, error))
      .then(() => {
        this.#underWay.delete(sending);
        this.#pump();
      });
    this.#underWay.add(sending);
  }

  #wakeLater(milliseconds: number): void {
    if (this.#timer || this.#closing || milliseconds === 0) return;
    this.#timer = this.#options.runtime.after(milliseconds, () => {
      this.#timer = undefined;
      this.#due = true;
      this.#pump();
    });
  }

  /** A batch may go now; otherwise the next one is tried when its turn has come. */
  #mayTake(): boolean {
    const { throttle, runtime } = this.#options;
    if (!throttle || this.#closing) return true;
    const now = runtime.monotonic();
    const earned = ((now - this.#allowanceAt) / 1000) * throttle.qps;
    this.#allowance = Math.min(throttle.burst, this.#allowance + earned);
    this.#allowanceAt = now;
    if (this.#allowance < 1) {
      this.#wakeLater(Math.ceil(((1 - this.#allowance) / throttle.qps) * 1000));
      return false;
    }
    this.#allowance -= 1;
    return true;
  }
}
