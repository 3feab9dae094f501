import type { Version } from './version.ts';

/**
 * What is kept only so that the past can be read: superseded versions and deletions. Ordered by the revision of the
 * version that superseded or deleted, since that is what decides how long the past is kept.
 */
export class History {
  readonly #successors: Version[] = [];
  #bytes = 0;

  /** The bytes of all superseded versions and deletions that are still held. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The version that compaction would pass next. */
  get oldest(): Version | undefined {
    return this.#successors[0];
  }

  /** Takes note of every version that enters the log, in revision order. */
  note(version: Version): void {
    const { previous, deleted } = version;
    if (previous === undefined && !deleted) return;
    if (previous !== undefined && !previous.deleted) this.#bytes += previous.bytes.length;
    if (deleted) this.#bytes += version.bytes.length;
    this.#successors.push(version);
  }

  /**
   * Lets go of the past from its old end for as long as `passes` says so. `forget` is handed every deletion passed and
   * tells whether that was still the newest version of its key; if not, the version after it holds it a while longer.
   * Returns the revision of the last version passed, 0 for none.
   */
  drop(passes: (successor: Version) => boolean, forget: (deletion: Version) => boolean): number {
    let count = 0;
    let through = 0;
    for (const successor of this.#successors) {
      if (!passes(successor)) break;
      count++;
      through = successor.revision;
      this.#bytes -= successor.previous?.bytes.length ?? 0;
      successor.previous = undefined;
      if (successor.deleted && forget(successor)) this.#bytes -= successor.bytes.length;
    }
    this.#successors.splice(0, count);
    return through;
  }
}
