import type { Registry } from '../registry/registry.ts';
import type { Deadline } from '../runtime/deadline.ts';
import type { Runtime, Timer } from '../runtime/runtime.ts';
import type { Version } from '../storage/log/version.ts';
import type { Controller, StartController } from './controller.ts';

/** So many are removed at the same time, */
const AT_ONCE = 16;
/** and so many in one go; between two others have their turn. */
const BATCH = 256;
/** What expires within so long goes together. */
const PACE_MS = 1_000;
const RETRY_MS = 5_000;
/** Timers cannot be set for later than this: it is looked again then. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface EventExpiryParts {
  readonly registry: Pick<Registry, 'expire'>;
  readonly runtime: Runtime;
  readonly ttlMs: number;
  readonly term: Deadline | undefined;
  onError(key: string, error: unknown): void;
}

/** When an event was written last. */
interface LastWrite {
  readonly revision: number;
  readonly time: number;
}

/** Removes events some time after they were written last. They are known in the order of their times: nothing is searched. */
export class EventExpiry implements Controller {
  readonly #parts: EventExpiryParts;
  /** By key; a map keeps the order in which its entries were made, so that what comes first was written first. */
  readonly #writes = new Map<string, LastWrite>();
  #timer: Timer | undefined;
  #removing: Promise<void> | undefined;
  #isClosed = false;

  /** `present`: what is there, in the order of revisions. */
  constructor(parts: EventExpiryParts, present: Iterable<Version>) {
    this.#parts = parts;
    for (const version of present) this.#note(version);
    this.#schedule();
  }

  /** How many events are known. */
  get size(): number {
    return this.#writes.size;
  }

  take(versions: readonly Version[]): void {
    for (const version of versions) this.#note(version);
    this.#schedule();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    await this.#removing;
  }

  #note({ key, revision, time, deleted }: Version): void {
    this.#writes.delete(key);
    if (!deleted) this.#writes.set(key, { revision, time });
  }

  #schedule(): void {
    if (this.#isClosed || this.#timer || this.#removing) return;
    const [first] = this.#writes.values();
    if (!first) return;
    const { runtime, ttlMs } = this.#parts;
    this.#wake(Math.max(PACE_MS, first.time + ttlMs - runtime.now()));
  }

  #wake(milliseconds: number): void {
    this.#timer = this.#parts.runtime.after(Math.min(milliseconds, LONGEST_TIMER_MS), () => {
      this.#timer = undefined;
      this.#removing = this.#remove().finally(() => {
        this.#removing = undefined;
        if (!this.#timer) this.#schedule();
      });
    });
  }

  async #remove(): Promise<void> {
    try {
      for (let batch = this.#expired(); batch.length > 0; batch = this.#expired()) {
        await Promise.all(Array.from({ length: AT_ONCE }, () => this.#removeEach(batch)));
      }
    } catch (error) {
      if (this.#isClosed) return;
      this.#parts.onError('', error);
      this.#wake(RETRY_MS);
    }
  }

  async #removeEach(batch: [string, LastWrite][]): Promise<void> {
    for (let next = batch.pop(); next; next = batch.pop()) {
      const [key, { revision }] = next;
      await this.#parts.registry.expire({ key, revision }, this.#parts.term);
      // It is gone, or another version is on its way here.
      if (this.#writes.get(key)?.revision === revision) this.#writes.delete(key);
    }
  }

  /** Some of those whose time is over, the newest first. */
  #expired(): [string, LastWrite][] {
    const before = this.#parts.runtime.now() - this.#parts.ttlMs;
    const expired: [string, LastWrite][] = [];
    if (this.#isClosed) return expired;
    for (const entry of this.#writes) {
      if (entry[1].time > before || expired.length === BATCH) break;
      expired.push(entry);
    }
    return expired.reverse();
  }
}

/** Has events go when their time is over. This is how they are stored rather than something done with them: it always runs. */
export const startEventExpiry: StartController = (parts) => {
  const { objects, registry, catalogue, runtime, term, eventTtlMs, onError } = parts;
  const type = catalogue.kind({ group: '', plural: 'events' })?.storage;
  if (!type || eventTtlMs === 0) return { async close() {} };
  const after = objects.revision;
  const present = objects.versionsIn(type).sort((one, other) => one.revision - other.revision);
  const expiry = new EventExpiry(
    { registry, runtime, term, ttlMs: eventTtlMs, onError: (key, error) => onError('event-expiry', key, error) },
    present,
  );
  const subscription = objects.subscribe(type, { after }, { onVersions: (versions) => expiry.take(versions) });
  return {
    async close() {
      subscription.close();
      await expiry.close();
    },
  };
};
