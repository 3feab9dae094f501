import type { Runtime, Timer } from '../../../runtime/runtime.ts';
import { passing, type Slabs } from '../../slabs.ts';
import { urgeSometimes } from '../../urging.ts';
import { copied, type Keep } from './record.ts';

/**
 * So many blocks may be there at once. A piece that somebody holds for long keeps a whole one: from then on every piece has
 * memory of its own.
 */
const MOST_BLOCKS = 2;
/** After so long without a read nobody is expected to read on. */
const QUIET_MS = 10_000;

/**
 * Memory for the bytes of versions that are read, shown and let go of, a hundred megabytes a second of them when somebody
 * resumes a watch. Each in memory of its own would leave the process with that much free memory full of holes, which goes
 * back to the system only where nothing lies behind it; so they are pieces of large blocks.
 */
export class ReadMemory {
  readonly #runtime: Runtime;
  readonly #blocks: Slabs;
  #timer: Timer | undefined;
  #reads = 0;
  #isClosed = false;

  constructor(runtime: Runtime, blocks: Slabs = passing) {
    this.#runtime = runtime;
    this.#blocks = blocks;
  }

  readonly keep: Keep = (record, start) => {
    const length = record.length - start;
    if (this.#blocks.alive >= MOST_BLOCKS && !this.#blocks.hasRoom(length)) return copied(record, start);
    const bytes = this.#blocks.take(length);
    record.copy(bytes, 0, start);
    // From the beginning nothing is held that would have to be moved.
    this.#blocks.release(bytes);
    this.#reads++;
    this.#timer ??= this.#lookLater();
    return bytes;
  };

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#letGo();
  }

  #lookLater(): Timer {
    const before = this.#reads;
    return this.#runtime.after(QUIET_MS, () => {
      this.#timer = this.#reads === before ? undefined : this.#lookLater();
      if (this.#timer === undefined) void this.#giveBack();
    });
  }

  async #giveBack(): Promise<void> {
    this.#letGo();
    await urgeSometimes(this.#runtime, this.#blocks, () => this.#isClosed);
  }

  #letGo(): void {
    this.#blocks.findSparse();
    this.#blocks.retireSparse();
  }
}
