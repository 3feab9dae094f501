import { open as openFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectories } from '../../directories.ts';
import type { Runtime } from '../../runtime.ts';
import { type Load, StorageRefused, StorageUnavailable, type StoredVersion } from '../backend.ts';
import type { Disk, Transaction } from '../disk.ts';
import { type DirectoryLock, lockDirectory } from './directory-lock.ts';
import { openTables, type Tables, transact } from './tables.ts';

const FORMAT = '1';
const LOAD_BATCH = 1_000;

export interface LmdbDiskOptions {
  readonly runtime: Runtime;
  readonly directory: string;
  readonly vocabulary: string;
}

/** One directory with an LMDB environment, held by one process. */
export class LmdbDisk implements Disk {
  readonly #options: LmdbDiskOptions;
  #directory: string;
  #lock: DirectoryLock | undefined;
  /** Opened by the first who needs it; closed after loading and after a failed write, which may have spoilt it. */
  #tables: Tables | undefined;

  constructor(options: LmdbDiskOptions) {
    this.#options = options;
    this.#directory = options.directory;
  }

  open(): Promise<void> {
    return this.#opening(async () => {
      makeDirectories(this.#directory);
      this.#directory = await realpath(this.#directory);
      this.#lock = await lockDirectory(this.#directory, this.#options.runtime);
      this.#tables = openTables(this.#directory);
      await this.#identify(this.#tables);
    });
  }

  /** The file's data, and its name in the directory. */
  sync(): Promise<void> {
    return this.#opening(async () => {
      await syncPath(join(this.#directory, 'data.mdb'));
      await syncPath(this.#directory);
    });
  }

  /** Nothing is read again later, so the map is closed afterwards: that gives back the memory of the pages read. */
  load(take: Load): Promise<number> {
    return this.#opening(async () => {
      this.#tables ??= openTables(this.#directory);
      scan(this.#tables, take);
      const compacted = Number(this.#tables.meta.get('compacted') ?? 0);
      await this.#closeTables();
      return compacted;
    });
  }

  async write({ put = [], remove = [], compacted }: Transaction): Promise<void> {
    try {
      this.#tables ??= openTables(this.#directory);
      // Whoever reads keeps pages from being used again, also one that was killed, until someone looks.
      if (compacted !== undefined) this.#tables.root.readerCheck();
      await transact(this.#tables, ({ meta, versions }) => {
        if (compacted !== undefined) meta.put('compacted', String(compacted));
        for (const revision of remove) versions.remove(revision);
        for (const version of put) versions.put(version.revision, version);
      });
    } catch (cause) {
      await this.#closeTables();
      throw new StorageUnavailable(`cannot write to ${this.#directory}: ${messageOf(cause)}`, { cause });
    }
  }

  async close(): Promise<void> {
    await this.#closeTables();
    await this.#lock?.release();
    this.#lock = undefined;
  }

  async #closeTables(): Promise<void> {
    const tables = this.#tables;
    this.#tables = undefined;
    await tables?.root.close();
  }

  async #opening<T>(step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (error) {
      if (error instanceof StorageRefused) throw error;
      throw new StorageRefused(`cannot open ${this.#directory}: ${messageOf(error)}`, { cause: error });
    }
  }

  async #identify(tables: Tables): Promise<void> {
    const { meta, versions } = tables;
    const format = meta.get('format');
    if (format === undefined && versions.getCount() === 0) return this.#initialise(tables);
    if (format !== FORMAT) {
      throw new StorageRefused(`${this.#directory} has the data format ${format}; this server reads ${FORMAT}`);
    }
    const [own, wanted] = [meta.get('vocabulary'), this.#options.vocabulary];
    if (own !== wanted) {
      throw new StorageRefused(
        `${this.#directory} is written in the vocabulary ${own}; it cannot be opened in ${wanted}`,
      );
    }
  }

  #initialise(tables: Tables): Promise<void> {
    return transact(tables, ({ meta }) => {
      meta.put('format', FORMAT);
      meta.put('vocabulary', this.#options.vocabulary);
    });
  }
}

async function syncPath(path: string): Promise<void> {
  const handle = await openFile(path);
  await handle.sync().finally(() => handle.close());
}

function scan({ versions }: Tables, take: (batch: StoredVersion[]) => void): void {
  let batch: StoredVersion[] = [];
  for (const { key: revision, value } of versions.getRange()) {
    const { key, bytes, deleted, time } = value;
    batch.push({ revision, key, bytes, deleted, time });
    if (batch.length < LOAD_BATCH) continue;
    take(batch);
    batch = [];
  }
  take(batch);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
