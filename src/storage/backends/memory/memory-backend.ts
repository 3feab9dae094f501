import type { Runtime } from '../../../runtime/runtime.ts';
import type { KeptPasts, Load, Opening, OpenOptions, StoredVersion } from '../../backend.ts';
import type { Disk, Transaction } from '../../disk.ts';
import { DiskBackend } from '../../disk-backend.ts';
import type { Persist } from '../../log/sequencer.ts';

/** What survives a `MemoryBackend`: give the same one to the next to play a restart. */
export class MemoryDisk {
  readonly versions = new Map<number, StoredVersion>();
  compacted = 0;
  kept: KeptPasts = new Map();
  /** Counts openings: whoever opens the disk takes it from the one before, as after a crash. */
  openings = 0;
}

export interface MemoryBackendOptions {
  readonly runtime: Runtime;
  readonly disk?: MemoryDisk;
  /** Stands between a batch and the disk; a batch it has not resolved is lost in a crash, one it rejects has failed. */
  readonly persist?: Persist;
  /** Lets versions be read again, as from a medium that is not memory. */
  readonly archives?: boolean;
}

/** A store that lasts as long as its `MemoryDisk`. */
export class MemoryBackend extends DiskBackend {
  constructor({ runtime, disk = new MemoryDisk(), persist = async () => undefined, archives }: MemoryBackendOptions) {
    super(runtime, archives ? new ReadableMemory(disk, persist) : new MemoryAccess(disk, persist));
  }
}

/** One opening of a `MemoryDisk`. */
class MemoryAccess implements Disk {
  protected readonly disk: MemoryDisk;
  readonly #persist: Persist;
  #opening = 0;

  constructor(disk: MemoryDisk, persist: Persist) {
    this.disk = disk;
    this.#persist = persist;
  }

  async open(): Promise<void> {
    this.#opening = ++this.disk.openings;
  }

  async sync(): Promise<void> {}

  async load(take: Load, options: OpenOptions): Promise<Pick<Opening, 'compacted' | 'kept'>> {
    take([...this.disk.versions.values()].map(({ facets, ...stored }) => this.handedOver(stored, options)));
    const { compacted, kept } = this.disk;
    return { compacted, kept };
  }

  async write({ put = [], remove = [], compacted, kept = new Map() }: Transaction): Promise<void> {
    if (put.length > 0) await this.#persist(put);
    if (this.#opening !== this.disk.openings) throw new Error('the disk has been opened by another');
    for (const revision of remove) this.disk.versions.delete(revision);
    for (const version of put) this.disk.versions.set(version.revision, version);
    if (compacted === undefined) return;
    this.disk.compacted = Math.max(this.disk.compacted, compacted);
    this.disk.kept = new Map(kept);
  }

  moved(revision: number, bytes: Buffer): void {
    const version = this.disk.versions.get(revision);
    if (version && this.#opening === this.disk.openings) this.disk.versions.set(revision, { ...version, bytes });
  }

  async close(): Promise<void> {}

  protected handedOver(stored: StoredVersion, _options: OpenOptions): StoredVersion {
    return stored;
  }
}

class ReadableMemory extends MemoryAccess {
  read(revision: number): Buffer | undefined {
    return this.disk.versions.get(revision)?.bytes;
  }

  protected override handedOver(stored: StoredVersion, { mayLeaveBytes }: OpenOptions): StoredVersion {
    return mayLeaveBytes ? { ...stored, bytes: Buffer.alloc(0), left: stored.bytes.length } : stored;
  }
}
