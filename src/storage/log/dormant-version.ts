import type { Archive, StoredVersion } from '../backend.ts';
import { ArchivedVersion } from './archived-version.ts';
import { nextSerial, type Version } from './version.ts';

/** What is left in the store. */
export interface Left {
  readonly archive: Archive;
  /** The texts that were looked for when it was opened. */
  readonly lookFor: readonly string[];
}

/** Nobody has looked for anything. */
const ALL = -1;

/** The newest version of a key, with its bytes in the store alone: they were left there, or have not been in use for long. */
export class DormantVersion extends ArchivedVersion {
  readonly #lookFor: readonly string[];
  readonly #found: number;
  #facets: unknown;

  constructor(version: Omit<Version, 'bytes'>, left: Left, found = ALL) {
    super(version, left.archive);
    this.#lookFor = left.lookFor;
    this.#found = found;
    this.#facets = version.facets;
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

/** A version of `size` bytes that was left where it is when the store was opened. */
export function leftAtStart(
  { revision, key, deleted, time, facets, found }: StoredVersion,
  size: number,
  previous: Version | undefined,
  left: Left,
): DormantVersion {
  // Versions of a key share one text of it.
  const own = previous?.key ?? key;
  return new DormantVersion(
    { revision, key: own, deleted, size, serial: nextSerial(), previous, time, facets },
    left,
    found,
  );
}

/** Whether a version has a text in it, which of most is known without a look if it was looked for when the store was opened. */
export const mentions = (version: Version, text: string): boolean =>
  mayMention(version, text) && version.bytes.includes(text);

/** As `mentions`, without ever looking: true where that is not known. */
export const mayMention = (version: Version, text: string): boolean =>
  !(version instanceof DormantVersion) || version.mayHave(text);
