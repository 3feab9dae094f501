import type { KeptPasts, Load, Opening, OpenOptions, StoredVersion, StoreRoom } from './backend.ts';

/** What is changed together: all of it or nothing. */
export interface Transaction {
  readonly put?: readonly StoredVersion[];
  /** Revisions to remove; those that are not there are overlooked. Done before `put`. */
  readonly remove?: readonly number[];
  /** The new compaction point, */
  readonly compacted?: number;
  /** and, with it alone, which collections are forgotten to another point. */
  readonly kept?: KeptPasts;
}

/**
 * What an embedded store needs of a medium, in the steps in which it can go wrong. All that can be told of the order of
 * these steps is in `DiskBackend`, which runs the same over LMDB, over memory and over a simulated disk that forgets.
 */
export interface Disk {
  /** Takes the medium for this caller alone. Throws `StorageRefused` when it belongs to someone or something else. */
  open(): Promise<void>;
  /** Makes durable what can be read. A process that was killed may have left what only the page cache has. */
  sync(): Promise<void>;
  /** Hands over all versions in revision order; returns the compaction points, 0 in a new store. */
  load(take: Load, options: OpenOptions): Promise<Pick<Opening, 'compacted' | 'kept'>>;
  /**
   * Resolves when the transaction is durable. When it rejects, the transaction may be there, not be there, or appear in
   * the next process only. Called for one transaction at a time.
   */
  write(transaction: Transaction): Promise<void>;
  /**
   * The bytes of a version that was written, at once; undefined when it is not there. Bytes that are lent are good until the
   * next read only. Absent where reading is no gain.
   */
  read?(revision: number, isLent?: boolean): Buffer | undefined;
  /** Told that a version has its bytes in other memory from now on. Absent where the medium does not hold on to them. */
  moved?(revision: number, bytes: Buffer): void;
  /** Absent where there is always room. */
  room?(): StoreRoom;
  /** Also after a failed `open`, and twice. */
  close(): Promise<void>;
}
