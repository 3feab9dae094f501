import type { StoredVersion } from '../backend.ts';

let made = 0;

export const nextSerial = (): number => made++;

/**
 * One version of one key, as the log holds it in memory. There are as many as there are objects and more, so it stays
 * small and all of them have one shape.
 */
export class Version {
  readonly revision: number;
  readonly key: string;
  /**
   * The object as served; for a deletion the last state, stamped with the deletion's revision. What it says never changes;
   * the log may move it to other memory.
   */
  bytes: Buffer;
  readonly deleted: boolean;
  /** When it was committed, in milliseconds since the epoch. */
  readonly time: number;
  /**
   * What it superseded: a deletion when the key was created anew, nothing when the key was new or once compaction has
   * passed this version. Compaction clears it, so decide by it while a version is being handed to you, not later.
   */
  previous: Version | undefined;
  /** What the owner of the bytes extracted from them; filled by whoever needs it first. */
  facets: unknown;
  /** Its number among all versions that were made in this process, for those who keep something of it. */
  readonly serial: number;

  constructor(stored: StoredVersion, previous: Version | undefined) {
    this.revision = stored.revision;
    // Versions of a key share one text of it.
    this.key = previous?.key ?? stored.key;
    this.bytes = stored.bytes;
    this.deleted = stored.deleted;
    this.time = stored.time;
    this.previous = previous;
    this.facets = stored.facets;
    this.serial = nextSerial();
  }

  /** How many bytes it has. */
  get size(): number {
    return this.bytes.length;
  }
}

/** How many entries a version adds: one when it creates, none when it changes, minus one when it deletes. */
export function changeBy({ deleted, previous }: Version): number {
  const existed = previous !== undefined && !previous.deleted;
  return (deleted ? 0 : 1) - (existed ? 1 : 0);
}
