import { collectionOf, type StateDifference, type StoredVersion } from '../backend.ts';
import { Collection } from './collection.ts';
import type { View } from './entries.ts';
import { Timeline } from './timeline.ts';
import type { Version } from './version.ts';

/** Every collection of a log, by name. */
export class Collections {
  readonly #byName = new Map<string, Collection>();
  /** The versions of all of them. */
  readonly timeline: Timeline;

  constructor(timeline = new Timeline()) {
    this.timeline = timeline;
  }

  /** The collection, if anything was ever in it. */
  find(name: string): Collection | undefined {
    return this.#byName.get(name);
  }

  /** The collection, which is made when it is asked for first. */
  named(name: string): Collection {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const collection = new Collection(name, this.timeline);
    this.#byName.set(name, collection);
    return collection;
  }

  /** The collection that a key belongs to. */
  of(key: string): Collection {
    return this.named(collectionOf(key));
  }

  /** The newest version of a key, or the one as of a revision, unless that is a deletion. */
  get(key: string, revision?: number): Version | undefined {
    return this.#byName.get(collectionOf(key))?.get(key, revision);
  }

  /** The newest version of a key, be it a deletion. */
  newestOf(key: string): Version | undefined {
    return this.#byName.get(collectionOf(key))?.newestOf(key);
  }

  /** How many versions are live, and how many are kept. */
  count(): { readonly live: number; readonly retained: number } {
    let live = 0;
    let retained = 0;
    for (const collection of this.#byName.values()) {
      live += collection.live;
      retained += collection.retained;
    }
    return { live, retained };
  }

  /** The newest version of every key, deletions included that are held, to be looked at at leisure. */
  *newest(): Generator<Version> {
    for (const collection of [...this.#byName.values()]) yield* collection.newest();
  }

  /** What every collection holds now, to be looked at at leisure. */
  views(): View[] {
    return [...this.#byName.values()].map((collection) => collection.view(''));
  }

  /** Has all who watch list again. */
  dismiss(report: (error: unknown) => void): void {
    for (const { audience } of this.#byName.values()) audience.dismiss(report);
  }

  /** Ends all watches. */
  cutOff(report: (error: unknown) => void): void {
    for (const { audience } of this.#byName.values()) audience.cutOff(report);
  }

  /** Lets go of versions that are not in the timeline any more. */
  trim(): void {
    for (const collection of this.#byName.values()) collection.trim();
  }

  /** What makes this state another one. */
  differenceTo(state: readonly StoredVersion[]): StateDifference {
    const put: StoredVersion[] = [];
    let found = 0;
    for (const version of state) {
      const now = this.get(version.key);
      if (now) found++;
      if (now?.revision !== version.revision) put.push(version);
    }
    return { put, gone: found === this.count().live ? [] : this.#missingFrom(state) };
  }

  #missingFrom(state: readonly StoredVersion[]): string[] {
    const present = new Set(state.map(({ key }) => key));
    const live = [...this.#byName.values()].flatMap((collection) => collection.list({}));
    return live.map(({ key }) => key).filter((key) => !present.has(key));
  }

  /**
   * The deletions of keys that are live here. When and how they went is not known: they are told to go with all that is known
   * of them.
   */
  deletionsOf(keys: readonly string[], revision: number, time: number): StoredVersion[] {
    return keys.flatMap((key) => {
      const live = this.get(key);
      return live ? [{ revision, key, bytes: live.bytes, deleted: true, time }] : [];
    });
  }
}
