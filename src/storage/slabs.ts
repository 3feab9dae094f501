/**
 * Memory for the bytes of stored versions, many of them in one block.
 *
 * Each in memory of its own would cost an allocation, and what is freed piece by piece between pieces that stay is not
 * given back to the system: after a hundred thousand objects have come and gone, a process keeps the room they took. A
 * slab is given back as a whole, when nothing in it is used any more. So slabs know how much of them is still held, and
 * whoever holds a little in one that is mostly free moves it to another (`log/tidying.ts`).
 */

/** Allocators may keep what is smaller for themselves when it is freed. What is not written to yet takes no memory. */
const SLAB_BYTES = 33 << 20;
/** What is larger has memory of its own. */
const LARGEST_PIECE = 64 << 10;
/** So many slabs that are dropped at once make the engine collect. */
const URGING_BUFFERS = 2;
/** A slab is sparse when less than this part of what was taken from it is held. */
const SPARSE_BELOW = 0.5;

/** Memory that holds anything until it is written. */
export type NewMemory = (length: number) => ArrayBufferLike;

const ownMemory: NewMemory = (length) => Buffer.allocUnsafeSlow(length).buffer;

/**
 * Memory that the engine does not count: to hand over very much of it does not make the engine collect again and again,
 * where there is nothing to collect.
 */
export const sharedMemory: NewMemory = (length) => new SharedArrayBuffer(length);

interface Slab {
  /** Bytes that were taken from it, and how many of these are held. */
  taken: number;
  held: number;
  isSparse: boolean;
  /** Bytes of its memory that the engine does not count. */
  readonly uncounted: number;
}

export class Slabs {
  readonly #size: number;
  readonly #newMemory: NewMemory;
  /** Those whose memory has not been given back. Nothing here holds the memory itself, not even for a moment. */
  readonly #slabs = new Map<number, Slab>();
  readonly #givenBack = new FinalizationRegistry<number>((number) => this.#slabs.delete(number));
  readonly #byMemory = new WeakMap<ArrayBufferLike, Slab>();
  #current: Slab | undefined;
  #memory: ArrayBufferLike = new ArrayBuffer(0);
  #begun = 0;

  constructor(size = SLAB_BYTES, newMemory = ownMemory) {
    this.#size = size;
    this.#newMemory = newMemory;
  }

  /** How many slabs have been begun so far. */
  get begun(): number {
    return this.#begun;
  }

  /** How many have not been given back. */
  get alive(): number {
    return this.#slabs.size;
  }

  /** Bytes that are in use and that the engine does not count, less those that it counts and nobody has taken yet. */
  get uncounted(): number {
    let bytes = this.#current ? this.#current.taken - this.#memory.byteLength : 0;
    for (const { uncounted } of this.#slabs.values()) bytes += uncounted;
    return bytes;
  }

  /** Whether so many bytes can be had without beginning another slab. */
  hasRoom(length: number): boolean {
    return length > LARGEST_PIECE || (this.#current?.taken ?? 0) + length <= this.#memory.byteLength;
  }

  /** Room for so many bytes, which hold anything until they are written. */
  take(length: number): Buffer {
    if (length > LARGEST_PIECE || length > this.#size) return Buffer.from(this.#newMemory(length) as ArrayBuffer);
    let slab = this.#current;
    if (slab === undefined || slab.taken + length > this.#memory.byteLength) {
      this.#memory = this.#newMemory(this.#size);
      slab = this.#current = this.#begin(this.#memory);
    }
    const piece = Buffer.from(this.#memory as ArrayBuffer, slab.taken, length);
    slab.taken += length;
    slab.held += length;
    return piece;
  }

  /** The same bytes in a slab. */
  keep(bytes: Buffer): Buffer {
    const kept = this.take(bytes.length);
    bytes.copy(kept);
    return kept;
  }

  /** Takes memory for a slab that others have filled, with so many bytes that are held. */
  adopt(memory: ArrayBufferLike, held: number): void {
    const slab = this.#begin(memory);
    slab.taken = slab.held = held;
  }

  /** The bytes are held no longer, as far as their holder is concerned: others may still read them. */
  release(bytes: Buffer): void {
    const slab = this.#byMemory.get(bytes.buffer);
    if (slab) slab.held -= bytes.length;
  }

  /** Whether the bytes are in memory that was mostly free at the last `findSparse`. */
  isSparse(bytes: Buffer): boolean {
    return this.#byMemory.get(bytes.buffer)?.isSparse ?? false;
  }

  /**
   * Looks which slabs are sparse, and tells how many bytes would be free if what is held in them were moved. Nothing more
   * is taken from these.
   */
  findSparse(): number {
    let free = 0;
    for (const slab of this.#slabs.values()) {
      slab.isSparse = slab.held < slab.taken * SPARSE_BELOW;
      if (slab.isSparse) free += slab.taken - slab.held;
    }
    return free;
  }

  /** From now on nothing is taken from slabs that are sparse: what is moved out of them must not come back. */
  retireSparse(): void {
    if (!this.#current?.isSparse) return;
    this.#current = undefined;
    this.#memory = new ArrayBuffer(0);
  }

  /** Whether there are any that could be given back. */
  get hasUnused(): boolean {
    return [...this.#slabs.values()].some(({ held, taken }) => held === 0 && taken > 0);
  }

  /**
   * Has the engine look for what nobody uses any more: left to itself, a process with nothing to do may never look again.
   * Buffers that are made and dropped count as memory outside of the heap, which begins a collection in steps; nothing is
   * written to them, so they take none.
   */
  urge(): void {
    for (let one = 0; one < URGING_BUFFERS; one++) Buffer.allocUnsafeSlow(this.#size);
  }

  #begin(memory: ArrayBufferLike): Slab {
    const uncounted = memory instanceof SharedArrayBuffer ? memory.byteLength : 0;
    const slab = { taken: 0, held: 0, isSparse: false, uncounted };
    this.#givenBack.register(memory, this.#begun);
    this.#slabs.set(this.#begun++, slab);
    this.#byMemory.set(memory, slab);
    return slab;
  }
}

/** Those of the process: what its planes store shares them. */
export const slabs = new Slabs();

/** For what is read and soon let go of. */
export const passing = new Slabs();
