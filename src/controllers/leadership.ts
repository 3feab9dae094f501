import { SERVER_USER } from '../api/user.ts';
import type { Lease } from '../kinds/coordination/lease.ts';
import type { Registry } from '../registry/registry.ts';
import type { ObjectRef } from '../registry/write.ts';
import { Deadline } from '../runtime/deadline.ts';
import type { Timer } from '../runtime/runtime.ts';
import { formatMicroTime } from '../schema/time.ts';
import { type Controller, type ControllerParts, type StartController, servedType } from './controller.ts';

const OPTIONS = { user: SERVER_USER };
/** Others take over when they have seen no sign of the leader for so long, by their own clocks. */
const LEASE_MS = 10_000;
/** A leader that cannot renew has given up before that: so long after it began to renew for the last time. */
const TERM_MS = 7_000;
/** How often a leader renews, and others look whether it is their turn. */
const PERIOD_MS = 2_000;

export interface Candidacy {
  /** Of the Lease, in the system namespace: candidates for the same one stand by for each other. */
  readonly name: string;
  /** Of one life of one server. */
  readonly identity: string;
}

/** Another leads. */
class Held extends Error {}

/** The last sign of a leader. */
interface Sign {
  readonly text: string;
  /** When it was seen, on this server's clock that only goes forward: clocks of others are not relied on. */
  readonly at: number;
}

/**
 * Runs control loops on one of the servers over a store, and on another when that one is gone: within a moment when it was
 * closed, within 12 seconds when it died. Loops are begun when leadership is gained and closed when it is lost. A loop
 * that has not noticed yet cannot begin a write any more (`ControllerParts.term`), also after its process was stopped for
 * a while; one that was handed to the store before still compares with the version it was made for.
 */
export class Leadership implements Controller {
  readonly #parts: ControllerParts;
  /** Leadership is not left to webhooks. */
  readonly #registry: Registry;
  readonly #identity: string;
  readonly #loops: readonly StartController[];
  readonly #ref: ObjectRef;
  readonly #subscription: { close(): void };
  #sign: Sign | undefined;
  #term: Deadline | undefined;
  #running: readonly Controller[] = [];
  #timer: Timer | undefined;
  #expiry: Timer | undefined;
  #looking: Promise<void> | undefined;
  #closed = false;

  constructor(parts: ControllerParts, { name, identity }: Candidacy, loops: readonly StartController[]) {
    const { coordination } = parts.vocabulary.groups;
    this.#parts = parts;
    this.#registry = parts.registry.pastAdmission;
    this.#identity = identity;
    this.#loops = loops;
    const namespace = parts.vocabulary.namespaces.system;
    this.#ref = { type: servedType(parts, coordination, 'leases'), namespace, name, subresource: '' };
    const isOurs = ({ metadata }: Lease): boolean => metadata.namespace === namespace && metadata.name === name;
    this.#subscription = parts.informer.follow(
      { group: coordination, plural: 'leases', name },
      {
        onSet: (lease: Lease) => {
          if (isOurs(lease) && !this.#isHeld(lease)) this.#look();
        },
        onRemove: (lease: Lease) => {
          if (isOurs(lease)) this.#look();
        },
      },
    );
    this.#look();
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
      if (!this.#closed) this.#timer = this.#parts.runtime.after(PERIOD_MS, () => this.#look());
    });
  }

  async #takeOrRenew(): Promise<void> {
    const begun = this.#parts.runtime.monotonic();
    try {
      await this.#registry.update(this.#ref, (current) => this.#claim(current as Lease | undefined), OPTIONS);
      await this.#lead(begun + TERM_MS);
    } catch (error) {
      if (!(error instanceof Held)) this.#report(error);
      else await this.#stop();
    }
  }

  /** What the Lease becomes; throws where another holds it. */
  #claim(current: Lease | undefined): object {
    if (current && this.#isHeld(current) && current.spec.holderIdentity !== this.#identity) throw new Held();
    const { namespace, name } = this.#ref;
    const now = formatMicroTime(this.#parts.runtime.now());
    const { holderIdentity, acquireTime, leaseTransitions = 0 } = current?.spec ?? {};
    const isOwn = holderIdentity === this.#identity;
    return {
      metadata: { namespace, name, resourceVersion: current?.metadata.resourceVersion },
      spec: {
        holderIdentity: this.#identity,
        leaseDurationSeconds: LEASE_MS / 1000,
        acquireTime: isOwn ? acquireTime : now,
        renewTime: now,
        leaseTransitions: isOwn || current === undefined ? leaseTransitions : leaseTransitions + 1,
      },
    };
  }

  /** Whether there is a leader that may still count on it. Every change of the Lease is a sign of one. */
  #isHeld({ metadata, spec }: Lease): boolean {
    if ((spec.holderIdentity ?? '') === '') return false;
    const now = this.#parts.runtime.monotonic();
    const text = `${metadata.uid} ${metadata.resourceVersion}`;
    if (this.#sign?.text !== text) this.#sign = { text, at: now };
    return now - this.#sign.at < LEASE_MS;
  }

  async #lead(until: number): Promise<void> {
    const { runtime } = this.#parts;
    if (this.#term?.extend(until) !== true) {
      await this.#stop();
      const term = new Deadline(until, runtime);
      // It took too long: nobody waits for others to have noticed.
      if (this.#closed || term.left <= 0) return;
      this.#term = term;
      this.#running = this.#loops.map((start) => start({ ...this.#parts, term }));
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
    await this.#registry.update(
      this.#ref,
      (current) => {
        const lease = current as Lease | undefined;
        if (lease?.spec.holderIdentity !== this.#identity) throw new Held();
        return { ...lease, spec: { ...lease.spec, holderIdentity: '' } };
      },
      OPTIONS,
    );
  }

  #report(error: unknown): void {
    if (!(error instanceof Held)) this.#parts.onError('leadership', this.#ref.name, error);
  }
}
