import type { Version } from './version.ts';

/**
 * How far back the past can be read: every version that entered the log and that compaction has not passed, in order.
 * What it costs is what is kept for that alone: versions that were superseded, and deletions.
 */
export class History {
  #versions: Version[] = [];
  #bytes = 0;

  /** The bytes of all superseded versions and deletions that are still held. */
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
    if (previous !== undefined && !previous.deleted) this.#bytes += previous.bytes.length;
    if (deleted) this.#bytes += version.bytes.length;
    this.#versions.push(version);
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
      this.#bytes -= version.previous?.bytes.length ?? 0;
      version.previous = undefined;
      if (version.deleted && forget(version)) this.#bytes -= version.bytes.length;
    }
    if (count > 0) this.#versions = this.#versions.slice(count);
    return through;
  }
}
