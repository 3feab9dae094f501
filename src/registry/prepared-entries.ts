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

  constructor(entries: Entries, prepare: Prepare) {
    this.#entries = entries;
    this.#prepare = prepare;
  }

  get done(): boolean {
    return this.#ready.length === 0 && this.#entries.done;
  }

  ready(): Promise<unknown> | undefined {
    while (this.#ready.length === 0 && !this.#entries.done) {
      const versions = this.#entries.next(BATCH);
      const preparing = this.#prepare(versions);
      if (preparing) return preparing.then((prepared) => this.#take(prepared));
      this.#take(versions);
    }
    return undefined;
  }

  /** Those that are ready. */
  next(most: number): readonly Version[] {
    const next = this.#ready.slice(0, most);
    this.#ready = this.#ready.slice(most);
    return next;
  }

  #take(versions: readonly Version[]): void {
    this.#ready = versions;
  }
}
