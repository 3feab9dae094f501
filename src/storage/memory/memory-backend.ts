import type { Runtime } from '../../runtime.ts';
import {
  type Backend,
  type Deliver,
  type Load,
  type Opening,
  type Outcome,
  StorageUnavailable,
  type StoredVersion,
  type Write,
} from '../backend.ts';
import { type Persist, Sequencer } from '../sequencer.ts';

/** What survives a `MemoryBackend`: give the same one to the next to play a restart. */
export class MemoryDisk {
  readonly versions = new Map<number, StoredVersion>();
  compacted = 0;
  /** Counts openings: whoever opens the disk takes it from the one before, as after a crash. */
  openings = 0;
}

export interface MemoryBackendOptions {
  readonly runtime: Runtime;
  readonly disk?: MemoryDisk;
  /** Stands between a batch and the disk; a batch it has not resolved is lost in a crash, one it rejects has failed. */
  readonly persist?: Persist;
}

/** A store that lasts as long as its `MemoryDisk`. */
export class MemoryBackend implements Backend {
  readonly #disk: MemoryDisk;
  readonly #persist: Persist | undefined;
  readonly #sequencer: Sequencer;
  #opening = 0;

  constructor({ runtime, disk = new MemoryDisk(), persist }: MemoryBackendOptions) {
    this.#disk = disk;
    this.#persist = persist;
    this.#sequencer = new Sequencer(runtime, (versions) => this.#write(versions));
  }

  async open(load: Load, deliver: Deliver): Promise<Opening> {
    this.#opening = ++this.#disk.openings;
    const versions = [...this.#disk.versions.values()].map(({ facets, ...stored }) => stored);
    load(versions);
    this.#sequencer.restore(versions);
    this.#sequencer.start(this.#disk.compacted, deliver);
    return { revision: this.#sequencer.revision, compacted: this.#disk.compacted };
  }

  commit(write: Write): Promise<Outcome> {
    return this.#sequencer.commit(write);
  }

  async current(): Promise<number> {
    return this.#sequencer.revision;
  }

  async compact(through: number): Promise<void> {
    this.#own();
    for (const revision of this.#sequencer.garbage(through)) this.#disk.versions.delete(revision);
    this.#sequencer.swept(through);
    this.#disk.compacted = Math.max(this.#disk.compacted, through);
  }

  close(): Promise<void> {
    return this.#sequencer.close();
  }

  async #write(versions: readonly StoredVersion[]): Promise<void> {
    try {
      await this.#persist?.(versions);
    } catch (cause) {
      throw new StorageUnavailable('the write did not reach the disk', { cause });
    }
    this.#own();
    for (const version of versions) this.#disk.versions.set(version.revision, version);
  }

  #own(): void {
    if (this.#opening !== this.#disk.openings) throw new StorageUnavailable('the disk has been opened by another');
  }
}
