import { valueBytes } from '../../bounds/bounded-cache.ts';
import { type Cache, registerCache } from '../../bounds/caches.ts';
import type { VirtualResource } from '../../handlers/actions/virtual-resource.ts';
import type { Reply } from '../../http/message.ts';
import {
  REMEMBERED_FOR,
  type RememberedFor,
  RememberedRequest,
  type RequestStatus,
} from '../../kinds/explain/request.ts';
import { sendingMs } from '../../observe/logging/slow-requests.ts';
import type { RequestContext } from '../../request/context.ts';
import { isLongRunning } from '../../request/long-running.ts';
import type { Observer } from '../../request/pipeline.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import { requestObject, storyOf } from './story.ts';

/** Of those that are remembered for the same reason. */
const MOST_ENTRIES = 128;
const MOST_BYTES = 128 << 10;
const ENTRY_BYTES = 96;

interface Entry {
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly arrived: number;
  readonly status: RequestStatus;
  readonly bytes: number;
}

/** The last requests that are remembered for one reason. */
class Shelf {
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  values(): Iterable<Entry> {
    return this.#entries.values();
  }

  get(name: string): Entry | undefined {
    return this.#entries.get(name);
  }

  add(entry: Entry): void {
    this.#entries.set(entry.name, entry);
    this.#bytes += entry.bytes;
    for (const [name, { bytes }] of this.#entries) {
      if (this.#entries.size <= MOST_ENTRIES && this.#bytes <= MOST_BYTES) return;
      this.#entries.delete(name);
      this.#bytes -= bytes;
    }
  }
}

export interface RememberedRequestsOptions {
  readonly runtime: Runtime;
  readonly group: string;
  /** From how many milliseconds on a request is slow; 0 for never. */
  readonly slowMs: number;
}

/**
 * Requests that were slow, had to wait or were turned away, the last ones of each sort: many of one sort push out none of
 * another. Others cost a look at the clock.
 */
export class RememberedRequests implements Cache, VirtualResource<RememberedRequest> {
  readonly name = 'remembered requests';
  readonly plural = 'requests';
  readonly group: string;
  readonly #runtime: Runtime;
  readonly #slowMs: number;
  readonly #shelves = new Map<RememberedFor, Shelf>(REMEMBERED_FOR.map((reason) => [reason, new Shelf()]));

  constructor({ runtime, group, slowMs }: RememberedRequestsOptions) {
    this.group = group;
    this.#runtime = runtime;
    this.#slowMs = slowMs === 0 ? Number.POSITIVE_INFINITY : slowMs;
    registerCache(this);
  }

  get bytes(): number {
    return this.#sum(({ bytes }) => bytes);
  }

  get entries(): number {
    return this.#sum(({ size }) => size);
  }

  /** They stay until others take their place: whoever looks for one comes late. */
  age(): void {}

  /** Sees how requests end, before `observer` does. */
  observed(observer: Observer): Observer {
    return {
      ...observer,
      ended: (context, reply) => {
        this.#ended(context, reply);
        return observer.ended(context, reply);
      },
    };
  }

  #ended(context: RequestContext, reply: Reply): void {
    const now = this.#runtime.monotonic();
    const isSlow = now - context.received - sendingMs(context) >= this.#slowMs && !isLongRunning(context.info);
    const isRefused = reply.status === 429 && !context.isAdmitted;
    const isOver = reply.status === 504 && context.deadline !== undefined && context.deadline.left <= 0;
    if (!isSlow && !isRefused && !isOver && !context.wait) return;
    const reasons: RememberedFor[] = [];
    if (isOver) reasons.push('OutOfTime');
    if (isRefused) reasons.push('TurnedAway');
    if (isSlow) reasons.push('Slow');
    if (context.wait && !isRefused) reasons.push('Waited');
    const [first] = reasons;
    if (first) this.#remember(first, context, storyOf({ context, reply, answered: now, reasons }), now);
  }

  async objects(): Promise<readonly RememberedRequest[]> {
    const entries = [...this.#shelves.values()].flatMap((shelf) => [...shelf.values()]);
    return entries.toSorted((a, b) => a.arrived - b.arrived).map((entry) => this.#objectOf(entry));
  }

  async find(name: string): Promise<RememberedRequest | undefined> {
    for (const shelf of this.#shelves.values()) {
      const entry = shelf.get(name);
      if (entry) return this.#objectOf(entry);
    }
    return undefined;
  }

  #remember(reason: RememberedFor, context: RequestContext, status: RequestStatus, now: number): void {
    // An id that the client chose may be one of another request.
    const isChosen = context.request.headers['audit-id'] === context.auditId;
    const name = isChosen ? this.#runtime.uuid() : status.auditID;
    const arrived = this.#runtime.now() - (now - context.received);
    this.#shelves.get(reason)?.add({ name, arrived, status, bytes: ENTRY_BYTES + valueBytes(status) });
  }

  #objectOf({ name, arrived, status }: Entry): RememberedRequest {
    return canonicalise(RememberedRequest, requestObject(this.group, name, arrived, status)).value;
  }

  #sum(figure: (shelf: Shelf) => number): number {
    return [...this.#shelves.values()].reduce((sum, shelf) => sum + figure(shelf), 0);
  }
}
