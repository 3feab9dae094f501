import { mkdir, open as openFile, realpath } from 'node:fs/promises';
import type { Runtime } from '../../runtime.ts';
import {
  type Backend,
  type Deliver,
  type Load,
  type Opening,
  type Outcome,
  StorageRefused,
  StorageUnavailable,
  type StoredVersion,
  type Write,
} from '../backend.ts';
import { Sequencer } from '../sequencer.ts';
import { type DirectoryLock, lockDirectory } from './directory-lock.ts';
import { openTables, type Tables, transact } from './tables.ts';

const FORMAT = '1';
const LOAD_BATCH = 1_000;
/** Removals in one transaction; a commit waits for at most one of these. */
const SWEEP_BATCH = 500;

export interface LmdbBackendOptions {
  readonly runtime: Runtime;
  /** Created when it does not exist. */
  readonly directory: string;
  /** The name of the vocabulary the data is written in; a directory keeps its first. */
  readonly vocabulary: string;
}

/** The embedded durable store: one directory, one process, every acknowledged write on disk. */
export class LmdbBackend implements Backend {
  readonly #options: LmdbBackendOptions;
  readonly #sequencer: Sequencer;
  #directory: string;
  #lock: DirectoryLock | undefined;
  /** Undefined before opening and after a failed write, which may have left the environment unusable. */
  #tables: Tables | undefined;
  /** Revisions of failed writes that might have reached the disk; the next write removes them. */
  #doubtful: number[] = [];
  #lastTurn: Promise<unknown> = Promise.resolve();

  constructor(options: LmdbBackendOptions) {
    this.#options = options;
    this.#directory = options.directory;
    this.#sequencer = new Sequencer(options.runtime, (versions) => this.#append(versions));
  }

  async open(load: Load, deliver: Deliver): Promise<Opening> {
    try {
      await mkdir(this.#directory, { recursive: true, mode: 0o700 });
      this.#directory = await realpath(this.#directory);
      this.#lock = await lockDirectory(this.#directory, this.#options.runtime);
      const compacted = await this.#load(load);
      this.#tables = openTables(this.#directory);
      this.#sequencer.start(compacted, deliver);
      return { revision: this.#sequencer.revision, compacted };
    } catch (error) {
      await this.#release();
      if (error instanceof StorageRefused) throw error;
      throw new StorageRefused(`cannot open ${this.#directory}: ${messageOf(error)}`, { cause: error });
    }
  }

  commit(write: Write): Promise<Outcome> {
    return this.#sequencer.commit(write);
  }

  async current(): Promise<number> {
    return this.#sequencer.revision;
  }

  async compact(through: number): Promise<void> {
    const garbage = this.#sequencer.garbage(through);
    for (let from = 0; from === 0 || from < garbage.length; from += SWEEP_BATCH) {
      // The mark goes first: after a crash in between, what is left over counts as gone and is swept later.
      await this.#write(({ meta, versions }) => {
        meta.put('compacted', String(through));
        for (const revision of garbage.slice(from, from + SWEEP_BATCH)) versions.remove(revision);
      });
    }
    this.#sequencer.swept(through);
  }

  async close(): Promise<void> {
    await this.#sequencer.close();
    await this.#lastTurn;
    await this.#release();
  }

  /**
   * Reads everything once and returns the compaction point. Nothing is read again later, so the map is closed
   * afterwards: that gives back the memory of the pages read.
   */
  async #load(load: Load): Promise<number> {
    const tables = openTables(this.#directory);
    try {
      await this.#identify(tables);
      const take = (versions: StoredVersion[]): void => {
        load(versions);
        this.#sequencer.restore(versions);
      };
      scan(tables, take);
      return Number(tables.meta.get('compacted') ?? 0);
    } finally {
      await tables.root.close();
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

  async #initialise(tables: Tables): Promise<void> {
    await transact(tables, ({ meta }) => {
      meta.put('format', FORMAT);
      meta.put('vocabulary', this.#options.vocabulary);
    });
    // The files are on disk; so must be their names.
    const handle = await openFile(this.#directory);
    await handle.sync().finally(() => handle.close());
  }

  async #append(batch: readonly StoredVersion[]): Promise<void> {
    try {
      await this.#write(({ versions }) => {
        for (const revision of this.#doubtful) versions.remove(revision);
        for (const version of batch) versions.put(version.revision, version);
      });
      this.#doubtful = [];
    } catch (error) {
      for (const { revision } of batch) this.#doubtful.push(revision);
      throw error;
    }
  }

  /** One transaction after another, so that none is under way when a failed one closes the environment. */
  #write(action: (tables: Tables) => void): Promise<void> {
    const turn = this.#lastTurn.then(() => this.#transact(action));
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }

  async #transact(action: (tables: Tables) => void): Promise<void> {
    if (this.#lock === undefined) throw new StorageUnavailable('the store is closed');
    try {
      this.#tables ??= openTables(this.#directory);
      await transact(this.#tables, action);
    } catch (cause) {
      const failed = this.#tables;
      this.#tables = undefined;
      await failed?.root.close();
      throw new StorageUnavailable(`cannot write to ${this.#directory}: ${messageOf(cause)}`, { cause });
    }
  }

  async #release(): Promise<void> {
    await this.#tables?.root.close();
    this.#tables = undefined;
    await this.#lock?.release();
    this.#lock = undefined;
  }
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
