import { MASTERS_GROUP, type UserInfo } from '../api/user.ts';
import type { RequestContext } from '../request/context.ts';
import { isLongRunning } from '../request/long-running.ts';
import { overloaded, type RequestLimiter, type Seat } from './limiter.ts';
import type { MemoryCheck } from './memory-check.ts';

/** Verbs of requests that change nothing. */
const READING: ReadonlySet<string> = new Set(['get', 'list', 'watch', 'head', 'options']);

export interface InFlightLimits {
  /** Requests that change nothing at once; 0 for no limit. */
  readonly reading: number;
  /** As `reading`, for all others. */
  readonly changing: number;
  onDropped(kind: 'readOnly' | 'mutating'): void;
  readonly memory: MemoryCheck;
}

/** A number of places, all alike. */
class Places implements Seat {
  readonly #limit: number;
  #taken = 0;

  constructor(limit: number) {
    this.#limit = limit === 0 ? Number.POSITIVE_INFINITY : limit;
  }

  take(): boolean {
    if (this.#taken >= this.#limit) return false;
    this.#taken++;
    return true;
  }

  leave(): void {
    this.#taken--;
  }
}

/**
 * Two fixed numbers of places, and nobody waits. Masters are let in even when all are taken, so that someone can see to
 * a server that is overloaded.
 */
export class InFlightLimiter implements RequestLimiter {
  readonly #limits: InFlightLimits;
  readonly #reading: Places;
  readonly #changing: Places;

  constructor(limits: InFlightLimits) {
    this.#limits = limits;
    this.#reading = new Places(limits.reading);
    this.#changing = new Places(limits.changing);
  }

  check({ info }: RequestContext, { groups }: UserInfo): void {
    const { memory } = this.#limits;
    if (memory.isShort) memory.demand(info, groups.includes(MASTERS_GROUP) ? 'exempt' : 'low', info.verb === 'list');
  }

  enter({ info }: RequestContext, { groups }: UserInfo): Seat | undefined {
    if (isLongRunning(info)) return undefined;
    const isReading = READING.has(info.verb);
    const places = isReading ? this.#reading : this.#changing;
    if (places.take()) return places;
    if (groups.includes(MASTERS_GROUP)) return undefined;
    this.#limits.onDropped(isReading ? 'readOnly' : 'mutating');
    throw overloaded();
  }
}
