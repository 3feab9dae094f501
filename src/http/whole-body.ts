import type { Writable } from 'node:stream';
import { type BodySource, isSource } from './message.ts';
import { CHUNK, join, PartReader, totalLength } from './parts.ts';

/** Parts that come to no more than this are joined for a single write. */
const JOINED = 64 * 1024;

/** As many parts can be written one by one. */
const FEW = 2;

/** A body whose length is known. */
export type WholeBody = Buffer | readonly Buffer[] | BodySource;

export const bodyLength = (body: WholeBody): number =>
  Buffer.isBuffer(body) || isSource(body) ? body.length : totalLength(body);

/** The body as something that is read piece by piece. */
export function sourceOf(body: WholeBody): BodySource {
  if (Buffer.isBuffer(body)) return new PartReader([body]);
  return isSource(body) ? body : new PartReader(body);
}

/** All that a source gives, in one buffer. */
export function readWhole(source: BodySource): Buffer {
  const whole = Buffer.allocUnsafe(source.length);
  for (let at = 0; !source.done; ) {
    const rest = whole.subarray(at);
    const bytes = source.next(rest);
    if (bytes.buffer !== rest.buffer || bytes.byteOffset !== rest.byteOffset) rest.set(bytes);
    at += bytes.length;
  }
  return whole;
}

/** Up to this a part is sooner copied than written by itself; measured with a newline after objects of many sizes. */
const WORTH_COPYING = 8 * 1024;

/**
 * What is written at once when that costs little; undefined when the body has to be pumped. What is written at once is
 * also encrypted at once, into as much memory again.
 */
export function writesOf(body: WholeBody, length: number): readonly Buffer[] | undefined {
  if (Buffer.isBuffer(body)) return length <= CHUNK ? [body] : undefined;
  if (isSource(body)) return undefined;
  if (body.length <= FEW && length > WORTH_COPYING) return length <= CHUNK ? body : undefined;
  return length <= JOINED ? [join(body, length)] : undefined;
}

/** Writes all of them and ends. */
export function endWith(out: Writable, writes: readonly Buffer[]): void {
  const last = writes.length - 1;
  for (let at = 0; at < last; at++) out.write(writes[at]);
  out.end(writes[last]);
}

/**
 * Buffers to put bodies together in, used again and again: fresh memory costs more than the copying, and at the rate of
 * large lists it keeps the garbage collector busy.
 */
const spare: Buffer[] = [];
const MAX_SPARE = 16;

/** The first piece goes out together with the headers, and what goes out together is copied into one: it is short. */
const FIRST = 16 * 1024;

/**
 * Writes a whole body at the peer's pace, one piece of at most `CHUNK` bytes after the other, then calls `finish`. Stops
 * silently when `out` breaks.
 */
export class BodyPump {
  readonly #out: Writable;
  readonly #source: BodySource;
  readonly #finish: () => void;
  #begun = false;

  constructor(out: Writable, body: WholeBody, finish: () => void) {
    this.#out = out;
    this.#source = sourceOf(body);
    this.#finish = finish;
  }

  run(): void {
    while (!this.#source.done) {
      const scratch = spare.pop() ?? Buffer.allocUnsafeSlow(CHUNK);
      const bytes = this.#source.next(this.#begun ? scratch : scratch.subarray(0, FIRST));
      const borrowed = bytes.buffer === scratch.buffer;
      if (!borrowed || bytes.length === 0) giveBack(scratch);
      if (bytes.length === 0) continue;
      this.#begun = true;
      this.#write(bytes, borrowed ? scratch : undefined);
      return;
    }
    this.#finish();
  }

  #write(bytes: Buffer, scratch: Buffer | undefined): void {
    const last = this.#source.done;
    this.#out.write(bytes, (error) => {
      // After an error something below may still hold on to the bytes.
      if (error) return;
      if (scratch) giveBack(scratch);
      if (!last) this.run();
    });
    if (last) this.#finish();
  }
}

function giveBack(scratch: Buffer): void {
  if (spare.length < MAX_SPARE) spare.push(scratch);
}
