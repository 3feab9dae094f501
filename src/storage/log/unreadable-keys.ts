import type { StoredVersion } from '../backend.ts';

/** Why the newest version of a key cannot be read, of those that cannot. */
export class UnreadableKeys {
  readonly #reasons = new Map<string, string>();

  /** Whether a version that has come can be read, which is noted. */
  isReadable({ key, deleted, unreadable }: StoredVersion): boolean {
    if (unreadable === undefined || deleted) this.#reasons.delete(key);
    else this.#reasons.set(key, unreadable);
    return unreadable === undefined;
  }

  reasonOf(key: string): string | undefined {
    return this.#reasons.get(key);
  }

  /** One that begins so, if there is one. */
  below(start: string): string | undefined {
    for (const key of this.#reasons.keys()) if (key.startsWith(start)) return key;
    return undefined;
  }
}
