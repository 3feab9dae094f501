import type { ResourceQuota } from '../../kinds/core/namespace/resource-quota.ts';
import { excess, NOTHING, sum, type Usage, usageOf } from './usage.ts';

/** How long a write can take from being charged to being stored; storage gives up well before. */
export const LONGEST_WRITE_MS = 15_000;

interface Raise {
  readonly revision: string;
  readonly at: number;
  readonly added: Usage;
}

/**
 * What others have lately charged to one quota. Their writes may still be on their way, so that it is in use although
 * nothing stored shows it.
 */
export class Raises {
  #last = NOTHING;
  #recent: Raise[] = [];

  /** A new version of the quota. */
  note({ metadata, status }: ResourceQuota, now: number): void {
    const used = usageOf(status.used);
    const added = excess(used, this.#last);
    this.#last = used;
    if (added.size > 0) this.#recent.push({ revision: metadata.resourceVersion ?? '', at: now, added });
  }

  /** This version was of our own making: what we charged is known exactly. */
  own(revision: string): void {
    this.#recent = this.#recent.filter((raise) => raise.revision !== revision);
  }

  sum(now: number): Usage {
    this.#recent = this.#recent.filter(({ at }) => now - at < LONGEST_WRITE_MS);
    return this.#recent.reduce((total, { added }) => sum(total, added), NOTHING);
  }
}
