import type { Version } from './version.ts';

/** Versions that are read in order, a few at a time. For one reader. */
export interface Entries {
  /** Nothing more will come. */
  readonly done: boolean;
  /** The next ones, at most so many; there may be none of them before it is done. */
  next(most: number): readonly Version[];
  /** Settles when `next` has something to give; undefined when it has. Absent where it always has. */
  ready?(): Promise<unknown> | undefined;
}

/** Entries that can be read any number of times. */
export interface View extends Entries {
  /** From the beginning, for another reader. */
  again(): Entries;
}

/** Versions that are at hand already. */
export class ListedEntries implements View {
  readonly #versions: readonly Version[];
  #at = 0;

  constructor(versions: readonly Version[]) {
    this.#versions = versions;
  }

  get done(): boolean {
    return this.#at >= this.#versions.length;
  }

  again(): ListedEntries {
    return new ListedEntries(this.#versions);
  }

  next(most: number): readonly Version[] {
    const from = this.#at;
    this.#at += most;
    return this.#versions.slice(from, this.#at);
  }
}

const STOP = { break: true };

/** As much of the tree of a collection as a view uses. */
interface Index {
  forRange(
    low: string,
    high: string,
    includeHigh: boolean,
    onFound: (key: string, version: Version) => { break?: boolean } | undefined,
  ): boolean | number;
}

/**
 * The entries of a collection as they were when the view was made, whatever is written since: it has the index as of that
 * moment, of which writers copy what they change. To make one costs nothing, however many entries there are.
 */
export class CollectionView implements View {
  readonly #index: Index;
  readonly #start: string;
  readonly #end: string;
  #from: string;
  #done = false;

  /** `start`: what the keys begin with. */
  constructor(index: Index, start: string) {
    this.#index = index;
    this.#start = start;
    this.#from = start;
    this.#end = `${start}\uffff`;
  }

  get done(): boolean {
    return this.#done;
  }

  again(): CollectionView {
    return new CollectionView(this.#index, this.#start);
  }

  /** Looks at so many entries; those that are deleted are passed over. */
  next(most: number): readonly Version[] {
    const versions: Version[] = [];
    let looked = 0;
    let last = '';
    const stopped = this.#index.forRange(this.#from, this.#end, true, (key, version) => {
      if (looked === most) return STOP;
      looked++;
      last = key;
      if (!version.deleted) versions.push(version);
      return undefined;
    });
    this.#done = stopped !== true;
    // The key that comes right after the last one.
    this.#from = `${last}\0`;
    return versions;
  }
}

/** Those that a test passes. */
export class SelectedEntries implements Entries {
  readonly #entries: Entries;
  readonly #selects: (version: Version) => boolean;

  constructor(entries: Entries, selects: (version: Version) => boolean) {
    this.#entries = entries;
    this.#selects = selects;
  }

  get done(): boolean {
    return this.#entries.done;
  }

  ready(): Promise<unknown> | undefined {
    return this.#entries.ready?.();
  }

  next(most: number): readonly Version[] {
    return this.#entries.next(most).filter(this.#selects);
  }
}
