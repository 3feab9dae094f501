import { restEveryTurn } from '../../runtime/pacing.ts';
import { type Runtime, sleep } from '../../runtime/runtime.ts';
import type { Backend } from '../backend.ts';
import type { Slabs } from '../slabs.ts';
import { urgeSometimes } from '../urging.ts';
import { ArchivedRow, isInMemory } from './archived-version.ts';
import type { Collections } from './collections.ts';
import type { Version } from './version.ts';

/** Less is not worth the trouble, */
const LEAST_FREE = 1 << 20;
/** nor is less than this for each version that has to be looked at. */
const LEAST_FREE_EACH = 64;

/** After so many versions the engine is asked to collect, once all of them are past, */
const MANY = 10_000;

/** and asked once more after a while. */
const COLLECT_AGAIN_MS = 10_000;

/** Versions of one object looked at between two looks at the clock. */
const LOOKS = 1_000;

export interface TidyingParts {
  readonly runtime: Runtime;
  readonly collections: Collections;
  readonly slabs: Slabs;
  /** Told where the bytes of a version are from now on. */
  readonly backend: Pick<Backend, 'moved'>;
}

/** Moves bytes of versions out of slabs that are mostly free, so that those can be given back. */
export class Tidying {
  readonly #parts: TidyingParts;
  #isAtIt = false;
  #lookAgain = false;
  #seen = 0;
  /** The end of the timeline when the engine was last asked to collect because all was past. */
  #quietSince = 0;
  #isClosed = false;

  constructor(parts: TidyingParts) {
    this.#parts = parts;
  }

  /** Looks whether there is enough to be had, and gets it in the background, a turn at a time. */
  look(): void {
    this.#collectWhenQuiet();
    if (this.#isAtIt) this.#lookAgain = true;
    if (this.#isAtIt || this.#isClosed) return;
    this.#lookAgain = false;
    const { slabs, collections } = this.#parts;
    const toLookAt = collections.count().live + collections.timeline.objects;
    if (slabs.findSparse() < Math.max(LEAST_FREE, LEAST_FREE_EACH * toLookAt)) return;
    slabs.retireSparse();
    this.#isAtIt = true;
    void this.#tidy().finally(() => {
      this.#isAtIt = false;
      if (this.#lookAgain) this.look();
    });
  }

  /** As `look`, if another slab has been begun since: there may be others to give back for it. */
  lookIfGrown(): void {
    const { begun } = this.#parts.slabs;
    if (begun === this.#seen) return;
    this.#seen = begun;
    this.look();
  }

  close(): void {
    this.#isClosed = true;
  }

  /** What a process made while it was busy, it may hold on to for long when nothing happens any more. */
  #collectWhenQuiet(): void {
    const { collections } = this.#parts;
    const { first, end } = collections.timeline;
    if (this.#isClosed || first < end || end - this.#quietSince < MANY) return;
    this.#quietSince = end;
    void this.#collect();
  }

  /** The first time leaves pages that are nearly empty; they go the second time. */
  async #collect(): Promise<void> {
    const { runtime, slabs } = this.#parts;
    slabs.urge();
    await sleep(runtime, COLLECT_AGAIN_MS);
    if (!this.#isClosed) slabs.urge();
  }

  async #tidy(): Promise<void> {
    await this.#moveAll();
    const { runtime, slabs } = this.#parts;
    await urgeSometimes(runtime, slabs, () => this.#isClosed);
  }

  async #moveAll(): Promise<void> {
    const { collections, runtime } = this.#parts;
    const rest = restEveryTurn(runtime);
    for (const newest of collections.newest()) {
      if (this.#isClosed) return;
      let looks = 0;
      // What a row superseded is in memory no more than the row is.
      for (let version: Version | undefined = newest; version && !(version instanceof ArchivedRow); ) {
        this.#move(version);
        version = version.previous;
        // A past that is kept for long can have very many.
        if (++looks % LOOKS === 0) await rest();
      }
      const pause = rest();
      if (pause) await pause;
    }
  }

  #move(version: Version): void {
    const { slabs, backend } = this.#parts;
    if (!isInMemory(version) || !slabs.isSparse(version.bytes)) return;
    const { bytes } = version;
    version.bytes = slabs.keep(bytes);
    slabs.release(bytes);
    backend.moved?.(version.revision, version.bytes);
  }
}
