import { sleep, systemRuntime } from '../../runtime/runtime.ts';
import { parseDuration } from '../../settings/units.ts';
import { seedsOf } from '../chaos/chaos.ts';
import type { RequestFilter } from '../interception.ts';
import { ManualClock } from '../manual-clock.ts';
import type { PlaneUnderTest } from '../plane-under-test.ts';
import { WriteLog, type Writing } from './write-log.ts';

/** Milliseconds, or as Go writes it: `90s`. */
type Duration = number | string;

/** What counts as settled. */
export interface SettlingOptions {
  /** So long nobody writes. One second unless told, on the clock of the plane. */
  readonly quiet?: Duration | undefined;
  /** Until when it has to be so. 30 seconds unless told. A manual clock is advanced as far as it takes. */
  readonly within?: Duration | undefined;
  /** Who writes one object more often than this runs in circles. 20 unless told. */
  readonly mostWrites?: number | undefined;
  /** Refusals that are no part of ordinary work fail the expectation: 400, 403, 422, 500 and the like. True unless told. */
  readonly noErrors?: boolean | undefined;
}

/** How it went until all was quiet. */
export interface Settlement {
  /** How many writes there were until it was quiet. */
  readonly writes: number;
  readonly writings: readonly Writing[];
}

/** The plane has not come to rest, or not as it should. */
export class NotSettled extends Error {
  override readonly name = 'NotSettled';
}

const QUIET_MS = 1_000;
const WITHIN_MS = 30_000;
const MOST_WRITES = 20;
/** How often it is looked at within the time that has to be quiet. */
const LOOKS = 10;
/** Clients reach a plane over connections, which take real time whatever the clock says. */
const REAL_PAUSE_MS = 5;
const MOST_TOLD = 3;

/** What is expected of all who write to a plane, or of those whom the filter means; its control loops are among them. */
export class PlaneExpectation {
  readonly #plane: PlaneUnderTest;
  readonly #filter: RequestFilter;

  constructor(plane: PlaneUnderTest, filter: RequestFilter = {}) {
    this.#plane = plane;
    this.#filter = filter;
  }

  /** Resolves when nobody has written for a while. Rejects with `NotSettled`, which names who goes on and what they write. */
  async toSettle(options: SettlingOptions = {}): Promise<Settlement> {
    const { mostWrites = MOST_WRITES, noErrors = true } = options;
    const quietMs = milliseconds(options.quiet ?? QUIET_MS);
    const withinMs = milliseconds(options.within ?? WITHIN_MS);
    const { runtime } = this.#plane;
    using log = new WriteLog(this.#plane, this.#filter);
    const end = runtime.monotonic() + Math.max(withinMs, quietMs);
    for (;;) {
      await this.#pass(quietMs / LOOKS);
      const [busiest] = log.writings;
      if (busiest && busiest.times > mostWrites) throw this.#failure(`a write storm: ${told(busiest)}`);
      if (noErrors && log.errors.length > 0) throw this.#failure(`errors while it settled:\n${log.errors.join('\n')}`);
      if (log.quietMs >= quietMs) return { writes: log.writes, writings: log.writings };
      if (runtime.monotonic() >= end)
        throw this.#failure(`not settled within ${withinMs} ms: ${toldAll(log.writings)}`);
    }
  }

  /** Nobody writes for so long: what has settled stays so. */
  async toStaySettled(duration: Duration = QUIET_MS): Promise<void> {
    const wanted = milliseconds(duration);
    const { runtime } = this.#plane;
    using log = new WriteLog(this.#plane, this.#filter);
    for (const end = runtime.monotonic() + wanted; runtime.monotonic() < end; ) {
      await this.#pass(wanted / LOOKS);
      if (log.writes > 0) throw this.#failure(`written after settling: ${toldAll(log.writings)}`);
    }
  }

  async #pass(ms: number): Promise<void> {
    const { runtime } = this.#plane;
    if (!(runtime instanceof ManualClock)) return sleep(runtime, ms);
    await this.#plane.advance(ms);
    await sleep(systemRuntime, REAL_PAUSE_MS);
  }

  #failure(why: string): NotSettled {
    const seeds = seedsOf(this.#plane);
    return new NotSettled(seeds === '' ? why : `${why} (${seeds})`);
  }
}

function milliseconds(duration: Duration): number {
  const parsed = typeof duration === 'number' ? duration : parseDuration(duration);
  if (parsed === undefined || !(parsed > 0)) throw new TypeError(`"${duration}" is no duration such as 90s or 1h30m`);
  return parsed;
}

const told = ({ author, object, times, field }: Writing): string =>
  `${author} wrote ${object} ${times} times, ${field === undefined ? 'and changed nothing' : `mostly ${field}`}`;

function toldAll(writings: readonly Writing[]): string {
  if (writings.length === 0) return 'a write is still under way';
  const more = writings.length - MOST_TOLD;
  return [...writings.slice(0, MOST_TOLD).map(told), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}
