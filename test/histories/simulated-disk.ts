import { sleep } from '../../src/runtime/runtime.ts';
import type { KeptPasts, Load, Opening, StoredVersion } from '../../src/storage/backend.ts';
import type { Disk, Transaction } from '../../src/storage/disk.ts';
import type { SimulatedProcess, SimulatedWorld } from './simulated-world.ts';

/** How a disk or its user may be broken on purpose, to see whether the simulation notices. */
export interface Defects {
  /** A write is said to be durable when it is only in the page cache. */
  readonly acknowledgesEarly?: boolean;
  /** What an earlier process left in the page cache is shown without being made durable. */
  readonly neverSyncsAtStart?: boolean;
}

const SLOWEST_MS = 8;
const FAILURE = 0.04;

/**
 * A medium behind a page cache. What is written goes to the cache, where the next process finds it, and from there to
 * the platter: when it is synced, or some time, in order. A power cut takes what had not got there.
 */
export class SimulatedDisk {
  readonly world: SimulatedWorld;
  readonly defects: Defects;
  readonly versions = new Map<number, StoredVersion>();
  compacted = 0;
  kept: KeptPasts = new Map();
  #cached: Transaction[] = [];

  constructor(world: SimulatedWorld, defects: Defects = {}) {
    this.world = world;
    this.defects = defects;
  }

  /** The disk as one process uses it. */
  accessFor(process: SimulatedProcess): Disk {
    return new Access(this, process);
  }

  cache(transaction: Transaction): void {
    this.#cached.push(transaction);
  }

  sync(): void {
    this.#platter(this.#cached.length);
  }

  /** Takes away all but the part of the cache that happened to be written already. */
  cutPower(): void {
    this.#platter(this.world.below(this.#cached.length + 1));
    this.#cached = [];
  }

  /** What a process reads: the platter under the cache. */
  read(): { versions: StoredVersion[]; compacted: number; kept: KeptPasts } {
    const seen = { versions: new Map(this.versions), compacted: this.compacted, kept: this.kept };
    for (const transaction of this.#cached) apply(seen, transaction);
    return { ...seen, versions: [...seen.versions.values()].sort((a, b) => a.revision - b.revision) };
  }

  /** One version as a process reads it. */
  version(revision: number): StoredVersion | undefined {
    const touching = ({ put = [], remove = [] }: Transaction): boolean =>
      remove.includes(revision) || put.some((version) => version.revision === revision);
    const last = this.#cached.findLast(touching);
    return last ? last.put?.find((version) => version.revision === revision) : this.versions.get(revision);
  }

  #platter(count: number): void {
    for (const transaction of this.#cached.splice(0, count)) apply(this, transaction);
  }
}

interface Content {
  readonly versions: Map<number, StoredVersion>;
  compacted: number;
  kept: KeptPasts;
}

function apply(content: Content, { put = [], remove = [], compacted, kept = new Map() }: Transaction): void {
  for (const revision of remove) content.versions.delete(revision);
  for (const { facets, ...stored } of put) content.versions.set(stored.revision, stored);
  if (compacted === undefined) return;
  content.compacted = compacted;
  content.kept = kept;
}

class Access implements Disk {
  readonly #disk: SimulatedDisk;
  readonly #process: SimulatedProcess;

  constructor(disk: SimulatedDisk, process: SimulatedProcess) {
    this.#disk = disk;
    this.#process = process;
  }

  open(): Promise<void> {
    return this.#take('cannot be opened');
  }

  async sync(): Promise<void> {
    await this.#take('cannot be synced');
    if (!this.#disk.defects.neverSyncsAtStart) this.#disk.sync();
  }

  async load(take: Load): Promise<Pick<Opening, 'compacted' | 'kept'>> {
    const { versions, compacted, kept } = this.#disk.read();
    const middle = this.#disk.world.below(versions.length + 1);
    take(versions.slice(0, middle));
    take(versions.slice(middle));
    return { compacted, kept };
  }

  /** Can fail before the cache has it, when it has, and when all is done but the answer. */
  async write(transaction: Transaction): Promise<void> {
    await this.#take('has no room');
    this.#disk.cache(transaction);
    if (this.#disk.defects.acknowledgesEarly) return;
    await this.#take('cannot be synced');
    this.#disk.sync();
    await this.#take('says nothing');
  }

  read(revision: number): Buffer | undefined {
    return this.#disk.version(revision)?.bytes;
  }

  async close(): Promise<void> {}

  async #take(failure: string): Promise<void> {
    const { world } = this.#disk;
    await sleep(this.#process, world.below(SLOWEST_MS));
    if (world.chance(FAILURE)) throw new Error(`the disk ${failure}`);
  }
}
