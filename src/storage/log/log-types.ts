import type { Runtime } from '../../runtime/runtime.ts';
import type { Write } from '../backend.ts';
import type { View } from './entries.ts';
import type { Version } from './version.ts';

/**
 * One step of forgetting: by age as a matter of course, by size when the cap on history bites, by room when the store may
 * not grow.
 */
export interface Compaction {
  readonly through: number;
  readonly reason: 'age' | 'size' | 'room';
  /** Of what is kept for longer: of which collection. */
  readonly collection?: string;
}

export interface VersionLogOptions {
  readonly runtime: Runtime;
  /** How long a version is kept after it was superseded or deleted; 5 minutes unless told. */
  readonly retentionMs?: number;
  /** Collections whose versions are remembered for longer than that, in milliseconds. They can be watched and listed no longer. */
  readonly retentionFor?: ReadonlyMap<string, number>;
  /** How many bytes of memory history alone may take, whatever its age; 64 MiB unless told. */
  readonly historyMemory?: number;
  /** Texts that many will look for in all that is stored (`mentions`): where a store is read as a whole, they are looked for then. */
  readonly lookFor?: readonly string[];
  /**
   * How many bytes of memory the newest versions may take; what is beyond is left to stores that can give single versions
   * back. Without a limit unless told.
   */
  readonly liveMemory?: number;
  onCompaction?(compaction: Compaction): void;
  /** Told of every write that the store has answered, and how long that took, in milliseconds. */
  onCommit?(write: Write, milliseconds: number): void;
  /** What a subscriber threw, or why the backend could not compact. A process warning unless told. */
  onError?(error: unknown): void;
}

export type Commit =
  | { readonly conflict: false; readonly version: Version }
  /** The revision the key really has, 0 when it does not exist. */
  | { readonly conflict: true; readonly revision: number; readonly outrun?: boolean };

export interface Watch {
  /** Versions later than this revision. */
  readonly after: number;
  /** '' for the whole collection, `a/` for all entries below `a`, `a/b` for that entry alone. */
  readonly scope?: string;
}

/**
 * All that a log held at one moment, to be put back into the same log. To take one costs next to nothing, however much is
 * stored: versions never change, and writers copy what they change of an index.
 */
export interface LogSnapshot {
  /** The revision of that moment. */
  readonly revision: number;
  /** What every collection held. Versions that were put back since stand for those that they are copies of. */
  collections: readonly View[];
}

export interface Subscription {
  /** The revision up to which everything has been handed over. */
  readonly reached: number;
  close(): void;
}

export interface LogStats {
  /** Live entries of all collections. */
  readonly live: number;
  /** Versions that watches can be given. */
  readonly retained: number;
  /** What is held in memory only because of history, in bytes. */
  readonly historyBytes: number;
  /** How often history was forgotten, by reason. */
  readonly compactions: Readonly<Record<Compaction['reason'], number>>;
  /** How many versions are remembered that can be watched no longer, by collection. */
  readonly kept: ReadonlyMap<string, number>;
}
