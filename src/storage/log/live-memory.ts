import { restEveryTurn } from '../../runtime/pacing.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Slabs } from '../slabs.ts';
import type { Collections } from './collections.ts';
import { DormantVersion, type Left } from './dormant-version.ts';
import { Version } from './version.ts';

/** How much of the budget is left when it was exceeded. */
const ENOUGH = 0.75;
/** What was written within this time is likely to be written or read again soon. */
const YOUNG_MS = 10_000;
/** So long after all was looked at and too little was old enough. */
const AGAIN_MS = 5_000;

export interface LiveMemoryParts {
  readonly runtime: Runtime;
  readonly collections: Collections;
  readonly slabs: Pick<Slabs, 'release'>;
  readonly left: Left;
  /** How many bytes the newest versions of all keys may take. */
  readonly budget: number;
  /** Told what stands for the newest version of a key from now on. */
  readonly onDormant: (dormant: Version) => void;
}

/**
 * Holds what the newest versions take of memory within a budget: when it is exceeded, bytes of versions that are not young
 * are left to the store, in the background, until there is room.
 */
export class LiveMemory {
  readonly #parts: LiveMemoryParts;
  #bytes = 0;
  #isAtIt = false;
  #lookAgainAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(parts: LiveMemoryParts) {
    this.#parts = parts;
  }

  /** What the newest versions take. */
  get bytes(): number {
    return this.#bytes;
  }

  /** A version has come in. */
  note(version: Version): void {
    const { previous } = version;
    if (previous !== undefined) this.#bytes -= sizeOf(previous);
    this.#bytes += sizeOf(version);
  }

  /** To be called when something has come in. */
  keepWithinBounds(): void {
    const { runtime, budget } = this.#parts;
    if (this.#bytes <= budget || this.#isAtIt || runtime.monotonic() < this.#lookAgainAt) return;
    this.#isAtIt = true;
    void this.#leaveOld().finally(() => {
      this.#isAtIt = false;
    });
  }

  close(): void {
    this.#isClosed = true;
  }

  async #leaveOld(): Promise<void> {
    const { runtime, collections, budget } = this.#parts;
    const rest = restEveryTurn(runtime);
    await new Promise<void>((resolve) => runtime.soon(resolve));
    const before = runtime.now() - YOUNG_MS;
    for (const version of collections.newest()) {
      if (this.#isClosed || this.#bytes <= budget * ENOUGH) return;
      if (version.time < before) this.#leave(version);
      const pause = rest();
      if (pause) await pause;
    }
    this.#lookAgainAt = runtime.monotonic() + AGAIN_MS;
  }

  #leave(version: Version): void {
    const { collections, slabs, left, onDormant } = this.#parts;
    if (sizeOf(version) === 0) return;
    const dormant = new DormantVersion(version, left);
    // Another may have come since the look began.
    if (!collections.of(version.key).replaceNewest(version, dormant)) return;
    onDormant(dormant);
    this.#bytes -= version.size;
    slabs.release(version.bytes);
  }
}

/** What a version takes of memory as the newest of its key. */
const sizeOf = (version: Version): number => (version instanceof Version && !version.deleted ? version.size : 0);
