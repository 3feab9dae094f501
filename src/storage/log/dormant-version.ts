import type { Archive, StoredVersion } from '../backend.ts';
import { ArchivedVersion } from './archived-version.ts';
import { nextSerial, type Version } from './version.ts';

/** What was left in the store when it was opened. */
export interface Left {
  readonly archive: Archive;
  /** The texts that were looked for then. */
  readonly lookFor: readonly string[];
}

/** Nobody has looked for anything. */
const ALL = -1;

/** A version whose bytes were left in the store when that was opened, for there was much. */
export class DormantVersion extends ArchivedVersion {
  readonly #lookFor: readonly string[];
  readonly #found: number;
  #facets: unknown;

  constructor(stored: StoredVersion, size: number, previous: Version | undefined, left: Left) {
    const { revision, deleted, time, found = ALL } = stored;
    const key = previous?.key ?? stored.key;
    super({ revision, key, deleted, size, serial: nextSerial(), previous, time }, left.archive);
    this.#lookFor = left.lookFor;
    this.#found = found;
  }

  override get facets(): unknown {
    return this.#facets;
  }

  override set facets(facets: unknown) {
    this.#facets = facets;
  }

  /** False where it is known that the bytes do not have this text. */
  mayHave(text: string): boolean {
    const at = this.#lookFor.indexOf(text);
    return at === -1 || (this.#found & (1 << at)) !== 0;
  }
}

/** Whether a version has a text in it, which of most is known without a look if it was looked for when the store was opened. */
export const mentions = (version: Version, text: string): boolean =>
  mayMention(version, text) && version.bytes.includes(text);

/** As `mentions`, without ever looking: true where that is not known. */
export const mayMention = (version: Version, text: string): boolean =>
  !(version instanceof DormantVersion) || version.mayHave(text);
