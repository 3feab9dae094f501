import { Deadline } from '../../runtime/deadline.ts';
import type { Runtime, Timer } from '../../runtime/runtime.ts';
import { formatMicroTime } from '../../schema/time.ts';
import type { Controller } from '../controlling/reconciler.ts';
import { checkLeaseTimes, type LeaseObject, type LeaseStore, type LeaseTimes } from './lease.ts';

const SHORT_TIMES: LeaseTimes = { leaseMs: 10_000, termMs: 7_000, periodMs: 2_000 };

export interface LeadershipParts {
  readonly lease: LeaseStore;
  /** Of one life of one process. */
  readonly identity: string;
  readonly runtime: Runtime;
  readonly times?: LeaseTimes;
  /** Called when another holds the Lease than before, also when it is this one; '' when nobody does. */
  onHolder?(identity: string): void;
  onError(error: unknown): void;
  /** Called when leadership is gained. What it begins sends nothing once the term is over, and is closed when it is lost. */
  begin(term: Deadline): readonly Controller[];
}

/** Another leads. */
class Held extends Error {}

/** The last sign of a leader. */
interface Sign {
  readonly text: string;
  /** When it was seen, on this process's clock that only goes forward: clocks of others are not relied on. */
  readonly at: number;
}

/**
 * Runs control loops in one of several processes, and in another when that one is gone: within a moment when it was
 * closed, within 12 seconds when it died. Loops are begun when leadership is gained and closed when it is lost. A loop
 * that has not noticed yet cannot begin a write any more (`term`), also after its process was stopped for a while; one
 * that was handed to the store before still compares with the version it was made for.
 */
export class Leadership implements Controller {
  readonly #parts: LeadershipParts;
  readonly #times: LeaseTimes;
  readonly #subscription: { close(): void };
  #sign: Sign | undefined;
  #holder = '';
  #term: Deadline | undefined;
  #running: readonly Controller[] = [];
  #timer: Timer | undefined;
  #expiry: Timer | undefined;
  #looking: Promise<void> | undefined;
  #closed = false;

  constructor(parts: LeadershipParts) {
    this.#parts = parts;
    this.#times = parts.times ?? SHORT_TIMES;
    checkLeaseTimes(this.#times);
    this.#subscription = parts.lease.follow((lease) => {
      if (!lease || !this.#isHeld(lease)) this.#look();
    });
    this.#look();
  }

  /** Who held the Lease when it was last looked at; '' when nobody did. */
  get holder(): string {
    return this.#holder;
  }

  get isLeading(): boolean {
    return this.#term !== undefined && this.#term.left > 0;
  }

  /** Ends the loops, and lets another begin with them. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#subscription.close();
    this.#timer?.cancel();
    await this.#looking;
    const led = this.isLeading;
    await this.#stop();
    if (led) await this.#release().catch((error: unknown) => this.#report(error));
  }

  /** One look at a time; the next one comes by itself. */
  #look(): void {
    if (this.#closed || this.#looking !== undefined) return;
    this.#timer?.cancel();
    this.#looking = this.#takeOrRenew().finally(() => {
      this.#looking = undefined;
      if (!this.#closed) this.#timer = this.#parts.runtime.after(this.#times.periodMs, () => this.#look());
    });
  }

  async #takeOrRenew(): Promise<void> {
    const begun = this.#parts.runtime.monotonic();
    try {
      await this.#updateInTime();
      await this.#lead(begun + this.#times.termMs);
    } catch (error) {
      if (!(error instanceof Held)) this.#report(error);
      else await this.#stop();
    }
  }

  /** What takes longer than a term is of no use, and claims nothing later. */
  async #updateInTime(): Promise<void> {
    const { lease, runtime } = this.#parts;
    let isLate = false;
    const updating = lease.update((current) => {
      if (isLate) throw new Held();
      return this.#claim(current);
    });
    await new Promise<void>((resolve, reject) => {
      const timer = runtime.after(this.#times.termMs, () => {
        isLate = true;
        reject(new Error(`the Lease ${lease.namespace}/${lease.name} could not be renewed in time`));
      });
      updating.then(resolve, reject).finally(() => timer.cancel());
    });
  }

  /** What the Lease becomes; throws where another holds it. */
  #claim(current: LeaseObject | undefined): object {
    const { identity, lease, runtime } = this.#parts;
    this.#see(current);
    if (current && this.#isHeld(current) && current.spec.holderIdentity !== identity) throw new Held();
    const { namespace, name } = lease;
    const now = formatMicroTime(runtime.now());
    const { holderIdentity, acquireTime, leaseTransitions = 0 } = current?.spec ?? {};
    const isOwn = holderIdentity === identity;
    return {
      metadata: { namespace, name, resourceVersion: current?.metadata.resourceVersion },
      spec: {
        holderIdentity: identity,
        leaseDurationSeconds: Math.ceil(this.#times.leaseMs / 1000),
        acquireTime: isOwn ? acquireTime : now,
        renewTime: now,
        leaseTransitions: isOwn || current === undefined ? leaseTransitions : leaseTransitions + 1,
      },
    };
  }

  #see(lease: LeaseObject | undefined): void {
    const holder = lease?.spec.holderIdentity ?? '';
    if (holder === this.#holder) return;
    this.#holder = holder;
    this.#parts.onHolder?.(holder);
  }

  /** Whether there is a leader that may still count on it. Every change of the Lease is a sign of one. */
  #isHeld({ metadata, spec }: LeaseObject): boolean {
    if ((spec.holderIdentity ?? '') === '') return false;
    const now = this.#parts.runtime.monotonic();
    const text = `${metadata.uid} ${metadata.resourceVersion}`;
    if (this.#sign?.text !== text) this.#sign = { text, at: now };
    // A leader may count on what it says, also where candidates are not configured alike.
    return now - this.#sign.at < Math.max(this.#times.leaseMs, (spec.leaseDurationSeconds ?? 0) * 1000);
  }

  async #lead(until: number): Promise<void> {
    const { runtime, identity } = this.#parts;
    if (this.#holder !== identity) this.#see({ metadata: {}, spec: { holderIdentity: identity } });
    if (this.#term?.extend(until) !== true) {
      await this.#stop();
      const term = new Deadline(until, runtime);
      // It took too long: nobody waits for others to have noticed.
      if (this.#closed || term.left <= 0) return;
      this.#term = term;
      this.#running = this.#parts.begin(term);
    }
    this.#expiry?.cancel();
    this.#expiry = runtime.after(Math.max(0, until - runtime.monotonic()), () => void this.#stop());
  }

  async #stop(): Promise<void> {
    this.#expiry?.cancel();
    this.#term?.end();
    this.#term = undefined;
    const running = this.#running;
    this.#running = [];
    await Promise.all(running.map((controller) => controller.close()));
  }

  async #release(): Promise<void> {
    await this.#parts.lease.update((current) => {
      if (current?.spec.holderIdentity !== this.#parts.identity) throw new Held();
      return { ...current, spec: { ...current.spec, holderIdentity: '' } };
    });
  }

  #report(error: unknown): void {
    if (!(error instanceof Held)) this.#parts.onError(error);
  }
}
