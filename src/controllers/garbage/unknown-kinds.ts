import type { OwnerReference } from '../../meta/object-meta.ts';
import type { KnownKinds, LoopQueue } from '../loop.ts';

/** Dependents of owners whose kind is not served: nothing is known of such owners, until the kind comes. */
export class UnknownKinds {
  readonly #kinds: KnownKinds;
  readonly #queue: LoopQueue;
  readonly #following: { close(): void };
  /** Keys of dependents by the kind. */
  readonly #waiting = new Map<string, { readonly owner: OwnerReference; readonly keys: Set<string> }>();

  constructor(kinds: KnownKinds, queue: LoopQueue) {
    this.#kinds = kinds;
    this.#queue = queue;
    this.#following = kinds.follow(() => this.#look());
  }

  /** Adds the key when the kind of the owner is served. */
  await(owner: OwnerReference, key: string): void {
    const kind = `${owner.apiVersion}/${owner.kind}`;
    const waiting = this.#waiting.get(kind) ?? { owner, keys: new Set() };
    this.#waiting.set(kind, waiting);
    waiting.keys.add(key);
    // It may have come while others were asked.
    this.#look();
  }

  close(): void {
    this.#following.close();
  }

  #look(): void {
    for (const [kind, { owner, keys }] of this.#waiting) {
      if (!this.#kinds.named(owner.apiVersion, owner.kind)) continue;
      this.#waiting.delete(kind);
      for (const key of keys) this.#queue.add(key);
    }
  }
}
