import { createRequire } from 'node:module';
import type { StoredVersion } from '../backend.ts';
import { NumberQueue } from '../number-queue.ts';
import { asOf } from './archived-version.ts';
import { Audience, inScope } from './audience.ts';
import { type Left, leftAtStart } from './dormant-version.ts';
import { CollectionView } from './entries.ts';
import type { Timeline } from './timeline.ts';
import { changeBy, Version } from './version.ts';

// A CommonJS package with a default export: `import` gives different things in Node and under bundlers.
const { default: BTree }: typeof import('sorted-btree') = createRequire(import.meta.url)('sorted-btree');

/** Which entries of a collection to read. Without a `revision` they are read as they are now. */
export interface Selection {
  /** Only entries whose rest of the key starts so. */
  readonly prefix?: string;
  /** Only entries whose rest of the key comes after this one. */
  readonly after?: string;
  /** As of this revision, which must not be in the future. */
  readonly revision?: number;
}

export interface Page extends Selection {
  /** At most so many; ask for one more than you need to learn whether there are more. */
  readonly limit?: number;
}

/** A part of the retained versions of a scope. */
export interface Slice {
  readonly versions: readonly Version[];
  /** All versions of the scope up to this revision have been seen. */
  readonly through: number;
  /** Whether there is nothing later. */
  readonly isLast: boolean;
}

/** How many versions are handed over at a stretch, how many bytes they have, and how many are looked at for that. */
const SLICE_VERSIONS = 512;
const SLICE_BYTES = 1 << 20;
const SLICE_LOOKS = 20_000;

const STOP = { break: 0 };

/** Everything under one first key segment: the entries in key order, and their retained versions in revision order. */
export class Collection {
  readonly audience = new Audience();
  readonly #base: string;
  /** The newest version of every key; deletions too, until compaction passes them. */
  readonly #newest = new BTree<string, Version>(undefined, compareKeys);
  /** Deletions that compaction has passed and that are remembered all the same, of keys that were not made anew. */
  readonly #gone = new Map<string, Version>();
  readonly #timeline: Timeline;
  /** Which versions of the timeline are of this collection, in order. */
  readonly #retained = new NumberQueue();
  #live = 0;
  /** How many changes those who follow were told of. */
  delivered = 0;
  /** How many entries there are now below each first segment of the rest of the key. */
  readonly #liveBelow = new Map<string, number>();

  constructor(name: string, timeline: Timeline) {
    this.#timeline = timeline;
    this.#base = `/${name}/`;
  }

  /** How many entries there are now. */
  get live(): number {
    return this.#live;
  }

  /** How many versions a watch from the oldest possible revision would be given. */
  get retained(): number {
    return this.#retained.length;
  }

  /** The key without its collection. */
  rest(key: string): string {
    return key.slice(this.#base.length);
  }

  /** `left`: where the bytes are of versions that come without. */
  append(stored: StoredVersion, left?: Left): Version {
    const previous = this.#newest.get(stored.key) ?? this.#gone.get(stored.key);
    const version =
      left === undefined || stored.left === undefined
        ? new Version(stored, previous)
        : leftAtStart(stored, stored.left, previous, left);
    if (this.#gone.size > 0) this.#gone.delete(stored.key);
    this.#countLive(version.key, changeBy(version));
    this.#newest.set(version.key, version);
    this.#retained.push(this.#timeline.push(version));
    return version;
  }

  get(key: string, revision = Number.POSITIVE_INFINITY): Version | undefined {
    const version = asOf(this.#newest.get(key), revision);
    return version?.deleted ? undefined : version;
  }

  /** The newest version of a key, be it a deletion, for as long as that is remembered. */
  newestOf(key: string): Version | undefined {
    return this.#newest.get(key) ?? this.#gone.get(key);
  }

  list(page: Page): Version[] {
    const { limit = Number.POSITIVE_INFINITY } = page;
    const versions: Version[] = [];
    if (limit <= 0 || (this.#live === 0 && page.revision === undefined)) return versions;
    this.#visit(page, (version) => versions.push(version) < limit);
    return versions;
  }

  /** The entries as they are now, to be read at leisure. `prefix`: only those whose rest of the key starts so. */
  view(prefix: string): CollectionView {
    return new CollectionView(this.#newest.clone(), this.#base + prefix);
  }

  /** The newest version of every key as of now, deletions included that are held. */
  *newest(): Generator<Version> {
    yield* this.#newest.clone().values();
    yield* [...this.#gone.values()];
  }

  count(selection: Selection): number {
    const { prefix = '', after = '', revision } = selection;
    if (after === '' && prefix.indexOf('/') === prefix.length - 1) {
      const live = prefix === '' ? this.#live : (this.#liveBelow.get(prefix) ?? 0);
      return revision === undefined ? live : live - this.#grownSince(revision, prefix);
    }
    let count = 0;
    this.#visit(selection, () => {
      count++;
      return true;
    });
    return count;
  }

  /** The retained versions after a revision, oldest first, as many as may be handed over at a stretch. */
  since(revision: number, scope: string): Slice {
    const versions: Version[] = [];
    const first = this.#firstAfter(revision);
    const end = Math.min(this.#retained.length, first + SLICE_LOOKS);
    let bytes = 0;
    let at = first;
    for (; at < end && versions.length < SLICE_VERSIONS && bytes < SLICE_BYTES; at++) {
      const version = this.#versionAt(at, scope);
      if (version === undefined) continue;
      versions.push(version);
      bytes += version.size;
    }
    const last = this.#retained.at(at - 1);
    const through = last === undefined ? revision : this.#timeline.revisionAt(last);
    return { versions, through, isLast: at >= this.#retained.length };
  }

  /** Puts what stands for the newest version of a key in its place; false when it is not the newest. */
  replaceNewest(version: Version, dormant: Version): boolean {
    if (this.#newest.get(version.key) !== version) return false;
    this.#newest.set(version.key, dormant);
    return true;
  }

  /** As `replaceNewest`, for a deletion. */
  replaceDeletion(deletion: Version, archived: Version): boolean {
    const { key } = deletion;
    if (this.#gone.get(key) === deletion) {
      this.#gone.set(key, archived);
      return true;
    }
    return this.replaceNewest(deletion, archived);
  }

  /** Removes a deletion from the index; false when its key has been created anew. */
  forget(deletion: Version): boolean {
    const { key } = deletion;
    if (this.#gone.get(key) === deletion) return this.#gone.delete(key);
    if (this.#newest.get(key) !== deletion) return false;
    this.#newest.delete(key);
    return true;
  }

  /** Takes a deletion out of the index and remembers it: lists need not pass over it any more. */
  setAside(deletion: Version): void {
    if (this.forget(deletion)) this.#gone.set(deletion.key, deletion);
  }

  /** Lets go of versions that are not in the timeline any more. */
  trim(): void {
    this.#retained.drop(this.#retained.countBelow(this.#timeline.first));
  }

  /** How many of the retained versions come before those that are later than a revision. */
  #firstAfter(revision: number): number {
    return this.#retained.countBelow(this.#timeline.firstAfter(revision));
  }

  /** The retained version with so many before it, if it is within a scope. */
  #versionAt(at: number, scope: string): Version | undefined {
    const number = this.#retained.at(at);
    const key = number === undefined ? undefined : this.#timeline.keyAt(number);
    if (number === undefined || key === undefined || !inScope(this.rest(key), scope)) return undefined;
    return this.#timeline.at(number);
  }

  /** How many more entries there are now below a prefix than as of a revision. */
  #grownSince(revision: number, prefix: string): number {
    const start = this.#base + prefix;
    let grown = 0;
    for (let at = this.#firstAfter(revision); at < this.#retained.length; at++) {
      const number = this.#retained.at(at);
      if (number !== undefined && this.#timeline.keyAt(number)?.startsWith(start))
        grown += this.#timeline.changeAt(number);
    }
    return grown;
  }

  #countLive(key: string, more: number): void {
    if (more === 0) return;
    this.#live += more;
    const slash = key.indexOf('/', this.#base.length);
    if (slash === -1) return;
    const segment = key.slice(this.#base.length, slash + 1);
    const count = (this.#liveBelow.get(segment) ?? 0) + more;
    if (count > 0) this.#liveBelow.set(segment, count);
    else this.#liveBelow.delete(segment);
  }

  /** Calls back for each selected entry in key order until told `false`. */
  #visit({ prefix = '', after, revision }: Selection, callback: (version: Version) => boolean): void {
    const start = this.#base + prefix;
    // The key that comes right after `after`, so that the range can include its lower end.
    const resume = after === undefined || after === '' ? start : `${this.#base}${after}\0`;
    const low = compareKeys(resume, start) > 0 ? resume : start;
    this.#newest.forRange(low, `${start}\uffff`, true, (_key, newest) => {
      const version = revision === undefined ? newest : asOf(newest, revision);
      if (version === undefined || version.deleted) return;
      return callback(version) ? undefined : STOP;
    });
  }
}

function compareKeys(a: string, b: string): number {
  if (a < b) return -1;
  return a > b ? 1 : 0;
}
