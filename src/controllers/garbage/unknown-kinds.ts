import type { OwnerReference } from '../../meta/object-meta.ts';
import { inSteps, type Rest, type Steps } from '../../runtime/pacing.ts';
import type { KnownKinds, LoopQueue } from '../loop.ts';

/** So many kinds are looked at between two rests. */
const STEP_KINDS = 500;

/** Dependents of owners whose kind is not served: nothing is known of such owners, until the kind comes. */
export class UnknownKinds {
  readonly #kinds: KnownKinds;
  readonly #queue: LoopQueue;
  readonly #rest: Rest;
  readonly #following: { close(): void };
  /** Keys of dependents by the kind, and the kinds that each of them waits for: who is gone waits for none. */
  readonly #waiting = new Map<string, { readonly owner: OwnerReference; readonly keys: Set<string> }>();
  readonly #awaited = new Map<string, Set<string>>();

  /** Counts the changes of what is served. */
  #changes = 0;
  #isLooking = false;
  #isClosed = false;

  /** `rest`: clients can make up any number of kinds, and each change of what is served looks at all of them. */
  constructor(kinds: KnownKinds, queue: LoopQueue, rest: Rest) {
    this.#rest = rest;
    this.#kinds = kinds;
    this.#queue = queue;
    this.#following = kinds.follow(() => {
      this.#changes++;
      void this.#look();
    });
  }

  /** How many kinds are waited for. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Adds the key when the kind of the owner is served. */
  await(owner: OwnerReference, key: string): void {
    // It may have come while others were asked.
    if (this.#isServed(owner)) {
      this.#queue.add(key);
      return;
    }
    const kind = `${owner.apiVersion}/${owner.kind}`;
    const waiting = this.#waiting.get(kind) ?? { owner, keys: new Set() };
    this.#waiting.set(kind, waiting);
    waiting.keys.add(key);
    this.#awaited.set(key, (this.#awaited.get(key) ?? new Set()).add(kind));
  }

  /** The dependent is gone, or is looked at anew. */
  forget(key: string): void {
    for (const kind of this.#awaited.get(key) ?? []) {
      const keys = this.#waiting.get(kind)?.keys;
      keys?.delete(key);
      if (keys?.size === 0) this.#waiting.delete(kind);
    }
    this.#awaited.delete(key);
  }

  close(): void {
    this.#isClosed = true;
    this.#following.close();
  }

  /** All that changes while one look is under way makes one more. */
  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    for (let seen = -1; seen !== this.#changes && !this.#isClosed; ) {
      seen = this.#changes;
      const looking = inSteps(this.#lookAtAll(), this.#rest);
      if (looking) await looking;
    }
    this.#isLooking = false;
  }

  /** What is added meanwhile was asked for by itself. */
  *#lookAtAll(): Steps<void> {
    let looked = 0;
    for (const { owner, keys } of this.#waiting.values()) {
      if (++looked % STEP_KINDS === 0) yield;
      if (!this.#isServed(owner)) continue;
      for (const key of [...keys]) {
        this.forget(key);
        this.#queue.add(key);
      }
    }
  }

  #isServed({ apiVersion, kind }: OwnerReference): boolean {
    return this.#kinds.named(apiVersion, kind) !== undefined;
  }
}
