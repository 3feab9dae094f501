import { type Runtime, sleep, type Timer } from '../../../runtime/runtime.ts';
import type { BareRemoval } from './changes.ts';

import type { Cluster } from './cluster.ts';
import type { Layout } from './layout.ts';
import { decodeWatch, encodeWatch, type WatchEvent } from './messages.ts';

/**
 * Why changes after the position cannot be told one by one: history is gone up to a revision, it is not known what was
 * removed, or someone meddled.
 */
export type Loss = { readonly compacted: number } | { readonly bare: readonly BareRemoval[] } | 'meddled';

export interface FollowerOptions {
  readonly cluster: Cluster;
  readonly layout: Layout;
  readonly runtime: Runtime;
  /** Up to which revision everything has been taken: a watch that begins anew begins after it. */
  position(): number;
  /** Changes of our keys in order, each once, those of one revision together; returns why they cannot be taken, if so. */
  onEvents(events: readonly WatchEvent[]): Loss | undefined;
  /** How many changes are known to be on their way: those that are there may as well wait for some of them. */
  expected(): number;
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

  /**
   * One watch, from its beginning to its end. What comes in one turn of the event loop is handed on together, so that
   * it costs those who follow the log no more than what one server has written together.
   */
  async #watch(): Promise<Loss | undefined> {
    const { cluster, layout, runtime, position } = this.#options;
    const batch = new Batch(runtime, this.#options.expected, (events) => {
      if (this.#closed || loss !== undefined || defect !== undefined) return;
      try {
        loss = this.#options.onEvents(events);
      } catch (error) {
        defect = new Error('a change could not be taken over', { cause: error });
      }
      if (loss !== undefined || defect !== undefined) stream.close();
    });
    let loss: Loss | undefined;
    let defect: Error | undefined;
    const stream = await cluster.stream('/etcdserverpb.Watch/Watch', (message) => {
      const { canceled, compacted, events } = decodeWatch(message);
      batch.add(events);
      if (compacted > 0) loss = { compacted };
      if (canceled || compacted > 0 || this.#closed) stream.close();
    });
    this.#end = () => stream.close();
    if (this.#closed) stream.close();
    else stream.send(encodeWatch(layout.first, layout.end, position() + 1));
    await stream.ended;
    batch.flush();
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

/**
 * Those who follow the log pay for every batch, however small: one that is about to grow is waited for, until it has half
 * of what is on its way, or for so long.
 */
const LONGEST_PAUSE_MS = 3;
/** Fewer than these come as they come: their writers would wait for each other. */
const FEW = 4;
/** A batch this large is handed on at once. */
const LARGE_BATCH = 1_000;

/** Events in order, handed on at the end of the turn they came in, or a moment later when more are about to come. */
class Batch {
  readonly #runtime: Runtime;
  readonly #expected: () => number;
  readonly #hand: (events: readonly WatchEvent[]) => void;
  #events: WatchEvent[] = [];
  #scheduled: 'later' | 'soon' | undefined;
  #timer: Timer | undefined;

  constructor(runtime: Runtime, expected: () => number, hand: (events: readonly WatchEvent[]) => void) {
    this.#runtime = runtime;
    this.#expected = expected;
    this.#hand = hand;
  }

  add(events: readonly WatchEvent[]): void {
    for (const event of events) this.#events.push(event);
    if (this.#events.length >= LARGE_BATCH) this.flush();
    else if (this.#events.length > 0) this.#schedule();
  }

  flush(): void {
    this.#timer?.cancel();
    this.#scheduled = undefined;
    const events = this.#events;
    this.#events = [];
    if (events.length > 0) this.#hand(events);
  }

  #schedule(): void {
    if (this.#scheduled === 'soon') return;
    const expected = this.#expected();
    if (expected <= FEW || 2 * this.#events.length >= expected) {
      this.#scheduled = 'soon';
      this.#runtime.soon(() => this.flush());
    } else if (this.#scheduled === undefined) {
      this.#scheduled = 'later';
      this.#timer = this.#runtime.after(LONGEST_PAUSE_MS, () => this.flush());
    }
  }
}
