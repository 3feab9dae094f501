import type { Runtime } from '../../runtime/runtime.ts';
import type { Archive, Backend, KeptPasts, Opening, StoreRoom } from '../backend.ts';
import { slabs } from '../slabs.ts';
import type { Collections } from './collections.ts';
import { History, type Passes } from './history.ts';
import { KeptPast } from './kept-past.ts';
import type { Compaction, LogStats, VersionLogOptions } from './log-types.ts';
import { RetentionTimer } from './retention-timer.ts';
import type { Version } from './version.ts';

/** What a version takes in memory at least that is remembered, wherever its bytes are. */
const KEPT_OVERHEAD = 200;
/** How much of a budget is left when it was exceeded, so that a full history is not cut at every write. */
const ENOUGH = 0.9;
/** How many versions are passed in one turn. */
const MOST_AT_ONCE = 5_000;

export interface ForgettingParts extends Pick<VersionLogOptions, 'retentionMs' | 'retentionFor' | 'historyMemory'> {
  readonly runtime: Runtime;
  readonly backend: Pick<Backend, 'compact' | 'room'>;
  readonly collections: Collections;
  /** Absent when the store cannot give back single versions. */
  readonly archive: Archive | undefined;
  onCompaction(compaction: Compaction): void;
  onError(error: unknown): void;
}

/**
 * What of the past is remembered, and when it is forgotten: after a time, and before that where it takes too much memory or
 * room. Of some collections it is remembered for longer.
 */
export class Forgetting {
  readonly #parts: ForgettingParts;
  readonly #memory: number;
  readonly #kept: ReadonlyMap<string, KeptPast>;
  readonly #history: History;
  readonly #timer: RetentionTimer;
  readonly #keptTimers: ReadonlyMap<KeptPast, RetentionTimer>;
  readonly #compactions = { age: 0, size: 0, room: 0 };
  #compacted = 0;
  /** Counts what the backend has to be told of. */
  #due = 0;
  #telling: Promise<void> | undefined;
  #closed = false;

  constructor(parts: ForgettingParts) {
    this.#parts = parts;
    const { runtime, collections, archive, retentionMs = 300_000, retentionFor = new Map() } = parts;
    this.#memory = parts.historyMemory ?? 64 * 1024 * 1024;
    this.#kept = new Map([...retentionFor].map(([name, time]) => [name, new KeptPast(name, time)]));
    this.#history = new History({
      timeline: collections.timeline,
      collections,
      archive,
      kept: this.#kept,
      onRelease: ({ bytes }) => slabs.release(bytes),
    });
    this.#timer = new RetentionTimer(runtime, retentionMs, this.#dropAged);
    const timerOf = (kept: KeptPast): RetentionTimer =>
      new RetentionTimer(runtime, kept.retentionMs, (cutoff) => this.#dropKeptAged(kept, cutoff));
    this.#keptTimers = new Map([...this.#kept.values()].map((kept) => [kept, timerOf(kept)]));
  }

  /** The oldest revision that can be read, and after which can be watched. */
  get compacted(): number {
    return this.#compacted;
  }

  get stats(): Pick<LogStats, 'historyBytes' | 'compactions' | 'kept'> {
    const kept = new Map([...this.#kept].map(([name, { count }]) => [name, count]));
    return { historyBytes: this.#history.bytes, compactions: { ...this.#compactions }, kept };
  }

  /** Up to which revision the past of a collection is forgotten. */
  forgotten(collection: string): number {
    return this.#kept.get(collection)?.through ?? this.#compacted;
  }

  /** Takes note of every version that enters the log, in revision order. */
  note(version: Version): void {
    this.#history.note(version);
  }

  /** Puts what stands for the newest version of a key in its place. */
  replace(dormant: Version): void {
    this.#history.replace(dormant);
  }

  /** Leaves to the store what takes too much memory, while it is being loaded. */
  archive(): void {
    if (this.#parts.archive && this.#history.bytes > this.#memory) this.#history.archive(this.#memory * ENOUGH);
  }

  /** The store has been loaded. */
  begin({ compacted, kept: stored }: Pick<Opening, 'compacted' | 'kept'>): void {
    // A store that was stopped amid a compaction still yields some of what is gone.
    this.#history.drop(({ revision }) => revision <= compacted);
    for (const kept of this.#kept.values()) {
      const through = Math.min(stored?.get(kept.collection) ?? compacted, compacted);
      this.#history.dropKept(kept, ({ revision }) => revision <= through);
      kept.through = Math.max(kept.through, through);
    }
    this.#trim(compacted);
    this.#schedule();
  }

  /** Everything up to a revision is lost: what came before it is not known as a whole. */
  lose(revision: number): void {
    for (const kept of this.#kept.values()) this.#history.dropKept(kept, () => true);
    this.#history.drop((version) => version.revision <= revision, { forgetAll: true });
    for (const kept of this.#kept.values()) kept.through = revision;
    this.#trim(revision);
  }

  /** To be called when something has come in. */
  keepWithinBounds(): void {
    if (this.#parts.archive) this.archive();
    else if (this.#history.bytes > this.#memory) this.#cut();
    this.#schedule();
  }

  /** What the store has room for. Where that is a problem, half of what is kept for longer is given up for more. */
  room(): StoreRoom | undefined {
    const room = this.#parts.backend.room?.();
    if (room?.problem !== undefined && !this.#telling) {
      for (const kept of this.#kept.values()) this.#halve(kept, 'room');
    }
    return room;
  }

  /** Settles when the backend is no longer at work. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#timer.close();
    for (const timer of this.#keptTimers.values()) timer.close();
    await this.#telling;
  }

  readonly #dropAged = (cutoff: number): void => {
    const through = this.#history.drop(({ time }) => time <= cutoff, { most: MOST_AT_ONCE });
    if (through > 0) this.#trim(through);
    const { oldest = Number.POSITIVE_INFINITY } = this.#history;
    if (oldest <= cutoff) {
      this.#soon(() => this.#dropAged(cutoff));
      return;
    }
    if (through > 0) {
      this.#compact({ through, reason: 'age' });
      this.#boundKept();
    }
    this.#schedule();
  };

  #soon(work: () => void): void {
    this.#parts.runtime.soon(() => {
      if (!this.#closed) work();
    });
  }

  #dropKeptAged(kept: KeptPast, cutoff: number): void {
    const isDue: Passes = ({ time }) => time <= cutoff;
    const dropped = this.#dropKept(kept, isDue, 'age', MOST_AT_ONCE);
    if (dropped === MOST_AT_ONCE) this.#soon(() => this.#dropKeptAged(kept, cutoff));
    else this.#schedule();
  }

  /** Without an archive all of the past is in memory. What nobody can watch goes first, all of it before anything else. */
  #cut(): void {
    const enough = this.#memory * ENOUGH;
    for (const kept of this.#kept.values()) {
      if (this.#history.bytes > enough) this.#dropKept(kept, () => this.#history.bytes > enough, 'size');
    }
    const through = this.#history.drop(() => this.#history.bytes > enough, { forgetAll: true });
    if (through === 0) return;
    for (const kept of this.#kept.values()) kept.through = through;
    this.#trim(through);
    this.#compact({ through, reason: 'size' });
  }

  /** What is remembered takes memory even if its bytes do not. Who has most of it gives up half. */
  #boundKept(): void {
    for (;;) {
      const all = [...this.#kept.values()].sort((a, b) => b.count - a.count);
      const [most] = all;
      const count = all.reduce((sum, kept) => sum + kept.count, 0);
      if (!most || count * KEPT_OVERHEAD <= this.#memory) return;
      this.#halve(most, 'size');
    }
  }

  #halve(kept: KeptPast, reason: Compaction['reason']): void {
    const half = kept.middle?.revision ?? 0;
    this.#dropKept(kept, (version) => version.revision <= half, reason);
  }

  #dropKept(kept: KeptPast, passes: Passes, reason: Compaction['reason'], most?: number): number {
    const dropped = this.#history.dropKept(kept, passes, most);
    if (dropped > 0) this.#compact({ through: kept.through, reason, collection: kept.collection });
    return dropped;
  }

  #trim(through: number): void {
    this.#compacted = Math.max(this.#compacted, through);
    this.#parts.collections.trim();
  }

  #schedule(): void {
    this.#timer.schedule(this.#history.oldest);
    for (const [kept, timer] of this.#keptTimers) timer.schedule(kept.oldest?.time);
  }

  #compact(compaction: Compaction): void {
    this.#compactions[compaction.reason]++;
    this.#due++;
    this.#telling ??= this.#tellBackend().finally(() => {
      this.#telling = undefined;
    });
    try {
      this.#parts.onCompaction(compaction);
    } catch (error) {
      this.#parts.onError(error);
    }
  }

  /** Brings the backend to where the log is. A failure is made good by the next compaction. */
  async #tellBackend(): Promise<void> {
    try {
      for (let told = 0; told < this.#due && !this.#closed; ) {
        told = this.#due;
        await this.#parts.backend.compact(this.#compacted, this.#keptPasts());
      }
    } catch (error) {
      this.#parts.onError(error);
    }
  }

  #keptPasts(): KeptPasts {
    return new Map([...this.#kept].map(([name, { through }]) => [name, through]));
  }
}
