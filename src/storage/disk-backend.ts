import type { Runtime } from '../runtime/runtime.ts';
import {
  type Archive,
  type Backend,
  type CutOff,
  type Deliver,
  type FormerState,
  type KeptPasts,
  type Load,
  type Opening,
  type OpenOptions,
  type Outcome,
  type Replace,
  StorageUnavailable,
  type StoredVersion,
  type StoreRoom,
  type Write,
} from './backend.ts';
import type { Disk, Transaction } from './disk.ts';
import { Sequencer } from './log/sequencer.ts';

/** Removals in one transaction; a commit waits for at most one of these. */
const SWEEP_BATCH = 500;

/**
 * A store of one process over a disk. Its one promise: nothing is acknowledged, delivered or loaded that a power cut
 * could still take away.
 */
export class DiskBackend implements Backend {
  readonly archive?: Archive;
  readonly room?: () => StoreRoom;
  readonly moved?: (revision: number, bytes: Buffer) => void;
  readonly #disk: Disk;
  readonly #sequencer: Sequencer;
  /** Revisions of failed writes that might have reached the disk; the next write removes them. */
  #doubtful: number[] = [];
  #lastTurn: Promise<unknown> = Promise.resolve();
  #replace: Replace = () => undefined;
  #open = false;

  constructor(runtime: Runtime, disk: Disk) {
    this.#disk = disk;
    if (disk.room) this.room = () => disk.room?.() ?? BOUNDLESS;
    if (disk.moved) this.moved = (revision, bytes) => disk.moved?.(revision, bytes);
    if (disk.read) {
      this.archive = { read: (revision) => this.#read(revision), lend: (revision) => this.#read(revision, true) };
    }
    this.#sequencer = new Sequencer(runtime, (versions) => this.#append(versions));
  }

  async open(
    load: Load,
    deliver: Deliver,
    replace: Replace = () => undefined,
    _cutOff?: CutOff,
    options: OpenOptions = {},
  ): Promise<Opening> {
    this.#replace = replace;
    try {
      await this.#disk.open();
      // What is read now is shown to others: from here on it must not be lost.
      await this.#disk.sync();
      const { compacted, kept = new Map() } = await this.#disk.load((versions) => {
        load(versions);
        this.#sequencer.restore(versions);
      }, options);
      this.#sequencer.start(compacted, deliver);
      this.#open = true;
      return { revision: this.#sequencer.revision, compacted, kept };
    } catch (error) {
      await this.#disk.close();
      throw error;
    }
  }

  commit(write: Write): Promise<Outcome> {
    return this.#sequencer.commit(write);
  }

  async current(): Promise<number> {
    return this.#sequencer.revision;
  }

  async compact(through: number, kept: KeptPasts = new Map()): Promise<void> {
    const garbage = this.#sequencer.garbage(through, kept);
    for (let from = 0; from === 0 || from < garbage.length; from += SWEEP_BATCH) {
      // The mark goes first: after a crash in between, what is left over counts as gone and is swept later.
      await this.#write({ compacted: through, kept, remove: garbage.slice(from, from + SWEEP_BATCH) });
    }
    this.#sequencer.swept(through, kept);
  }

  restore(former: FormerState): Promise<void> {
    return this.#sequencer.restoreFormer(
      former,
      ({ put, remove, revision }) => this.#put(put, { remove, compacted: revision }),
      ({ state, revision, put, gone }) => this.#replace(state, revision, { put, gone: gone.map(([key]) => key) }),
    );
  }

  async close(): Promise<void> {
    await this.#sequencer.close();
    await this.#lastTurn;
    this.#open = false;
    await this.#disk.close();
  }

  #read(revision: number, isLent = false): Buffer | undefined {
    if (!this.#open) throw new StorageUnavailable('the store is closed');
    try {
      return this.#disk.read?.(revision, isLent);
    } catch (cause) {
      throw new StorageUnavailable(messageOf(cause), { cause });
    }
  }

  #append(batch: readonly StoredVersion[]): Promise<void> {
    return this.#put(batch, {});
  }

  async #put(batch: readonly StoredVersion[], { remove = [], ...besides }: Omit<Transaction, 'put'>): Promise<void> {
    try {
      await this.#write({ put: batch, remove: [...this.#doubtful, ...remove], ...besides });
      this.#doubtful = [];
    } catch (error) {
      for (const { revision } of batch) this.#doubtful.push(revision);
      throw error;
    }
  }

  /** One transaction after another, whoever asks. */
  #write(transaction: Transaction): Promise<void> {
    const turn = this.#lastTurn.then(() => this.#transact(transaction));
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }

  async #transact(transaction: Transaction): Promise<void> {
    if (!this.#open) throw new StorageUnavailable('the store is closed');
    try {
      await this.#disk.write(transaction);
    } catch (cause) {
      throw new StorageUnavailable(messageOf(cause), { cause });
    }
  }
}

const BOUNDLESS: StoreRoom = { total: 0, used: 0, problem: undefined };

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
