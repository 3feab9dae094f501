import { isInMemory } from './archived-version.ts';
import type { Version } from './version.ts';

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
 * How far back the past can be read: every version that entered the log and that compaction has not passed, in order.
 * What it costs is what is kept for that alone: versions that were superseded, and deletions.
 */
export class History {
  /** Told of every version whose bytes the log holds no longer. */
  readonly #onRelease: (version: Version) => void;
  #versions: Version[] = [];
  #bytes = 0;
  /** How many of the versions have been through `archive`. */
  #archived = 0;

  constructor(onRelease: (version: Version) => void = () => {}) {
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
      if (version === undefined) continue;
      if (isInMemory(version.previous)) {
        this.#letGo(version.previous);
        version.previous = archivist.superseded(version.previous);
        this.#replace(version.previous);
      }
      // A deletion that was superseded in turn leaves with its successor.
      const archived = version.deleted && isInMemory(version) ? archivist.deletion(version) : undefined;
      if (archived === undefined) continue;
      this.#letGo(version);
      this.#versions[this.#archived] = archived;
    }
  }

  /**
   * Lets go of the past from its old end for as long as `passes` says so. `forget` is handed every deletion passed and
   * tells whether that was still the newest version of its key; if not, the version after it holds it a while longer.
   * Returns the revision of the last version passed, 0 for none.
   */
  drop(passes: (version: Version) => boolean, forget: (deletion: Version) => boolean): number {
    let count = 0;
    let through = 0;
    for (const version of this.#versions) {
      if (!passes(version)) break;
      count++;
      through = version.revision;
      if (version.previous) this.#letGo(version.previous);
      version.previous = undefined;
      if (version.deleted && forget(version)) this.#letGo(version);
    }
    if (count > 0) this.#versions = this.#versions.slice(count);
    this.#archived = Math.max(0, this.#archived - count);
    return through;
  }

  #letGo(version: Version): void {
    this.#bytes -= costOf(version);
    if (isInMemory(version)) this.#onRelease(version);
  }

  #replace(archived: Version): void {
    const at = firstAfter(this.#versions, archived.revision) - 1;
    if (this.#versions[at]?.revision === archived.revision) this.#versions[at] = archived;
  }
}

/** Where in an array ordered by revision the versions later than `revision` begin. */
export function firstAfter(versions: readonly Version[], revision: number): number {
  let low = 0;
  let high = versions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const version = versions[middle];
    if (version !== undefined && version.revision <= revision) low = middle + 1;
    else high = middle;
  }
  return low;
}
