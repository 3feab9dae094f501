import type { RequestFilter } from '../interception.ts';

/** How often a fault is dealt, from 0 (never) to 1 (always); or that with bounds of its own. */
export type Rate<Bounds = object> = number | ({ readonly probability: number } & FaultBounds & Bounds);

export interface FaultBounds {
  /** How many are dealt in all; without an end when absent. */
  readonly most?: number | undefined;
}

export interface LatencyBounds {
  /** Milliseconds on the clock of the plane. A manual clock has to be advanced for more than 100. */
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

export interface TooManyBounds {
  /** What the client is told to wait. */
  readonly retryAfterSeconds?: number | undefined;
}

export interface DisconnectBounds {
  /** Before anything is done, after it is done, or either; watches break in their middle. */
  readonly when?: 'before' | 'after' | 'either' | undefined;
}

export interface StaleReadBounds {
  /** How many versions of the plane a read lags behind at most. */
  readonly versions?: number | undefined;
  /** Also states that are older than what the client has been answered before, as by another server of the plane. */
  readonly olderThanSeen?: boolean | undefined;
}

/** What goes wrong, for whom. A filter that is absent means everybody but the control loops of the plane. */
export interface ChaosOptions extends RequestFilter {
  /** Decides everything. Without one it is drawn, or taken from the environment variable CHAOS_SEED. */
  readonly seed?: number | undefined;
  /** Requests wait. */
  readonly latency?: Rate<LatencyBounds> | undefined;
  /** Updates and patches are refused, as if somebody had been faster: 409. */
  readonly conflict?: Rate | undefined;
  /** Watches, and lists of a version or of a further page, are told that it is too old: 410. */
  readonly gone?: Rate | undefined;
  /** Refused before anything is done: 429 with Retry-After. */
  readonly tooMany?: Rate<TooManyBounds> | undefined;
  /** The connection breaks before the answer is complete. */
  readonly disconnect?: Rate<DisconnectBounds> | undefined;
  /** Reads that accept any version (`resourceVersion=0`) are answered with an older state. */
  readonly staleRead?: Rate<StaleReadBounds> | undefined;
  /** Writes that a webhook with failure policy Fail is asked about are refused, as if it did not answer: 500. */
  readonly webhookDown?: Rate | undefined;
  /** Called with what tells of the seed when the test fails: hand `onTestFailed` of the test runner over. */
  readonly onTestFailed?: ((tell: () => void) => void) | undefined;
}

export const FAULTS = ['latency', 'conflict', 'gone', 'tooMany', 'disconnect', 'staleRead', 'webhookDown'] as const;
/** What a plane can be made to deal out. */
export type Fault = (typeof FAULTS)[number];

/** The probabilities, with how many of each may still be dealt. */
export class FaultTable {
  readonly #left = new Map<Fault, number>();
  readonly #probability = new Map<Fault, number>();

  constructor(options: ChaosOptions) {
    for (const fault of FAULTS) {
      const rate = options[fault];
      if (rate === undefined) continue;
      const { probability, most = Number.POSITIVE_INFINITY } = typeof rate === 'number' ? { probability: rate } : rate;
      if (!(probability >= 0 && probability <= 1))
        throw new RangeError(`chaos: the probability of ${fault} must be from 0 to 1, not ${probability}`);
      if (!(most >= 0)) throw new RangeError(`chaos: the most of ${fault} must be 0 or more, not ${most}`);
      this.#probability.set(fault, probability);
      this.#left.set(fault, most);
    }
  }

  /** Whether a fault strikes for a number in [0, 1). It counts as dealt then. */
  strikes(fault: Fault, drawn: number): boolean {
    const left = this.#left.get(fault) ?? 0;
    if (left === 0 || drawn >= (this.#probability.get(fault) ?? 0)) return false;
    this.#left.set(fault, left - 1);
    return true;
  }
}

/** The bounds that were given with a fault. */
export const boundsOf = <Bounds extends object>(rate: Rate<Bounds> | undefined): Partial<Bounds> =>
  typeof rate === 'object' ? (rate as Partial<Bounds>) : {};
