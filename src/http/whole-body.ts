import type { Writable } from 'node:stream';
import { CHUNK, join, PartReader, totalLength } from './parts.ts';

/** Parts that come to no more than this are joined for a single write. */
const JOINED = 64 * 1024;

export type WholeBody = Buffer | readonly Buffer[];

export const bodyLength = (body: WholeBody): number => (Buffer.isBuffer(body) ? body.length : totalLength(body));

/**
 * The body as one buffer when that costs little; undefined when it has to be pumped. What is written at once is also
 * encrypted at once, into as much memory again.
 */
export function singleWrite(body: WholeBody, length: number): Buffer | undefined {
  if (Buffer.isBuffer(body)) return length <= CHUNK ? body : undefined;
  return length <= JOINED ? join(body, length) : undefined;
}

/** Buffers to copy small parts into, used again and again: fresh memory costs more than the copying. */
const spare: Buffer[] = [];
const MAX_SPARE = 8;

/**
 * Writes a whole body at the peer's pace, about `CHUNK` bytes ahead of it, then calls `finish`. Stops silently when
 * `out` breaks.
 */
export class BodyPump {
  readonly #out: Writable;
  readonly #parts: PartReader;
  readonly #finish: () => void;
  readonly #onDrain = (): void => this.run();

  constructor(out: Writable, body: WholeBody, finish: () => void) {
    this.#out = out;
    this.#parts = new PartReader(Buffer.isBuffer(body) ? [body] : body);
    this.#finish = finish;
    out.on('drain', this.#onDrain);
  }

  run(): void {
    const out = this.#out;
    while (!out.destroyed && out.writableLength < CHUNK) {
      if (this.#parts.done) {
        out.removeListener('drain', this.#onDrain);
        this.#finish();
        return;
      }
      const large = this.#parts.slice();
      if (large === undefined) this.#writeSmall();
      else out.write(large);
    }
  }

  #writeSmall(): void {
    const scratch = spare.pop() ?? Buffer.allocUnsafeSlow(CHUNK);
    const length = this.#parts.fill(scratch);
    if (length === 0) {
      spare.push(scratch);
      return;
    }
    this.#out.write(scratch.subarray(0, length), (error) => {
      // After an error something below may still hold on to the bytes.
      if (!error && spare.length < MAX_SPARE) spare.push(scratch);
    });
  }
}
