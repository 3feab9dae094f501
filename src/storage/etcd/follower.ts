import { type Runtime, sleep } from '../../runtime.ts';
import type { Cluster } from './cluster.ts';
import type { Layout } from './layout.ts';
import { decodeWatch, encodeWatch, type WatchEvent } from './messages.ts';

/** Why changes after the position cannot be told one by one: history is gone up to a revision, or someone meddled. */
export type Loss = { readonly compacted: number } | 'meddled';

export interface FollowerOptions {
  readonly cluster: Cluster;
  readonly layout: Layout;
  readonly runtime: Runtime;
  /** Up to which revision everything has been taken: a watch that begins anew begins after it. */
  position(): number;
  /** Changes of our keys in order, each once, those of one revision together. False: they cannot be made sense of. */
  onEvents(events: readonly WatchEvent[]): boolean;
  /** The watch begins anew when this has resolved. */
  onLoss(loss: Loss): Promise<void>;
  onError(error: unknown): void;
}

const PAUSE_MS = 100;
/** How often the same trouble is reported. */
const REPORT_MS = 10_000;

/** Keeps one watch of all our keys alive, whatever happens to connections and members. */
export class Follower {
  readonly #options: FollowerOptions;
  #closed = false;
  #end: (() => void) | undefined;
  #reported = Number.NEGATIVE_INFINITY;

  constructor(options: FollowerOptions) {
    this.#options = options;
    void this.#run();
  }

  close(): void {
    this.#closed = true;
    this.#end?.();
  }

  async #run(): Promise<void> {
    const { runtime } = this.#options;
    while (!this.#closed) {
      try {
        const loss = await this.#watch();
        if (loss !== undefined && !this.#closed) await this.#options.onLoss(loss);
      } catch (error) {
        if (!this.#closed) this.#report(error);
      }
      if (!this.#closed) await sleep(runtime, PAUSE_MS);
    }
  }

  /** One watch, from its beginning to its end. */
  async #watch(): Promise<Loss | undefined> {
    const { cluster, layout, position, onEvents } = this.#options;
    let loss: Loss | undefined;
    let defect: Error | undefined;
    const take = (message: Buffer): boolean => {
      const { canceled, compacted, events } = decodeWatch(message);
      if (compacted > 0) loss = { compacted };
      else if (events.length > 0 && !onEvents(events)) loss = 'meddled';
      return !canceled && loss === undefined;
    };
    const stream = await cluster.stream('/etcdserverpb.Watch/Watch', (message) => {
      try {
        if (!this.#closed && take(message)) return;
      } catch (error) {
        defect = new Error('a change could not be taken over', { cause: error });
      }
      stream.close();
    });
    this.#end = () => stream.close();
    if (this.#closed) stream.close();
    else stream.send(encodeWatch(layout.first, layout.end, position() + 1));
    await stream.ended;
    if (defect !== undefined) throw defect;
    return loss;
  }

  #report(error: unknown): void {
    const now = this.#options.runtime.monotonic();
    if (now - this.#reported < REPORT_MS) return;
    this.#reported = now;
    this.#options.onError(error);
  }
}
