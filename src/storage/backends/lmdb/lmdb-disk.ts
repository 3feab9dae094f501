import { existsSync } from 'node:fs';
import { realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeDirectories } from '../../../runtime/directories.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import {
  type KeptPasts,
  type Load,
  type Opening,
  type OpenOptions,
  StorageRefused,
  StorageUnavailable,
  type StoreRoom,
} from '../../backend.ts';
import type { Disk, Transaction } from '../../disk.ts';
import { slabs } from '../../slabs.ts';
import { type DirectoryLock, lockDirectory } from './directory-lock.ts';
import { DiskRoom, type FileUse } from './disk-room.ts';
import { type Identity, identityOf, metaOf } from './identity.ts';
import { lookingFor } from './look.ts';
import { markerOf, markMade, refuseLost, syncPath } from './marker.ts';
import { FileDamaged } from './page-file.ts';
import { ReadMemory } from './read-memory.ts';
import { decodeRecord, encodeRecord, keptIn, lentOut } from './record.ts';
import { isReadAside, readVersionsAside } from './scan-thread.ts';
import { StoreFile } from './store-file.ts';
import { readVersions } from './store-scan.ts';
import { openTables, type Tables, transact, useOf } from './tables.ts';
import { Visitors } from './visits.ts';

/** How old the known size of the store may be. */
const MEASURE_MS = 250;
const LEAVE_ABOVE = 32 << 20;

export interface LmdbDiskOptions {
  readonly runtime: Runtime;
  readonly directory: string;
  readonly vocabulary: string;
  /** How many bytes it may hold; 0 or nothing for no limit. */
  readonly quota?: number;
  /** From which size of its file on it leaves the bytes of versions there when it is opened. */
  readonly leaveAbove?: number;
}

/**
 * One directory with an LMDB environment, held by one process. LMDB maps its file and follows what is in it wherever that
 * leads, so it is handed the file only after all of it was read and found sound by other means.
 */
export class LmdbDisk implements Disk {
  readonly #options: LmdbDiskOptions;
  #directory: string;
  #lock: DirectoryLock | undefined;
  /** From opening to loading. */
  #file: StoreFile | undefined;
  #identity: Identity | undefined;
  #newest = 0;
  /** Opened by the first who needs it after loading; closed after a failed write, which may have spoilt it. */
  #tables: Tables | undefined;
  #isClosing = false;
  #room: DiskRoom | undefined;
  #use: FileUse = { total: 0, used: 0 };
  #measured = Number.NEGATIVE_INFINITY;
  /** Resolves when nobody writes any more, nor wants the file to stay as it is. */
  #still: Promise<void> = Promise.resolve();
  readonly #visitors: Visitors;
  readonly #readMemory: ReadMemory;

  constructor(options: LmdbDiskOptions) {
    this.#options = options;
    this.#directory = options.directory;
    const keeper = { pause: () => this.#pause(), keepPages: () => this.#keepPages() };
    this.#visitors = new Visitors(keeper, options.runtime);
    this.#readMemory = new ReadMemory(options.runtime);
  }

  open(): Promise<void> {
    return this.#opening(async () => {
      makeDirectories(this.#directory);
      this.#directory = await realpath(this.#directory);
      this.#lock = await lockDirectory(this.#directory, this.#options.runtime, this.#visitors.receive);
      if (!existsSync(this.#path)) {
        await refuseLost(this.#directory);
        await this.#create();
      }
      this.#file = new StoreFile(this.#path);
      if (this.#file.isEmpty && !existsSync(markerOf(this.#directory))) {
        // An earlier version was stopped in the middle of its very first start.
        this.#file.close();
        await this.#create();
        this.#file = new StoreFile(this.#path);
      }
      this.#identify(this.#file);
    });
  }

  /** The file's data, and its name in the directory. */
  sync(): Promise<void> {
    return this.#opening(async () => {
      await syncPath(this.#path);
      await syncPath(this.#directory);
    });
  }

  load(take: Load, { mayLeaveBytes, lookFor = [] }: OpenOptions = {}): Promise<Pick<Opening, 'compacted' | 'kept'>> {
    return this.#opening(async () => {
      const [file, identity] = [this.#file, this.#identity];
      if (file === undefined || identity === undefined) throw new Error('it has not been opened');
      const { leaveAbove = LEAVE_ABOVE } = this.#options;
      const leavesBytes = mayLeaveBytes && file.size > leaveAbove;
      this.#newest = isReadAside(file.size)
        ? await readVersionsAside(this.#path, identity, leavesBytes ? lookFor : undefined, take)
        : readVersions(file, identity, leavesBytes ? { look: lookingFor(lookFor) } : { keep: keptIn(slabs) }, take);
      this.#use = file.use;
      this.#closeFile();
      await markMade(this.#directory);
      this.#room = new DiskRoom(this.#directory, this.#options.quota ?? 0, this.#options.runtime);
      await this.#room.begin(this.#newest === 0);
      this.#visitors.open();
      const { compacted, kept } = identity;
      return { compacted, kept };
    });
  }

  async write(transaction: Transaction): Promise<void> {
    const resume = await this.#pause();
    await this.#write(transaction).finally(resume);
  }

  async #write({ put = [], remove = [], compacted, kept }: Transaction): Promise<void> {
    try {
      this.#tables ??= openTables(this.#directory);
      // Whoever reads keeps pages from being used again, also one that was killed, until someone looks.
      if (compacted !== undefined) this.#tables.root.readerCheck();
      const identity = this.#identityWith(compacted, kept);
      await transact(this.#tables, ({ meta, versions }) => {
        if (identity !== this.#identity) for (const [key, value] of metaOf(identity)) meta.put(key, value);
        for (const revision of remove) versions.remove(revision);
        for (const version of put) versions.put(version.revision, encodeRecord(version));
      });
      this.#identity = identity;
      // What was given up for want of room counts at once: more is given up only if that was not enough.
      if (compacted !== undefined) this.#measured = Number.NEGATIVE_INFINITY;
    } catch (cause) {
      await this.#closeTables();
      await this.#room?.failed(cause);
      throw new StorageUnavailable(`cannot write to ${this.#directory}: ${messageOf(cause)}`, { cause });
    }
  }

  read(revision: number, isLent = false): Buffer | undefined {
    if (this.#isClosing) throw new StorageUnavailable(`${this.#directory} is being opened again`);
    this.#tables ??= openTables(this.#directory);
    // The file was sound when it was loaded; that records still are is found out here.
    const lent = this.#tables.versions.getBinaryFast(revision);
    const firstChecked = this.#identity?.checkedFrom ?? Number.POSITIVE_INFINITY;
    // It is longer than its length says, which is another one after every read.
    const record = lent?.subarray(0, lent.length);
    const keep = isLent ? lentOut : this.#readMemory.keep;
    return record && decodeRecord(revision, record, revision < firstChecked, keep).bytes;
  }

  room(): StoreRoom {
    const now = this.#options.runtime.monotonic();
    if (this.#tables && now - this.#measured > MEASURE_MS) {
      this.#use = useOf(this.#tables);
      this.#measured = now;
    }
    const { total, used } = this.#use;
    return this.#room?.room(this.#use) ?? { total, used, problem: undefined };
  }

  async close(): Promise<void> {
    await this.#room?.close();
    this.#visitors.close();
    this.#readMemory.close();
    this.#closeFile();
    await this.#closeTables();
    await this.#lock?.release();
    this.#lock = undefined;
  }

  get #path(): string {
    return join(this.#directory, 'data.mdb');
  }

  /** What the store is after a write. From then on every new record has a checksum. */
  #identityWith(compacted: number | undefined, kept: KeptPasts = new Map()): Identity {
    const { vocabulary } = this.#options;
    const before = this.#identity;
    if (before?.checkedFrom !== undefined && compacted === undefined) return before;
    const checkedFrom = before?.checkedFrom ?? this.#newest + 1;
    if (compacted !== undefined) return { vocabulary, compacted, kept, checkedFrom };
    return { vocabulary, compacted: before?.compacted ?? 0, kept: before?.kept ?? new Map(), checkedFrom };
  }

  /** A store is there as a whole or not at all, so that half of one is never taken for one. */
  async #create(): Promise<void> {
    const workshop = join(this.#directory, 'new');
    await rm(workshop, { recursive: true, force: true });
    makeDirectories(workshop);
    const tables = openTables(workshop);
    const identity = { vocabulary: this.#options.vocabulary, compacted: 0, kept: new Map(), checkedFrom: 0 };
    await transact(tables, ({ meta }) => {
      for (const [key, value] of metaOf(identity)) meta.put(key, value);
    }).finally(() => tables.root.close());
    await syncPath(join(workshop, 'data.mdb'));
    await rename(join(workshop, 'data.mdb'), this.#path);
    await rm(workshop, { recursive: true, force: true });
  }

  #identify({ meta, isEmpty }: StoreFile): void {
    if (isEmpty) throw new FileDamaged('nothing is in it');
    if (meta === undefined) {
      throw new StorageRefused(
        `${this.#directory} holds an LMDB environment that is not a data directory of this server`,
      );
    }
    this.#identity = identityOf(this.#directory, meta);
    const { vocabulary: own } = this.#identity;
    const { vocabulary: wanted } = this.#options;
    if (own !== wanted) {
      throw new StorageRefused(
        `${this.#directory} is written in the vocabulary ${own}; it cannot be opened in ${wanted}`,
      );
    }
  }

  #closeFile(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  /** Waits for those before; the next waits for the returned function to be called. */
  async #pause(): Promise<() => void> {
    const before = this.#still;
    let resume = (): void => undefined;
    this.#still = new Promise((resolve) => {
      resume = resolve;
    });
    await before;
    return resume;
  }

  /** LMDB does not use pages again that a transaction could still read. */
  #keepPages(): () => void {
    this.#tables ??= openTables(this.#directory);
    const reading = this.#tables.versions.useReadTransaction();
    return () => reading.done();
  }

  async #closeTables(): Promise<void> {
    this.#visitors.dismiss();
    const tables = this.#tables;
    this.#tables = undefined;
    this.#isClosing = true;
    try {
      await tables?.root.close();
    } finally {
      this.#isClosing = false;
    }
  }

  async #opening<T>(step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (error) {
      if (error instanceof StorageRefused) throw error;
      if (error instanceof FileDamaged) throw refusalOf(this.#directory, error);
      throw new StorageRefused(`cannot open ${this.#directory}: ${messageOf(error)}`, { cause: error });
    }
  }
}

/** What to tell of a damaged store, and what to do. */
export const refusalOf = (directory: string, damage: FileDamaged): StorageRefused =>
  new StorageRefused(
    `${join(directory, 'data.mdb')} is damaged: ${damage.message}; move ${directory} away and restore the last snapshot ` +
      `with: platform-apiserver snapshot restore FILE --data-dir=${dirname(directory)}`,
    { cause: damage },
  );

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
