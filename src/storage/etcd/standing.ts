import type { Cluster } from './cluster.ts';
import type { Layout } from './layout.ts';

/** Where etcd stood at one moment. */
export interface Standing {
  /** Revision of the newest write of ours; 0: there is none. */
  readonly head: number;
  /** Revision of the newest write of anyone. All of ours up to it are at or below `head`. */
  readonly revision: number;
}

/**
 * Asks etcd where it stands, linearizably. One question at a time is on its way; all who ask meanwhile share the next,
 * so that a thousand readers cost as much as two.
 */
export class Inquiry {
  readonly #cluster: Cluster;
  readonly #layout: Layout;
  #last: Promise<unknown> = Promise.resolve();
  /** Not sent yet: whoever asks now may share it. */
  #next: Promise<Standing> | undefined;

  constructor(cluster: Cluster, layout: Layout) {
    this.#cluster = cluster;
    this.#layout = layout;
  }

  /** What is answered was so after the call began. Rejects with `StorageUnavailable`. */
  ask(): Promise<Standing> {
    if (this.#next !== undefined) return this.#next;
    const next = this.#last.then(() => {
      this.#next = undefined;
      return this.#send();
    });
    this.#next = next;
    this.#last = next.catch(() => undefined);
    return next;
  }

  async #send(): Promise<Standing> {
    const { entries, revision } = await this.#cluster.range({ key: this.#layout.head, keysOnly: true });
    return { head: entries[0]?.revision ?? 0, revision };
  }
}
