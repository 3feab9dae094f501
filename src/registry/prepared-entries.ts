import type { Entries } from '../storage/log/entries.ts';
import type { Version } from '../storage/log/version.ts';

/** How many are prepared together. */
const BATCH = 256;

/** Brings versions into a form that can be rendered; undefined when they are in it. */
export type Prepare = (versions: readonly Version[]) => Promise<readonly Version[]> | undefined;

/** Entries that have to be prepared before they can be shown: some are, and the others when these have been taken. */
export class PreparedEntries implements Entries {
  readonly #entries: Entries;
  readonly #prepare: Prepare;
  #ready: readonly Version[] = [];
  #preparing: Promise<unknown> | undefined;

  constructor(entries: Entries, prepare: Prepare) {
    this.#entries = entries;
    this.#prepare = prepare;
  }

  get done(): boolean {
    return this.#ready.length === 0 && this.#entries.done && !this.#preparing;
  }

  ready(): Promise<unknown> | undefined {
    if (this.#preparing) return this.#preparing;
    if (this.#ready.length > 0) return undefined;
    // There may be none among those that are looked at: whoever reads asks again, at their own pace.
    const versions = this.#entries.next(BATCH);
    const preparing = this.#prepare(versions);
    if (preparing) return this.#await(preparing);
    this.#ready = versions;
    return undefined;
  }

  /** Those that are ready. */
  next(most: number): readonly Version[] {
    const next = this.#ready.slice(0, most);
    this.#ready = this.#ready.slice(most);
    return next;
  }

  #await(preparing: Promise<readonly Version[]>): Promise<unknown> {
    const over = (versions: readonly Version[]): void => {
      this.#preparing = undefined;
      this.#ready = versions;
    };
    this.#preparing = preparing.then(over, (error) => {
      over([]);
      throw error;
    });
    return this.#preparing;
  }
}
