import type { ResourceQuota } from '../../kinds/core/namespace/resource-quota.ts';
import { excess, NOTHING, sum, type Usage, usageOf } from './usage.ts';

/** How long a write can take from being charged to being stored; storage gives up well before. */
export const LONGEST_WRITE_MS = 15_000;

interface Charge {
  /** Of the quota, once it was charged. */
  readonly revision: string;
  readonly at: number;
  readonly added: Usage;
}

/**
 * What others have lately charged to one quota. Their writes may still be on their way, so that it is in use although
 * nothing stored shows it.
 */
export class PendingCharges {
  #used = NOTHING;
  /** In the order in which they came. */
  #charges: Charge[] = [];

  /** A new version of the quota. */
  note({ metadata, status }: ResourceQuota, now: number): void {
    const used = usageOf(status.used);
    const added = excess(used, this.#used);
    this.#used = used;
    this.#forgetOld(now);
    if (added.size > 0) this.#charges.push({ revision: metadata.resourceVersion ?? '', at: now, added });
  }

  /** This version was of our own making: what we charged is known exactly. */
  own(revision: string): void {
    this.#charges = this.#charges.filter((charge) => charge.revision !== revision);
  }

  sum(now: number): Usage {
    this.#forgetOld(now);
    return this.#charges.reduce((total, { added }) => sum(total, added), NOTHING);
  }

  /** Those whose writes must be over by now. */
  #forgetOld(now: number): void {
    const kept = this.#charges.findIndex(({ at }) => now - at < LONGEST_WRITE_MS);
    this.#charges.splice(0, kept < 0 ? this.#charges.length : kept);
  }
}
