import assert from 'node:assert/strict';
import type { Version, VersionLog } from '../../src/storage/log/version-log.ts';

export const COLLECTION = 'pods';

/** A write that someone tried. */
export interface Attempt {
  readonly text: string;
  readonly key: string;
  readonly expected: number;
  readonly deleted: boolean;
  /** Which life of the store it was tried in. */
  readonly life: number;
  /** `unknown` while it is under way, and for good when the process was killed meanwhile. */
  fate: 'unknown' | 'acknowledged' | 'conflict' | 'failed';
}

interface Change {
  readonly revision: number;
  readonly key: string;
  readonly deleted: boolean;
  readonly text: string;
}

/**
 * Remembers every version that anyone was ever shown, over all lives of a store, and holds each new life to it: what
 * was shown stays, nothing appears behind it, and nothing appears that nobody wrote or that was refused.
 */
export class Witness {
  readonly #attempts = new Map<string, Attempt>();
  readonly #changes: Change[] = [];
  readonly #byRevision = new Map<number, Change>();
  readonly #state = new Map<string, Change>();

  /** The newest revision that was shown to anyone. */
  get newest(): number {
    return this.#changes.at(-1)?.revision ?? 0;
  }

  get changes(): readonly Change[] {
    return this.#changes;
  }

  tried(attempt: Attempt): void {
    this.#attempts.set(attempt.text, attempt);
  }

  /** Takes a version as a watch of everything shows it, in its order, each once. */
  see(version: Version, life: number): void {
    const change = readable(version);
    const { revision, key, text, deleted } = change;
    assert(revision > this.newest, `${revision} appeared behind ${this.newest}, which was shown before`);
    const attempt = this.#attempts.get(text);
    assert(attempt, `nobody wrote what ${revision} holds`);
    assert.deepEqual({ key, deleted }, { key: attempt.key, deleted: attempt.deleted });
    assert.notEqual(attempt.fate, 'conflict', `${revision} was refused for a conflict`);
    assert(attempt.fate !== 'failed' || attempt.life !== life, `${revision} failed and is shown all the same`);
    assert.equal(
      attempt.expected,
      this.#state.get(key)?.revision ?? 0,
      `${revision} does not stand on what it expected`,
    );
    this.#changes.push(change);
    this.#byRevision.set(revision, change);
    this.#attempts.delete(text);
    if (deleted) this.#state.delete(key);
    else this.#state.set(key, change);
  }

  /** A version anyone was handed otherwise than by the watch: the watch had it before, and it is the same. */
  recognise(version: Version): void {
    assert.deepEqual(readable(version), this.#byRevision.get(version.revision));
  }

  /** The log holds what was shown, now and at every revision it still has. */
  compare(log: VersionLog): void {
    assert(log.revision >= this.newest, `the log is at ${log.revision}, but ${this.newest} was shown`);
    assert.deepEqual(sorted(log.list(COLLECTION).map(readable)), sorted([...this.#state.values()]));
    const past = new Map<string, Change>();
    let at = 0;
    for (let revision = 1; revision <= this.newest; revision++) {
      for (; (this.#changes[at]?.revision ?? Number.POSITIVE_INFINITY) <= revision; at++) play(past, this.#changes[at]);
      if (revision < log.compacted) continue;
      assert.deepEqual(sorted(log.list(COLLECTION, { revision }).map(readable)), sorted([...past.values()]));
    }
  }
}

function play(state: Map<string, Change>, change: Change | undefined): void {
  if (change === undefined) return;
  if (change.deleted) state.delete(change.key);
  else state.set(change.key, change);
}

const readable = ({ revision, key, deleted, bytes }: Version): Change => {
  const stamped = bytes.toString();
  assert(stamped.startsWith(`${revision}#`), `${revision} is stamped ${stamped}`);
  return { revision, key, deleted, text: stamped.slice(`${revision}`.length) };
};

const sorted = (changes: Change[]): Change[] => changes.sort((a, b) => (a.key < b.key ? -1 : 1));
