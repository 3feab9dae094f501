import { type Archive, collectionOf } from '../backend.ts';
import { ArchivedRow, ArchivedVersion, isInMemory } from './archived-version.ts';
import type { Collections } from './collections.ts';
import type { KeptPast } from './kept-past.ts';
import type { Timeline } from './timeline.ts';
import type { Version } from './version.ts';

export interface HistoryParts {
  readonly timeline: Timeline;
  readonly collections: Collections;
  /** Absent when the store cannot give back single versions. */
  readonly archive: Archive | undefined;
  readonly kept: ReadonlyMap<string, KeptPast>;
  /** Told of every version whose bytes the log holds no longer. */
  readonly onRelease: (version: Version) => void;
}

/** Whether compaction passes a version. */
export type Passes = (version: Pick<Version, 'revision' | 'time'>) => boolean;

/** What a version costs that is held in memory for history alone, besides its bytes: objects, what was read of it, the ends of blocks. */
const OVERHEAD = 500;

const costOf = (version: Version): number => (isInMemory(version) ? version.size + OVERHEAD : 0);

/**
 * How far back the past can be read: every version that entered the log and that compaction has not passed, and of some
 * collections what it has passed. What it costs is what is held for that alone: versions that were superseded, and
 * deletions.
 */
export class History {
  readonly #parts: HistoryParts;
  #bytes = 0;
  /** Of those up to here, what they superseded has left memory. */
  #archived = 0;

  constructor(parts: HistoryParts) {
    this.#parts = parts;
  }

  /** What all superseded versions and deletions cost that are still held in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /** When the version was committed that compaction would pass next. */
  get oldest(): number | undefined {
    const { timeline } = this.#parts;
    return timeline.timeAt(timeline.first);
  }

  /** Takes note of every version that enters the log, in revision order. */
  note(version: Version): void {
    const { previous, deleted } = version;
    if (previous !== undefined && !previous.deleted) this.#bytes += costOf(previous);
    if (deleted) this.#bytes += costOf(version);
  }

  /**
   * Moves what is held for history alone out of memory, what was superseded longest ago first, until no more than
   * `enough` is left. A version leaves memory when the one that superseded it, and holds it, comes up.
   */
  archive(enough: number): void {
    const { timeline } = this.#parts;
    this.#archived = Math.max(this.#archived, timeline.first);
    for (; this.#bytes > enough && this.#archived < timeline.end; this.#archived++) {
      const version = timeline.at(this.#archived);
      if (version) this.#archive(version);
    }
  }

  /**
   * Lets go of the past from its old end for as long as `passes` says so, at most so many versions. What is to be remembered
   * for longer is moved to where that is, unless it is to be forgotten too. Returns the revision of the last version passed,
   * 0 for none.
   */
  drop(passes: Passes, { most = Number.POSITIVE_INFINITY, forgetAll = false } = {}): number {
    const { timeline, kept } = this.#parts;
    let through = 0;
    for (let count = 0; count < most; count++) {
      const [revision, time] = [timeline.revisionAt(timeline.first), timeline.timeAt(timeline.first)];
      if (time === undefined || !passes({ revision, time })) break;
      const key = kept.size === 0 || forgetAll ? undefined : timeline.keyAt(timeline.first);
      const longer = key === undefined ? undefined : kept.get(collectionOf(key));
      const version = timeline.shift(longer !== undefined);
      if (version && longer) this.#keep(version, longer);
      else if (version) this.#pass(version);
      through = revision;
    }
    return through;
  }

  /** As `drop`, of what is remembered for longer; returns how many versions were passed. */
  dropKept(kept: KeptPast, passes: Passes, most = Number.POSITIVE_INFINITY): number {
    return kept.take(passes, (version) => this.#pass(version), most);
  }

  /** Puts what stands for a version in its place, if it is there. */
  replace(version: Version): void {
    const { timeline, kept } = this.#parts;
    timeline.replace(version);
    if (kept.size > 0) kept.get(collectionOf(version.key))?.replace(version);
  }

  #keep(version: Version, kept: KeptPast): void {
    const { collections } = this.#parts;
    kept.add(version);
    if (version.deleted) collections.of(version.key).setAside(version);
    this.#archive(version);
  }

  #pass(version: Version): void {
    if (version.previous) this.#letGo(version.previous);
    version.previous = undefined;
    if (version.deleted && this.#parts.collections.of(version.key).forget(version)) this.#letGo(version);
  }

  /** Moves out of memory what a version superseded, and a deletion itself unless it was superseded: it leaves with its successor. */
  #archive(version: Version): void {
    const { timeline, archive, collections } = this.#parts;
    if (!archive) return;
    const { previous } = version;
    if (previous !== undefined && !(previous instanceof ArchivedRow)) {
      this.#letGo(previous);
      version.previous = timeline.archive(previous) ?? this.#asArchived(previous, archive);
    }
    if (!version.deleted || !isInMemory(version)) return;
    const archived = new ArchivedVersion(version, archive);
    if (!collections.of(version.key).replaceDeletion(version, archived)) return;
    this.#letGo(version);
    this.replace(archived);
  }

  /** What stands for a version that is not in the timeline any more. */
  #asArchived(version: Version, archive: Archive): Version {
    if (!isInMemory(version)) return version;
    const archived = new ArchivedVersion(version, archive);
    this.replace(archived);
    return archived;
  }

  #letGo(version: Version): void {
    this.#bytes -= costOf(version);
    if (isInMemory(version)) this.#parts.onRelease(version);
  }
}
