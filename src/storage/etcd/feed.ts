import type { Runtime } from '../../runtime/runtime.ts';
import type { StoredVersion } from '../backend.ts';
import { Waiters } from '../waiters.ts';
import { type Change, changesIn } from './changes.ts';
import type { Cluster } from './cluster.ts';
import { Follower, type Loss } from './follower.ts';
import type { Layout } from './layout.ts';
import type { WatchEvent } from './messages.ts';

/** Who is told what happens. */
export interface Sink {
  /** Changes in order, each once; everything of ours up to `revision` has then been told. */
  onChanges(changes: readonly Change[], revision: number): void;
  /** Brings the feed's position on, past what cannot be told. */
  onLoss(loss: Loss): Promise<void>;
}

export interface FeedOptions {
  readonly cluster: Cluster;
  readonly layout: Layout;
  readonly runtime: Runtime;
  /** How many changes are known to be on their way. */
  expected(): number;
  onError(error: unknown): void;
}

/** For how long others that wrote are expected to write again. */
const OTHERS_MS = 60_000;

/** Everything that happens to our keys, whoever does it, and how far that has been told. */
export class Feed {
  readonly #options: FeedOptions;
  readonly #waiters: Waiters;
  #follower: Follower | undefined;
  #sink: Sink | undefined;
  #position = 0;
  #othersAt = Number.NEGATIVE_INFINITY;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#waiters = new Waiters(options.runtime);
  }

  /** Everything of ours up to this revision has been told. */
  get position(): number {
    return this.#position;
  }

  /** Others have written to the same etcd lately: not all of its revisions come by. */
  get isAmongOthers(): boolean {
    return this.#options.runtime.monotonic() - this.#othersAt < OTHERS_MS;
  }

  /** Follows what comes after a revision; ends what was followed before. */
  start(after: number, sink: Sink): void {
    this.#follower?.close();
    this.#position = after;
    this.#sink = sink;
    this.#follower = new Follower({
      ...this.#options,
      position: () => this.#position,
      onEvents: (events) => this.#take(events),
      onLoss: async (loss) => this.#sink?.onLoss(loss),
    });
  }

  /** From now on someone else is told, who knows everything of ours up to `position` already. */
  handTo(sink: Sink, position: number): void {
    this.#sink = sink;
    this.#position = position;
  }

  /** False when the revision is not told in time. */
  async arrived(revision: number, timeoutMs: number): Promise<boolean> {
    return this.#position >= revision || this.#waiters.wait(revision, timeoutMs);
  }

  /** Up to `revision` there is nothing more to tell than `changes`. */
  advance(revision: number, changes: readonly Change[] = []): void {
    if (revision <= this.#position) return;
    this.#sink?.onChanges(changes, revision);
    this.moveTo(revision);
  }

  /** Everything up to `revision` has been told in another way. */
  moveTo(revision: number): void {
    this.#position = Math.max(this.#position, revision);
    this.#waiters.reached(this.#position);
  }

  close(): void {
    this.#follower?.close();
    this.#waiters.close();
  }

  #take(events: readonly WatchEvent[]): boolean {
    const { layout } = this.#options;
    const changes = changesIn(layout, events);
    const first = changes?.[0]?.version.revision ?? Number.POSITIVE_INFINITY;
    if ((events[0]?.revision ?? 0) > this.#position + 1) this.#othersAt = this.#options.runtime.monotonic();
    // A change of an object at a revision that was settled already is not by one of our servers.
    if (changes === undefined || first <= this.#position) return false;
    this.advance(events.at(-1)?.revision ?? 0, changes);
    return true;
  }
}

/** Versions without what only their writer knows. */
export const versionsOf = (changes: readonly Change[]): StoredVersion[] => changes.map(({ version }) => version);
