import type { Archive, Backend, Opening } from '../backend.ts';
import { slabs } from '../slabs.ts';
import type { Collections } from './collections.ts';
import type { Left } from './dormant-version.ts';
import { Forgetting } from './forgetting.ts';
import { LiveMemory } from './live-memory.ts';
import type { VersionLogOptions } from './log-types.ts';
import { Tidying } from './tidying.ts';
import type { Version } from './version.ts';

/** Keeps what a log holds within bounds: what is past, what is not, and the memory that neither uses any more. */
export class Upkeep {
  readonly past: Forgetting;
  /** Where versions are read that are in the store alone. Absent when the store cannot give back single ones. */
  readonly left: Left | undefined;
  readonly #live: LiveMemory | undefined;
  readonly #tidying: Tidying;

  constructor(
    options: VersionLogOptions,
    backend: Backend,
    archive: Archive | undefined,
    collections: Collections,
    onError: (error: unknown) => void,
  ) {
    const { runtime, lookFor = [], liveMemory: budget = Number.POSITIVE_INFINITY, onCompaction } = options;
    const tidying = new Tidying({ runtime, collections, slabs, backend });
    const past = new Forgetting({
      ...options,
      backend,
      collections,
      archive,
      onCompaction(compaction) {
        tidying.look();
        onCompaction?.(compaction);
      },
      onError,
    });
    const left = archive && { archive, lookFor };
    const onDormant = (dormant: Version): void => past.replace(dormant);
    this.past = past;
    this.left = left;
    this.#live = left && new LiveMemory({ runtime, collections, slabs, left, budget, onDormant });
    this.#tidying = tidying;
  }

  /** To be told of every version that enters the log, in revision order, */
  note(version: Version): void {
    this.#live?.note(version);
    this.past.note(version);
  }

  /** when some have come in while the store is loaded, */
  loading(): void {
    this.past.archive();
  }

  /** when all of it has, */
  begin(opening: Opening): void {
    this.past.begin(opening);
  }

  /** and when some have come in since. */
  grown(): void {
    this.past.keepWithinBounds();
    this.#live?.keepWithinBounds();
    this.#tidying.lookIfGrown();
  }

  /** Settles when the backend is no longer at work. */
  close(): Promise<void> {
    const forgotten = this.past.close();
    this.#tidying.close();
    this.#live?.close();
    return forgotten;
  }
}
