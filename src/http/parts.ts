import type { BodySource } from './message.ts';

/** The size of the pieces that lists of parts are written in: few system calls, little memory per connection. */
export const CHUNK = 256 * 1024;
/** A part of this size or more is sent as it is: copying it would cost more than a write of its own. */
const LARGE = 16 * 1024;
/** Below this a loop beats a call of `set`; separators between list items are this small. */
const TINY = 8;

export function totalLength(parts: readonly Buffer[]): number {
  let total = 0;
  for (const part of parts) total += part.length;
  return total;
}

/** The parts, `length` bytes in all, as one buffer; a single part is not copied. */
export function join(parts: readonly Buffer[], length: number): Buffer {
  const [first] = parts;
  if (first?.length === length) return first;
  const joined = Buffer.allocUnsafe(length);
  let offset = 0;
  for (const part of parts) offset += copy(part, joined, offset);
  return joined;
}

/** Reads a list of parts from front to back: large parts by slices, runs of small ones by copying. */
export class PartReader implements BodySource {
  readonly length: number;
  readonly #parts: readonly Buffer[];
  #at = 0;
  /** How much of the current part has been read; not zero only inside a large part. */
  #offset = 0;

  constructor(parts: readonly Buffer[]) {
    this.#parts = parts;
    this.length = totalLength(parts);
  }

  get done(): boolean {
    return this.#at === this.#parts.length;
  }

  next(scratch: Buffer): Buffer {
    return this.#slice(scratch.length) ?? scratch.subarray(0, this.#fill(scratch));
  }

  /** Up to so many bytes of the current part if it is large, without copying; undefined if it is not. */
  #slice(most: number): Buffer | undefined {
    const part = this.#parts[this.#at];
    if (part === undefined || part.length < LARGE) return undefined;
    const from = this.#offset;
    this.#offset = Math.min(from + most, part.length);
    const piece = part.subarray(from, this.#offset);
    if (this.#offset === part.length) {
      this.#at += 1;
      this.#offset = 0;
    }
    return piece;
  }

  /** Copies small parts into `target`, as many as fit before the next large one; returns how many bytes that is. */
  #fill(target: Buffer): number {
    let filled = 0;
    for (; this.#at < this.#parts.length; this.#at++) {
      const part = this.#parts[this.#at];
      if (part === undefined || part.length >= LARGE || filled + part.length > target.length) break;
      filled += copy(part, target, filled);
    }
    return filled;
  }
}

function copy(part: Buffer, target: Buffer, offset: number): number {
  const { length } = part;
  if (length >= TINY) {
    target.set(part, offset);
    return length;
  }
  for (let at = 0; at < length; at++) target[offset + at] = part[at] ?? 0;
  return length;
}
