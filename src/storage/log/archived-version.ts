import type { Rest } from '../../runtime/pacing.ts';
import { type Archive, HistoryGone } from '../backend.ts';
import { Version } from './version.ts';

/**
 * A version that is in the store alone, as the log holds it: all but its bytes, which are read anew whenever somebody
 * wants them. There may be many of these, so nothing that can be had from the bytes is kept.
 */
export class ArchivedVersion {
  readonly revision: number;
  readonly key: string;
  readonly deleted: boolean;
  /** How many bytes it has. */
  readonly size: number;
  readonly serial: number;
  #previous: Version | undefined;
  /** Whole seconds, so that it takes no memory of its own. */
  readonly #seconds: number;
  readonly #archive: Archive;

  constructor(version: Omit<Version, 'bytes' | 'facets'>, archive: Archive) {
    this.revision = version.revision;
    this.key = version.key;
    this.deleted = version.deleted;
    this.size = version.size;
    this.serial = version.serial;
    this.#previous = version.previous;
    this.#seconds = Math.ceil(version.time / 1000);
    this.#archive = archive;
  }

  get previous(): Version | undefined {
    return this.#previous;
  }

  set previous(version: Version | undefined) {
    this.#previous = version;
  }

  /** Not earlier than it really was. */
  get time(): number {
    return this.#seconds * 1000;
  }

  /** Throws `HistoryGone` when compaction has passed it, and `StorageUnavailable`. */
  get bytes(): Buffer {
    return this.#demand(this.#archive.read(this.revision, this.key));
  }

  /** As `bytes`, but good only until something else is read. */
  get lentBytes(): Buffer {
    const { lend } = this.#archive;
    return lend ? this.#demand(lend(this.revision, this.key)) : this.bytes;
  }

  #demand(bytes: Buffer | undefined): Buffer {
    if (bytes === undefined) throw new HistoryGone(this.revision);
    return bytes;
  }

  get facets(): unknown {
    return undefined;
  }

  set facets(_facets: unknown) {}
}

/** Where the log holds what is past as rows of numbers. */
export interface Rows {
  previousOf(number: number): Version | undefined;
  previousAsOf(number: number, revision: number): Version | undefined;
}

/** A version that is a row of a timeline, for as long as somebody looks at it. */
export class ArchivedRow extends ArchivedVersion {
  /** Its number in the timeline. */
  readonly number: number;
  readonly #rows: Rows;

  /** What `version` says of its previous one is not kept. */
  constructor(version: Omit<Version, 'bytes' | 'facets'>, archive: Archive, rows: Rows, number: number) {
    super(version, archive);
    this.number = number;
    this.#rows = rows;
  }

  override get previous(): Version | undefined {
    return this.#rows.previousOf(this.number);
  }

  /** What came before is for the timeline to know. A version of any other kind takes it here, so this takes it too. */
  override set previous(_previous: Version | undefined) {}

  /** See `Timeline.previousAsOf`. */
  previousAsOf(revision: number): Version | undefined {
    return this.#rows.previousAsOf(this.number, revision);
  }
}

/** The version of the same key that was newest at `revision`; `version` itself or one of those before it. */
export function asOf(version: Version | undefined, revision: number): Version | undefined {
  let candidate = version;
  while (candidate !== undefined && candidate.revision > revision) {
    candidate = candidate instanceof ArchivedRow ? candidate.previousAsOf(revision) : candidate.previous;
  }
  return candidate;
}

/** The bytes of a version, for whoever is done with them before anything else is read: nothing is allocated for them. */
export const lentBytes = (version: Version): Buffer =>
  version instanceof ArchivedVersion ? version.lentBytes : version.bytes;

/** Whether the bytes of a version are in memory. */
export const isInMemory = (version: Version | undefined): version is Version => version instanceof Version;

/** The versions with their bytes in memory; those that are not are read from the store, with rests in between. */
export async function fetchAll(versions: readonly Version[], rest: Rest): Promise<Version[]> {
  const inMemory: Version[] = [];
  for (const version of versions) {
    if (isInMemory(version)) {
      inMemory.push(version);
    } else {
      inMemory.push(new Version(version, undefined));
      await rest();
    }
  }
  return inMemory;
}
