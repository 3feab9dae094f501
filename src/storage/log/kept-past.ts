import { firstAfter } from './ordered-versions.ts';
import type { Version } from './version.ts';

/** The past of one collection that is remembered for longer than that of others: what compaction has passed, in order. */
export class KeptPast {
  readonly collection: string;
  /** How long a version is kept after it was superseded or deleted, in milliseconds. */
  readonly retentionMs: number;
  /** Up to this revision it is forgotten. */
  through = 0;
  #versions: Version[] = [];

  constructor(collection: string, retentionMs: number) {
    this.collection = collection;
    this.retentionMs = retentionMs;
  }

  get count(): number {
    return this.#versions.length;
  }

  get oldest(): Version | undefined {
    return this.#versions[0];
  }

  /** The newest of the oldest half. */
  get middle(): Version | undefined {
    return this.#versions[(this.#versions.length - 1) >>> 1];
  }

  add(version: Version): void {
    this.#versions.push(version);
  }

  /** Puts what stands for a version in its place, if it is here. */
  replace(archived: Version): void {
    const at = firstAfter(this.#versions, archived.revision) - 1;
    if (this.#versions[at]?.revision === archived.revision) this.#versions[at] = archived;
  }

  /** Gives up versions from the old end, one after the other, for as long as `passes` says so. Returns how many. */
  take(passes: (version: Version) => boolean, onTaken: (version: Version) => void, most: number): number {
    let count = 0;
    for (const version of this.#versions) {
      if (count === most || !passes(version)) break;
      count++;
      this.through = version.revision;
      onTaken(version);
    }
    if (count > 0) this.#versions = this.#versions.slice(count);
    return count;
  }
}
