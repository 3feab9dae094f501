import type { ByteSink } from './message.ts';

/** When so many bytes are together, a block is sent. */
export const BLOCK_BYTES = 32 << 10;
/** Room for what comes last as well, if it is of usual size. */
const ROOM = BLOCK_BYTES + (16 << 10);
const MOST_SPARE = 64;

/** Memory of blocks that were sent. */
const spare: Buffer[] = [];

/**
 * Pieces of a streamed body that are sent together. The memory they are put together in is used again once it was sent:
 * left to the collector, that of a few hundred streams would grow faster than it is collected.
 */
export class Block {
  #memory: Buffer | undefined;
  #size = 0;
  #pieces = 0;

  get size(): number {
    return this.#size;
  }

  /** How many pieces there are. */
  get pieces(): number {
    return this.#pieces;
  }

  /** Adds a piece, given in parts. */
  add(...parts: readonly Buffer[]): void {
    this.#pieces++;
    for (const part of parts) {
      const memory = this.#roomFor(part.length);
      part.copy(memory, this.#size);
      this.#size += part.length;
    }
  }

  /** Sends what there is. False when the peer is slow. */
  sendTo(sink: ByteSink): boolean {
    const memory = this.#memory;
    if (!memory || this.#size === 0) return true;
    this.#memory = undefined;
    return sink.write(memory.subarray(0, this.#size), () => keep(memory));
  }

  #roomFor(more: number): Buffer {
    const needed = this.#size + more;
    const memory = this.#memory ?? spare.pop() ?? Buffer.allocUnsafeSlow(ROOM);
    this.#memory = memory.length >= needed ? memory : larger(memory, this.#size, needed);
    return this.#memory;
  }
}

function larger(memory: Buffer, used: number, needed: number): Buffer {
  const grown = Buffer.allocUnsafeSlow(Math.max(needed, 2 * memory.length));
  memory.copy(grown, 0, 0, used);
  keep(memory);
  return grown;
}

function keep(memory: Buffer): void {
  if (memory.length === ROOM && spare.length < MOST_SPARE) spare.push(memory);
}
