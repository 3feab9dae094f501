import type { Deadline } from '../../runtime/deadline.ts';
import { restEveryTurn } from '../../runtime/pacing.ts';
import {
  type Backend,
  type FormerState,
  HistoryGone,
  OutcomeUnknown,
  type SharedFormat,
  type StateDifference,
  StorageUnavailable,
  type StoredVersion,
  type StoreRoom,
  type Write,
} from '../backend.ts';
import { fetchAll } from './archived-version.ts';
import type { Group, Subscriber } from './audience.ts';
import { CatchUp } from './catch-up.ts';
import type { Page, Selection } from './collection.ts';
import { Collections } from './collections.ts';
import { ListedEntries, type View } from './entries.ts';
import { refuseGrowth } from './growth.ts';
import { InFlightWrites } from './in-flight-writes.ts';
import type { Commit, LogSnapshot, LogStats, Subscription, VersionLogOptions, Watch } from './log-types.ts';
import { reporting } from './reporting-archive.ts';
import { restore } from './restoring.ts';
import { Timeline } from './timeline.ts';
import { Turns } from './turns.ts';
import { UnreadableKeys } from './unreadable-keys.ts';
import { Upkeep } from './upkeep.ts';
import type { Version } from './version.ts';
import { Waiters } from './waiters.ts';

export { HistoryGone } from '../backend.ts';
export type { Subscriber } from './audience.ts';
export type { Page, Selection } from './collection.ts';
export type { Commit, Compaction, LogSnapshot, LogStats, Subscription, VersionLogOptions, Watch } from './log-types.ts';
export type { Version } from './version.ts';

/**
 * All state as one totally ordered log of versions over a `Backend`. The newest version of each key is the state, the
 * ordered tail is the watch history, and following `previous` gives older states. The only thing that reads and watches
 * use. The state is in memory; of what is superseded, the bytes beyond a budget are in the store alone, if that can give
 * them back, and else history ends there.
 */
export class VersionLog {
  readonly #backend: Backend;
  readonly #options: VersionLogOptions;
  readonly #collections: Collections;
  readonly #upkeep: Upkeep;
  readonly #unreadable = new UnreadableKeys();
  readonly #inFlight = new InFlightWrites();
  readonly #turns: Turns;
  readonly #waiters: Waiters;
  #revision = 0;
  #closed = false;
  #reads = 1;

  private constructor(backend: Backend, options: VersionLogOptions) {
    this.#backend = backend;
    this.#options = options;
    const archive = backend.archive && reporting(backend.archive, this.#report);
    this.#collections = new Collections(new Timeline(archive));
    this.#upkeep = new Upkeep(options, backend, archive, this.#collections, this.#report);
    this.#waiters = new Waiters(options.runtime);
    this.#turns = new Turns(options.runtime);
  }

  /** Opens the backend and reads all it holds. The log owns the backend from then on. */
  static async open(backend: Backend, options: VersionLogOptions): Promise<VersionLog> {
    const log = new VersionLog(backend, options);
    const opening = await backend.open(
      (versions) => log.#load(versions),
      (versions, revision) => log.#deliver(versions, revision),
      (state, revision, difference) => log.#replace(state, revision, difference),
      // Whoever waits here for what happens may learn of it elsewhere.
      () => log.#collections.cutOff(log.#report),
      { mayLeaveBytes: true, lookFor: options.lookFor ?? [] },
    );
    log.#revision = Math.max(log.#revision, opening.revision);
    log.#upkeep.begin(opening);
    return log;
  }

  /** Others write to the same store, on other servers. */
  get isShared(): boolean {
    return this.#backend.isShared ?? false;
  }

  /** In what form a store is written that servers of several versions share. */
  get format(): SharedFormat | undefined {
    return this.#backend.format;
  }

  /** What keeps the store from taking writes although it can be read, if anything does. */
  get problem(): string | undefined {
    return this.#backend.problem;
  }

  /** Everything up to this revision is in the log. */
  get revision(): number {
    return this.#revision;
  }

  /** The oldest revision that can be read, and after which can be watched. */
  get compacted(): number {
    return this.#upkeep.past.compacted;
  }

  /**
   * Up to which revision the past of single objects of a collection is forgotten (`newest`). That of some is remembered for
   * longer than the log can be read and watched.
   */
  forgotten(collection: string): number {
    return this.#upkeep.past.forgotten(collection);
  }

  get stats(): LogStats {
    return { ...this.#collections.count(), ...this.#upkeep.past.stats };
  }

  /** How often the store was read as a whole: once, and again whenever it could not tell what had happened meanwhile. */
  get reads(): number {
    return this.#reads;
  }

  /** How large the store is and whether it may grow; undefined where that is not known here. */
  get room(): StoreRoom | undefined {
    return this.#backend.room?.();
  }

  /** The newest version of a key, unless that is a deletion. */
  get(key: string): Version | undefined {
    return this.#collections.get(key);
  }

  /** Why the newest version of a key cannot be read, if so: it is not in lists, and `get` gives what was before it. */
  unreadable(key: string): string | undefined {
    return this.#unreadable.reasonOf(key);
  }

  /** A key that begins so and cannot be read, if there is one. */
  unreadableBelow(start: string): string | undefined {
    return this.#unreadable.below(start);
  }

  /** Whether what a key holds would be stored in another form if it were written again. */
  isOutdated(key: string): boolean {
    return this.#backend.isOutdated?.(key) ?? false;
  }

  /** As `get`, at a revision that is not in the future. Throws `HistoryGone`. */
  getAt(key: string, revision: number): Version | undefined {
    this.#demand(revision);
    return this.#collections.get(key, revision);
  }

  /** As `get`, be it a deletion, for as long as it is remembered (`forgotten`); `previous` leads on to older ones. */
  newest(key: string): Version | undefined {
    return this.#collections.newestOf(key);
  }

  /** Live versions in key order. Throws `HistoryGone`. */
  list(collection: string, page: Page = {}): Version[] {
    if (page.revision !== undefined) this.#demand(page.revision);
    return this.#collections.find(collection)?.list(page) ?? [];
  }

  /** What `list` would give as of now, to be read at leisure: later changes do not show in it. */
  view(collection: string, prefix: string): View {
    return this.#collections.find(collection)?.view(prefix) ?? new ListedEntries([]);
  }

  /** How many changes of a collection those who follow it were told of so far. */
  delivered(collection: string): number {
    return this.#collections.find(collection)?.delivered ?? 0;
  }

  /**
   * How many versions `list` would give without a limit. At once for a collection, or what is below a first segment of
   * it, and as of a revision by going through what changed since; else by looking at each.
   */
  count(collection: string, selection: Selection = {}): number {
    if (selection.revision !== undefined) this.#demand(selection.revision);
    return this.#collections.find(collection)?.count(selection) ?? 0;
  }

  /** The log's revision, once it has all that anyone was acknowledged before this call. */
  async current(): Promise<number> {
    const revision = await this.#backend.current();
    if (this.#revision < revision) await this.#reach(revision);
    return this.#revision;
  }

  /** Settles when `current` does; undefined when there is nothing to wait for, as where nobody else writes. */
  caughtUp(): Promise<unknown> | undefined {
    return this.isShared ? this.current() : undefined;
  }

  /** False when the log has not reached the revision in time. */
  async waitFor(revision: number, timeoutMs: number): Promise<boolean> {
    if (this.#revision >= revision) return true;
    // Another server may have given it out; a store that is asked tells how far it is, also where nothing happened to us.
    if (this.isShared) this.current().catch(() => undefined);
    return !this.#closed && this.#waiters.wait(revision, timeoutMs);
  }

  /**
   * Writes, if the key has the revision the write expects. The answer comes when the log has it: the new version, or
   * the one that was in the way. Rejects with `StorageUnavailable`, and with `StorageFull` what would grow.
   */
  async commit(write: Write): Promise<Commit> {
    if (this.#backend.room) refuseGrowth(write, this.get(write.key), () => this.#upkeep.past.room());
    this.#inFlight.begin(write.key);
    const { runtime, onCommit } = this.#options;
    const began = runtime.monotonic();
    try {
      const outcome = await this.#backend.commit(write);
      onCommit?.(write, runtime.monotonic() - began);
      if (outcome.conflict) {
        await this.#reach(outcome.revision);
        return outcome;
      }
      const version = this.#inFlight.delivered(write.key, outcome.revision);
      if (version === undefined) throw new OutcomeUnknown('the write was stored, but what followed it has hidden it');
      return { conflict: false, version };
    } finally {
      this.#inFlight.end(write.key);
    }
  }

  /**
   * While writes of this process to a key are on their way: a promise for their end, whatever it is. Wait for it
   * before reading what a compare-and-set builds on.
   */
  settled(key: string): Promise<void> | undefined {
    return this.#inFlight.settled(key);
  }

  /**
   * Does work that reads, changes and writes back a key when those of this process who came earlier are through. Rejects
   * with 504 when the deadline is over before that.
   */
  inTurn<T>(key: string, work: () => Promise<T>, deadline?: Deadline): Promise<T> {
    return this.#turns.take(key, work, deadline);
  }

  /**
   * Versions as `list` and `getAt` gave them, with their bytes in memory: those that are in the store alone are read, some
   * at a turn. Throws `HistoryGone`.
   */
  fetch(versions: readonly Version[]): Promise<Version[]> {
    return fetchAll(versions, restEveryTurn(this.#options.runtime));
  }

  /**
   * Hands over first the retained versions of the scope after the given revision, then every later one, each exactly
   * once, in order. If there are not too many, the first are handed over before it returns as one batch (not called when
   * there are none), else over several turns. Throws `HistoryGone`.
   */
  subscribe(collection: string, { after, scope = '' }: Watch, subscriber: Subscriber): Subscription {
    this.#demand(after);
    const target = this.#collections.named(collection);
    const subscription = new CatchUp(this.#options.runtime, this, target, { after, scope }, subscriber, this.#report);
    subscription.start();
    return subscription;
  }

  /** All that is stored at this moment. */
  snapshot(): LogSnapshot {
    return { revision: this.#revision, collections: this.#collections.views() };
  }

  /**
   * Puts back what a snapshot of this log holds. Whoever watches is told to list again, as after a compaction; what follows
   * objects inside of the server is told what is different now. `restamp` gives the bytes of a version another revision.
   */
  restore(snapshot: LogSnapshot, restamp: FormerState['restamp']): Promise<void> {
    return restore(snapshot, restamp, this.#backend, this.#collections);
  }

  /** Ends waiting, lets what is under way come to its end, and closes the backend. */
  async close(): Promise<void> {
    this.#closed = true;
    const forgotten = this.#upkeep.close();
    this.#waiters.close();
    await forgotten;
    await this.#backend.close();
  }

  #demand(revision: number): void {
    if (revision < this.compacted) throw new HistoryGone(revision, this.compacted);
  }

  async #reach(revision: number): Promise<void> {
    if (this.#revision >= revision) return;
    const reached = !this.#closed && (await this.#waiters.wait(revision));
    if (!reached) throw new StorageUnavailable('the store is closed');
  }

  #load(stored: readonly StoredVersion[]): void {
    for (const next of stored) {
      if (!this.#unreadable.isReadable(next)) continue;
      this.#upkeep.note(this.#collections.of(next.key).append(next, this.#upkeep.left));
    }
    this.#upkeep.loading();
  }

  #deliver(stored: readonly StoredVersion[], revision: number): void {
    const touched: Group[] = [];
    for (const next of stored) {
      if (!this.#unreadable.isReadable(next)) continue;
      const collection = this.#collections.of(next.key);
      const version = collection.append(next);
      this.#upkeep.note(version);
      this.#inFlight.note(version);
      collection.delivered++;
      collection.audience.collect(version, collection.rest(version.key), touched);
    }
    this.#revision = revision;
    this.#waiters.reached(revision);
    for (const group of touched) group.dispatch(this.#report);
    this.#upkeep.grown();
  }

  /** What could not be told one by one is told as the difference it made; nothing before `revision` can be read now. */
  #replace(state: readonly StoredVersion[], revision: number, difference?: StateDifference): void {
    this.#reads++;
    this.#collections.dismiss(this.#report);
    const { put, gone } = difference ?? this.#collections.differenceTo(state);
    this.#deliver([...put, ...this.#collections.deletionsOf(gone, revision, this.#options.runtime.now())], revision);
    this.#upkeep.past.lose(revision);
  }

  readonly #report = (error: unknown): void => (this.#options.onError ?? warnOf)(error);
}

const warnOf = (error: unknown): void => process.emitWarning(error instanceof Error ? error : String(error));
