import { type ApiError, tooManyRequests } from '../api/errors.ts';
import type { Runtime, Timer } from '../runtime/runtime.ts';
import type { BodyAccount } from './message.ts';

export interface BodyBudgetOptions {
  /** Bytes of bodies that may be under way together. */
  readonly capacity: number;
  readonly runtime: Runtime;
}

/** The part of the budget that one user can have. */
const MOST_OF_ONE = 1 / 2;
/** How far those who see to the server may go beyond the capacity. */
const ALLOWANCE = 1.25;
/** How long a body waits for room. */
const PATIENCE_MS = 5_000;
/** How many may wait. A client that waits may have sent as much as a window of its connection holds. */
const MOST_WAITING = 256;
const RETRY_AFTER_SECONDS = 1;

interface Waiting {
  readonly body: BodyShare;
  /** How much it wants in addition to what it has. */
  readonly bytes: number;
  readonly timer: Timer;
  resolve(): void;
  reject(error: ApiError): void;
}

/**
 * The bytes of request bodies under way, from their first byte until their request is answered. What finds no room waits
 * for a while, in order, those that have begun first; then it is refused with 429.
 */
export class BodyBudget {
  readonly capacity: number;
  /** How many bodies were refused so far. */
  refused = 0;
  readonly #runtime: Runtime;
  readonly #begun = new Set<Waiting>();
  readonly #new = new Set<Waiting>();
  /** Of those who have any. */
  readonly #ofOwners = new Map<string, number>();
  #used = 0;

  constructor({ capacity, runtime }: BodyBudgetOptions) {
    this.capacity = capacity;
    this.#runtime = runtime;
  }

  get used(): number {
    return this.#used;
  }

  get waiting(): number {
    return this.#begun.size + this.#new.size;
  }

  /** The share of one body. `isPrivileged`: there is a little more room for it than for others. Whoever opens it releases it. */
  open(owner: string, isPrivileged: boolean): BodyShare {
    return new BodyShare(this, owner, isPrivileged);
  }

  /** For shares: takes so much more, at once where it can. Rejects with 429. */
  take(body: BodyShare, bytes: number): Promise<void> | undefined {
    if (this.#fits(body, bytes) && (this.waiting === 0 || body.isPrivileged)) {
      this.#add(body, bytes);
      return undefined;
    }
    if (this.waiting >= MOST_WAITING) throw this.#refusal();
    return new Promise((resolve, reject) => {
      const line = body.bytes > 0 ? this.#begun : this.#new;
      const timer = this.#runtime.after(PATIENCE_MS, () => {
        line.delete(waiting);
        reject(this.#refusal());
      });
      const waiting: Waiting = { body, bytes, timer, resolve, reject };
      line.add(waiting);
      this.#admit();
    });
  }

  /** For shares: gives all of it back. One that waits for more waits in vain. */
  giveBack(body: BodyShare): void {
    this.#add(body, -body.bytes);
    for (const line of [this.#begun, this.#new]) for (const one of line) if (one.body === body) this.#drop(line, one);
    if (this.waiting > 0) this.#admit();
  }

  #fits({ owner, isPrivileged }: BodyShare, bytes: number): boolean {
    if (isPrivileged) return this.#used + bytes <= this.capacity * ALLOWANCE;
    const most = this.capacity * MOST_OF_ONE;
    return this.#used + bytes <= this.capacity && (this.#ofOwners.get(owner) ?? 0) + bytes <= most;
  }

  #add(body: BodyShare, bytes: number): void {
    const ofOwner = (this.#ofOwners.get(body.owner) ?? 0) + bytes;
    if (ofOwner > 0) this.#ofOwners.set(body.owner, ofOwner);
    else this.#ofOwners.delete(body.owner);
    this.#used += bytes;
    body.bytes += bytes;
  }

  /** In order; but whoever has all that one user can have does not hold up others. */
  #admit(): void {
    for (const line of [this.#begun, this.#new]) {
      for (const one of line) {
        if (this.#used + one.bytes > this.capacity * ALLOWANCE) return;
        if (!this.#fits(one.body, one.bytes)) continue;
        line.delete(one);
        one.timer.cancel();
        this.#add(one.body, one.bytes);
        one.resolve();
      }
    }
  }

  #drop(line: Set<Waiting>, one: Waiting): void {
    line.delete(one);
    one.timer.cancel();
    one.reject(this.#refusal());
  }

  #refusal(): ApiError {
    this.refused++;
    return tooManyRequests('too many bytes in the bodies of requests, please try again later', RETRY_AFTER_SECONDS);
  }
}

/** What one body has of the budget. */
export class BodyShare implements BodyAccount {
  readonly owner: string;
  readonly isPrivileged: boolean;
  /** Changed by the budget alone. */
  bytes = 0;
  readonly #budget: BodyBudget;

  constructor(budget: BodyBudget, owner: string, isPrivileged: boolean) {
    this.#budget = budget;
    this.owner = owner;
    this.isPrivileged = isPrivileged;
  }

  reserve(total: number): Promise<void> | undefined {
    return total > this.bytes ? this.#budget.take(this, total - this.bytes) : undefined;
  }

  release(): void {
    this.#budget.giveBack(this);
  }
}
