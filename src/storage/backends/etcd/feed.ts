import type { Runtime } from '../../../runtime/runtime.ts';
import type { StoredVersion } from '../../backend.ts';
import { Waiters } from '../../log/waiters.ts';
import { type BareRemoval, changesIn, type EtcdEvent } from './changes.ts';
import { type Cluster, Compacted } from './cluster.ts';
import { Follower, type Loss } from './follower.ts';
import type { Layout } from './layout.ts';
import type { WatchEvent } from './messages.ts';
import { decodeValue, type StoredValue } from './value.ts';

/** Who is told what happens. */
export interface Sink {
  /** Changes in order, each once; everything of ours up to `revision` has then been told. */
  onChanges(changes: readonly EtcdEvent[], revision: number): void;
  /** Brings the feed's position on, past what cannot be told. */
  onLoss(loss: Exclude<Loss, { readonly bare: unknown }>): Promise<void>;
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

/** Of how many objects that were removed it is found out at a time what they were, and how many may go at one revision. */
const BARE_AT_ONCE = 50;
const MOST_BARE = 500;

/** Everything that happens to our keys, whoever does it, and how far that has been told. */
export class Feed {
  readonly #options: FeedOptions;
  readonly #waiters: Waiters;
  #follower: Follower | undefined;
  #sink: Sink | undefined;
  #position = 0;
  /** What objects were that were removed without a word. */
  readonly #lasts = new Map<string, StoredValue>();
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
      onLoss: (loss) => this.#recover(loss),
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
  advance(revision: number, changes: readonly EtcdEvent[] = []): void {
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

  #take(events: readonly WatchEvent[]): Loss | undefined {
    const { layout, runtime } = this.#options;
    if ((events[0]?.revision ?? 0) > this.#position + 1) this.#othersAt = runtime.monotonic();
    const { changes, revision, bare } = changesIn(layout, events, (removal) => this.#lasts.get(nameOf(removal)));
    const first = changes[0]?.version.revision ?? Number.POSITIVE_INFINITY;
    // A change of an object at a revision that was settled already is not by one of our servers.
    if (first <= this.#position) return 'meddled';
    this.advance(revision, changes);
    this.#lasts.clear();
    return bare.length > 0 ? { bare } : undefined;
  }

  /** What was removed is found out, where etcd still has it, and the watch begins anew where it was. */
  async #recover(loss: Loss): Promise<void> {
    if (loss === 'meddled' || 'compacted' in loss) return this.#sink?.onLoss(loss);
    const [first] = loss.bare;
    const atFirst = loss.bare.filter(({ revision }) => revision === first?.revision).length;
    if (atFirst > MOST_BARE) return this.#sink?.onLoss('meddled');
    try {
      for (const removal of loss.bare.slice(0, Math.max(atFirst, BARE_AT_ONCE))) await this.#findLast(removal);
    } catch (error) {
      if (!(error instanceof Compacted)) throw error;
      await this.#sink?.onLoss('meddled');
    }
  }

  async #findLast(removal: BareRemoval): Promise<void> {
    const { cluster, runtime } = this.#options;
    const { entries } = await cluster.range({ key: removal.key, revision: removal.revision - 1 });
    const last = entries[0] && decodeValue(entries[0].value);
    if (last === undefined) throw new Compacted(`what ${removal.key} was is not known`);
    this.#lasts.set(nameOf(removal), { ...last, time: runtime.now() });
  }
}

const nameOf = ({ key, revision }: BareRemoval): string => `${revision} ${key}`;

/** Versions without what only their writer knows. */
export const versionsOf = (changes: readonly EtcdEvent[]): StoredVersion[] => changes.map(({ version }) => version);
