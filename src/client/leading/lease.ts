/** A Lease, as far as it says who leads. */
export interface LeaseObject {
  readonly metadata: { readonly uid?: string; readonly resourceVersion?: string };
  readonly spec: {
    /** Empty when nobody holds it. */
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    /** How many times it went from one holder to another. */
    readonly leaseTransitions?: number;
  };
}

/** The Lease that candidates stand for, wherever it is kept. */
export interface LeaseStore {
  readonly name: string;
  readonly namespace: string;
  /**
   * Stores what `change` makes of the Lease as it is, undefined when there is none. Unless another was faster: then it is
   * called again. What it throws is thrown, and nothing stored.
   */
  update(change: (current: LeaseObject | undefined) => object): Promise<void>;
  /** Tells of changes where that can be done: candidates look now and then in any case. */
  follow(onChange: (lease: LeaseObject | undefined) => void): { close(): void };
}

/** How long leading lasts. */
export interface LeaseTimes {
  /** Lease duration: others take over when they have seen no sign of the leader for so long, by their own clocks. */
  readonly leaseMs: number;
  /** Renew deadline: a leader that cannot renew has given up so long after it began to renew for the last time. */
  readonly termMs: number;
  /** Retry period: how often a leader renews, and others look whether it is their turn. */
  readonly periodMs: number;
}

/** Throws where two could lead at once, or a leader would give up between two renewals. */
export function checkLeaseTimes({ leaseMs, termMs, periodMs }: LeaseTimes): void {
  if (!(leaseMs > termMs)) throw new Error('the lease duration must be above the renew deadline');
  if (!(termMs > periodMs)) throw new Error('the renew deadline must be above the retry period');
  if (!(periodMs > 0)) throw new Error('the retry period must be above zero');
}
