import { restEveryTurn } from '../../runtime/pacing.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Slabs } from '../slabs.ts';
import { isInMemory } from './archived-version.ts';
import type { Collections } from './collections.ts';
import type { Version } from './version.ts';

/** Less is not worth the trouble, */
const LEAST_FREE = 1 << 20;
/** nor is less than this for each version that has to be looked at. */
const LEAST_FREE_EACH = 64;

export interface TidyingParts {
  readonly runtime: Runtime;
  readonly collections: Collections;
  readonly slabs: Slabs;
  /** Told where the bytes of a version are from now on, for whoever else holds them. */
  onMoved?(version: Version): void;
}

/** Moves bytes of versions out of slabs that are mostly free, so that those can be given back. */
export class Tidying {
  readonly #parts: TidyingParts;
  #isAtIt = false;
  #isClosed = false;

  constructor(parts: TidyingParts) {
    this.#parts = parts;
  }

  /** Looks whether there is enough to be had, and gets it in the background, a turn at a time. */
  look(): void {
    if (this.#isAtIt || this.#isClosed) return;
    const { slabs, collections } = this.#parts;
    const { live, retained } = collections.count();
    if (slabs.findSparse() < Math.max(LEAST_FREE, LEAST_FREE_EACH * (live + retained))) return;
    slabs.retireSparse();
    this.#isAtIt = true;
    void this.#tidy().finally(() => {
      this.#isAtIt = false;
    });
  }

  close(): void {
    this.#isClosed = true;
  }

  async #tidy(): Promise<void> {
    const { collections, runtime } = this.#parts;
    const rest = restEveryTurn(runtime);
    for (const newest of collections.newest()) {
      if (this.#isClosed) return;
      for (let version: Version | undefined = newest; version !== undefined; version = version.previous) {
        this.#move(version);
      }
      const pause = rest();
      if (pause) await pause;
    }
  }

  #move(version: Version): void {
    const { slabs, onMoved } = this.#parts;
    if (!isInMemory(version) || !slabs.isSparse(version.bytes)) return;
    const { bytes } = version;
    version.bytes = slabs.keep(bytes);
    slabs.release(bytes);
    onMoved?.(version);
  }
}
