import { ApiError, internalBecause } from '../../api/errors.ts';
import { SERVER_USER } from '../../api/user.ts';
import type { ResourceQuota, ResourceQuotaStatus } from '../../kinds/core/namespace/resource-quota.ts';
import type { Registry } from '../../registry/registry.ts';
import type { ResourceType } from '../../registry/resource-type.ts';
import { restEveryTurn } from '../../runtime/pacing.ts';
import type { Runtime, Timer } from '../../runtime/runtime.ts';
import { Balance } from './balance.ts';
import { type Claim, type Due, isUnmeasured, judge } from './judgement.ts';
import { lookThrough, type MeasureParts, measure } from './measure.ts';
import { LONGEST_WRITE_MS, PendingCharges } from './pending-charges.ts';
import { recount } from './recount.ts';
import { amountsOf, NOTHING, sum } from './usage.ts';

export const QUOTAS = { group: '', plural: 'resourcequotas' };

export interface AccountParts extends MeasureParts {
  readonly registry: Registry;
  readonly runtime: Runtime;
  onError(error: unknown): void;
}

/** A claim that waits to be charged. */
interface Waiting {
  readonly claim: Claim;
  /** The quotas it has been charged to so far. */
  readonly charged: Set<string>;
  resolve(): void;
  reject(error: unknown): void;
}

/** How long to try to charge a write when others are faster. */
const PATIENCE_MS = 10_000;
/** How soon a namespace may be counted again, and how many times as long as counting took. */
const SOONEST_RECOUNT_MS = 100;
const REST_FACTOR = 20;
const RETRY_MS = 1_000;
const MOST_TRIES = 100;

/** Another writer was faster, or the quota is gone. */
class Moved extends Error {}

/**
 * What is known of the quotas of one namespace beyond what they say: which writes of this server have been charged and
 * are on their way, what other servers have lately charged, and whether anything has changed since quotas were measured.
 *
 * Everything that changes quotas happens here, one thing after the other; those who wait are served together, with one
 * write for each quota. What is used only ever goes down by measuring it again, since that cannot be done twice.
 */
export class NamespaceAccount {
  readonly #parts: AccountParts;
  readonly #namespace: string;
  readonly #charges = new Map<string, PendingCharges>();
  readonly #holds = new Set<Claim>();
  #waiting: Waiting[] = [];
  #isStale = false;
  #isClosed = false;
  #recountAt = 0;
  #timer: Timer | undefined;
  #later: Timer | undefined;
  #working: Promise<void> | undefined;

  constructor(parts: AccountParts, namespace: string) {
    this.#parts = parts;
    this.#namespace = namespace;
  }

  /** Resolves when the claim has been charged to all quotas; it is held until `release`. Rejects with the refusal. */
  charge(claim: Claim): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ claim, charged: new Set(), resolve, reject });
      this.#work();
    });
  }

  /** The write is over; `failure` is undefined when it was stored. */
  release(claim: Claim, failure: unknown): void {
    // Nobody knows whether it was stored: it may yet appear.
    if (failure instanceof ApiError && failure.reason === 'Timeout') {
      this.#parts.runtime.after(LONGEST_WRITE_MS, () => this.#giveBack(claim));
    } else if (failure !== undefined) this.#giveBack(claim);
    else this.#holds.delete(claim);
  }

  #giveBack(claim: Claim): void {
    this.#holds.delete(claim);
    this.disturb();
  }

  get isIdle(): boolean {
    return this.#working === undefined && this.#waiting.length === 0 && this.#holds.size === 0;
  }

  /** Whether the object is being written and has been charged. */
  isHeld(type: ResourceType, name: string): boolean {
    for (const claim of this.#holds) if (claim.type === type && claim.name === name) return true;
    return false;
  }

  /** Something that is counted went or changed: quotas are measured again, soon, or when one would refuse a write. */
  disturb(): void {
    this.#isStale = true;
    this.#workWhenDue();
  }

  /** A new version of a quota of the namespace. */
  note(quota: ResourceQuota): void {
    this.#chargesTo(quota).note(quota, this.#parts.runtime.monotonic());
  }

  forget({ metadata: { name = '' } }: ResourceQuota): void {
    this.#charges.delete(name);
  }

  /** Nothing is measured of its own accord any more; waits for what is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#later?.cancel();
    await this.#working;
  }

  #chargesTo({ metadata: { name = '' } }: ResourceQuota): PendingCharges {
    const known = this.#charges.get(name) ?? new PendingCharges();
    this.#charges.set(name, known);
    return known;
  }

  get #isDue(): boolean {
    return this.#isStale && !this.#isClosed && this.#parts.runtime.monotonic() >= this.#recountAt;
  }

  #workWhenDue(): void {
    if (!this.#isStale || this.#isClosed) return;
    if (this.#isDue) this.#work();
    else this.#timer ??= this.#parts.runtime.after(this.#recountAt - this.#parts.runtime.monotonic(), this.#wake);
  }

  readonly #wake = (): void => {
    this.#timer = undefined;
    this.#workWhenDue();
  };

  #work(): void {
    this.#working ??= this.#workThrough();
  }

  async #workThrough(): Promise<void> {
    // Those who come at the same time are served together.
    await Promise.resolve();
    while (this.#isDue || this.#waiting.length > 0) {
      if (this.#isDue) await this.#recountAll().catch(this.#parts.onError);
      const batch = this.#waiting;
      this.#waiting = [];
      await this.#chargeAll(batch);
    }
    this.#working = undefined;
    if (this.#isStale) this.#workWhenDue();
  }

  get #quotas(): ResourceQuota[] {
    return this.#parts.objects.list<ResourceQuota>(QUOTAS, this.#namespace);
  }

  async #chargeAll(batch: readonly Waiting[]): Promise<void> {
    const deadline = this.#parts.runtime.monotonic() + PATIENCE_MS;
    let open = batch;
    if (batch.length > 0 && this.#isAnyUnmeasured(batch)) this.#isStale = true;
    try {
      while (open.length > 0) {
        open = await this.#chargeOnce(open);
        if (this.#parts.runtime.monotonic() > deadline) throw internalBecause('resource quota evaluation timed out');
      }
    } catch (error) {
      for (const waiting of open) this.#refuse(waiting, error);
    }
  }

  #isAnyUnmeasured(batch: readonly Waiting[]): boolean {
    const balances = this.#quotas.map((quota) => new Balance(quota));
    return batch.some(({ claim }) => balances.some((balance) => isUnmeasured(balance, claim.evaluator)));
  }

  /** Gives those that are to be tried again. */
  async #chargeOnce(open: readonly Waiting[]): Promise<readonly Waiting[]> {
    const balances = this.#quotas.map((quota) => new Balance(quota));
    const dues = new Map<Waiting, readonly Due[]>();
    const refused = new Map<Waiting, unknown>();
    for (const waiting of open) {
      try {
        dues.set(waiting, enter(waiting.claim, judge(waiting.claim, balances, waiting.charged)));
      } catch (error) {
        refused.set(waiting, error);
      }
    }
    if (refused.size > 0 && this.#isStale) {
      await this.#recountAll();
      return open;
    }
    for (const [waiting, error] of refused) this.#refuse(waiting, error);
    const stored = new Set<Balance>();
    for (const balance of balances) if (await this.#store(balance)) stored.add(balance);
    return [...dues].flatMap(([waiting, due]) => (this.#settle(waiting, due, stored) ? [] : waiting));
  }

  /** False when a quota could not be charged, because another writer was faster. */
  #settle({ claim, charged, resolve }: Waiting, dues: readonly Due[], stored: ReadonlySet<Balance>): boolean {
    for (const { balance } of dues) if (stored.has(balance)) charged.add(balance.name);
    if (!dues.every(({ balance }) => stored.has(balance))) return false;
    if (!claim.dryRun) this.#holds.add(claim);
    resolve();
    return true;
  }

  /** What it was charged before another quota refused it is found by measuring. */
  #refuse({ charged, reject }: Waiting, error: unknown): void {
    if (charged.size > 0) this.#isStale = true;
    reject(error);
  }

  async #store({ quota, used, before }: Balance): Promise<boolean> {
    return used === before || this.#write(quota, { ...quota.status, used: amountsOf(used) });
  }

  async #recountAll(): Promise<void> {
    const { runtime } = this.#parts;
    this.#isStale = false;
    let spent = 0;
    try {
      for (const quota of this.#quotas) {
        await lookThrough(this.#parts, quota, restEveryTurn(runtime));
        spent += await this.#recountOne(quota.metadata.name ?? '');
      }
      this.#recountAt = runtime.monotonic() + Math.max(SOONEST_RECOUNT_MS, REST_FACTOR * spent);
    } catch (error) {
      this.#isStale = true;
      this.#recountAt = runtime.monotonic() + RETRY_MS;
      throw error;
    }
  }

  /** Gives the milliseconds that measuring took. */
  async #recountOne(name: string): Promise<number> {
    const { objects, runtime } = this.#parts;
    let spent = 0;
    for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
      const quota = objects.get<ResourceQuota>(QUOTAS, this.#namespace, name);
      if (!quota) return spent;
      const began = runtime.monotonic();
      const measured = measure(this.#parts, quota, this.#holds);
      const { status, isHigh } = recount(quota, measured, this.#charges.get(name)?.sum(began) ?? NOTHING);
      spent += runtime.monotonic() - began;
      if (isHigh) this.#lookAgain();
      if (!status || (await this.#write(quota, status))) return spent;
    }
    throw new Error(`other writers of the quota ${this.#namespace}/${name} were faster each time`);
  }

  /** Once others must be through with what they have charged. */
  #lookAgain(): void {
    this.#later?.cancel();
    this.#later = this.#parts.runtime.after(LONGEST_WRITE_MS, () => this.disturb());
  }

  /** Writes the status of that very version of the quota. False when there is another by now. */
  async #write(quota: ResourceQuota, status: ResourceQuotaStatus): Promise<boolean> {
    const { catalogue, registry } = this.#parts;
    const type = catalogue.preferred(QUOTAS.group, QUOTAS.plural);
    if (!type) return false;
    const { name = '', resourceVersion } = quota.metadata;
    try {
      const { version } = await registry.update(
        { type, namespace: this.#namespace, name, subresource: 'status' },
        (current) => {
          if (current?.metadata.resourceVersion !== resourceVersion) throw new Moved();
          return { ...current, status };
        },
        { user: SERVER_USER },
      );
      this.#charges.get(name)?.own(String(version?.revision));
      return true;
    } catch (error) {
      if (error instanceof Moved || (error instanceof ApiError && ['Conflict', 'NotFound'].includes(error.reason))) {
        return false;
      }
      throw error;
    }
  }
}

/** Counts the claim in, for those who are judged after it. */
function enter({ dryRun }: Claim, dues: readonly Due[]): readonly Due[] {
  if (dryRun) return [];
  for (const { balance, added } of dues) balance.used = sum(balance.used, added);
  return dues;
}
