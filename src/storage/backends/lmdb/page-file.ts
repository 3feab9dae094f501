import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** A file that does not hold what it must; the message says where. */
export class FileDamaged extends Error {
  override readonly name = 'FileDamaged';
}

/** A file read piece by piece. Nothing is mapped: what is missing or cannot be read is an exception and not a signal. */
export class PageFile {
  readonly size: number;
  readonly #descriptor: number;

  constructor(path: string) {
    this.#descriptor = openSync(path, 'r');
    this.size = fstatSync(this.#descriptor).size;
  }

  /** Fills `target` from the file. */
  fill(target: Buffer, offset: number): void {
    if (!(offset >= 0 && offset <= this.size)) throw new FileDamaged(`it ends at byte ${this.size}, before ${offset}`);
    for (let filled = 0; filled < target.length; ) {
      const count = readSync(this.#descriptor, target, filled, target.length - filled, offset + filled);
      if (count === 0) throw new FileDamaged(`it ends at byte ${offset + filled}`);
      filled += count;
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** How many pages are read ahead at most, and how far apart two pages count as read in order. */
const MOST_AHEAD = 64;
const NEAR = 16;

/** Reads pages of a file in the order in which they are asked for; ahead of it, where that is their order in the file. */
export class PageReader {
  readonly #file: PageFile;
  readonly #pageSize: number;
  readonly #buffer: Buffer;
  #first = 0;
  #count = 0;
  #ahead = 1;

  constructor(file: PageFile, pageSize: number) {
    this.#file = file;
    this.#pageSize = pageSize;
    this.#buffer = Buffer.allocUnsafeSlow(MOST_AHEAD * pageSize);
  }

  /** Adjacent pages. Lent until the next call. */
  pages(first: number, count: number): Buffer {
    if (first < this.#first || first + count > this.#first + this.#count) {
      if (count > MOST_AHEAD) return this.#large(first, count);
      this.#read(first, count);
    }
    const start = (first - this.#first) * this.#pageSize;
    return this.#buffer.subarray(start, start + count * this.#pageSize);
  }

  #read(first: number, count: number): void {
    const inOrder = first >= this.#first && first <= this.#first + this.#count + NEAR;
    this.#ahead = inOrder ? Math.min(this.#ahead * 2, MOST_AHEAD) : 1;
    const there = Math.floor(this.#file.size / this.#pageSize) - first;
    const wanted = Math.max(count, Math.min(this.#ahead, there));
    this.#count = 0;
    this.#file.fill(this.#buffer.subarray(0, wanted * this.#pageSize), first * this.#pageSize);
    this.#first = first;
    this.#count = wanted;
  }

  #large(first: number, count: number): Buffer {
    const pages = Buffer.allocUnsafeSlow(count * this.#pageSize);
    this.#file.fill(pages, first * this.#pageSize);
    return pages;
  }
}
