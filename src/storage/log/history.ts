import { collectionOf } from '../backend.ts';
import { isInMemory } from './archived-version.ts';
import type { KeptPast } from './kept-past.ts';
import { firstAfter } from './ordered-versions.ts';
import type { Version } from './version.ts';

/** Told of what is passed by compaction. */
export interface Passage {
  /** A deletion is forgotten. Tells whether it was still the newest version of its key. */
  forget(deletion: Version): boolean;
  /** A deletion is passed and remembered all the same. */
  setAside(deletion: Version): void;
}

export interface Keeping {
  readonly archivist: Archivist | undefined;
}

/** How a version is moved out of memory: what stands for it from then on, wherever the log holds it. */
export interface Archivist {
  /** Returns what stands for a superseded version, and puts it in the version's place. */
  superseded(version: Version): Version;
  /** As `superseded`, for a deletion that is the newest version of its key; undefined when it is not. */
  deletion(version: Version): Version | undefined;
}

/** What a version costs that is held in memory for history alone, besides its bytes: objects, what was read of it, the ends of blocks. */
const OVERHEAD = 500;

const costOf = (version: Version | undefined): number => (isInMemory(version) ? version.size + OVERHEAD : 0);

/**
 * How far back the past can be read: every version that entered the log and that compaction has not passed, in order, and
 * of some collections what it has passed. What it costs is what is held for that alone: versions that were superseded, and
 * deletions.
 */
export class History {
  /** Told of every version whose bytes the log holds no longer. */
  readonly #onRelease: (version: Version) => void;
  readonly #kept: ReadonlyMap<string, KeptPast>;
  #versions: Version[] = [];
  #bytes = 0;
  /** How many of the versions have been through `archive`. */
  #archived = 0;

  constructor(kept: ReadonlyMap<string, KeptPast>, onRelease: (version: Version) => void) {
    this.#kept = kept;
    this.#onRelease = onRelease;
  }

  /** What all superseded versions and deletions cost that are still held in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The version that compaction would pass next. */
  get oldest(): Version | undefined {
    return this.#versions[0];
  }

  /** Takes note of every version that enters the log, in revision order. */
  note(version: Version): void {
    const { previous, deleted } = version;
    if (previous !== undefined && !previous.deleted) this.#bytes += costOf(previous);
    if (deleted) this.#bytes += costOf(version);
    this.#versions.push(version);
  }

  /**
   * Moves what is held for history alone out of memory, what was superseded longest ago first, until no more than
   * `enough` is left. A version leaves memory when the one that superseded it, and holds it, comes up.
   */
  archive(enough: number, archivist: Archivist): void {
    for (; this.#bytes > enough && this.#archived < this.#versions.length; this.#archived++) {
      const version = this.#versions[this.#archived];
      if (version !== undefined) this.#archive(version, archivist);
    }
  }

  /**
   * Lets go of the past from its old end for as long as `passes` says so. With `keeping`, what is to be remembered for longer
   * is moved to where that is; with an archivist, out of memory. Returns the revision of the last version passed, 0 for none.
   */
  drop(passes: (version: Version) => boolean, passage: Passage, keeping?: Keeping): number {
    let count = 0;
    let through = 0;
    for (const version of this.#versions) {
      if (!passes(version)) break;
      count++;
      through = version.revision;
      const kept = keeping && this.#kept.size > 0 ? this.#kept.get(collectionOf(version.key)) : undefined;
      if (kept) this.#keep(version, kept, passage, keeping?.archivist);
      else this.#pass(version, passage);
    }
    if (count > 0) this.#versions = this.#versions.slice(count);
    this.#archived = Math.max(0, this.#archived - count);
    return through;
  }

  /** As `drop`, of what is remembered for longer; returns how many versions were passed. */
  dropKept(kept: KeptPast, passes: (version: Version) => boolean, passage: Passage): number {
    return kept.take(passes, (version) => this.#pass(version, passage));
  }

  #keep(version: Version, kept: KeptPast, passage: Passage, archivist: Archivist | undefined): void {
    kept.add(version);
    if (version.deleted) passage.setAside(version);
    if (archivist) this.#archive(version, archivist);
  }

  #pass(version: Version, { forget }: Passage): void {
    if (version.previous) this.#letGo(version.previous);
    version.previous = undefined;
    if (version.deleted && forget(version)) this.#letGo(version);
  }

  /** Moves out of memory what a version superseded, and a deletion itself unless it was superseded: it leaves with its successor. */
  #archive(version: Version, archivist: Archivist): void {
    if (isInMemory(version.previous)) {
      this.#letGo(version.previous);
      version.previous = archivist.superseded(version.previous);
      this.replace(version.previous);
    }
    const archived = version.deleted && isInMemory(version) ? archivist.deletion(version) : undefined;
    if (archived === undefined) return;
    this.#letGo(version);
    this.replace(archived);
  }

  #letGo(version: Version): void {
    this.#bytes -= costOf(version);
    if (isInMemory(version)) this.#onRelease(version);
  }

  /** Puts what stands for a version in its place, if it is there. */
  replace(archived: Version): void {
    if (this.#kept.size > 0 && this.#kept.get(collectionOf(archived.key))?.replace(archived)) return;
    const at = firstAfter(this.#versions, archived.revision) - 1;
    if (this.#versions[at]?.revision === archived.revision) this.#versions[at] = archived;
  }
}
